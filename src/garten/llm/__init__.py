"""Language-model endpoints: messages, one call with its limits, budgets, and tapes of replies."""
