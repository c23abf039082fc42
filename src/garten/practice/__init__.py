"""Practice: players that act through programs and learn through rounds and playbooks."""
