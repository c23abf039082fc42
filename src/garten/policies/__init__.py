"""Policies: networks that keep experience in their weights."""
