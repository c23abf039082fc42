"""What the rules author knows of Craftax."""
