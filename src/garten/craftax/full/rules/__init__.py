"""The rules, one family a file."""
