"""Levels: code that configures a world of Craftax, checked and turned into data before training."""
