"""Training of policies on the Craftax engine."""
