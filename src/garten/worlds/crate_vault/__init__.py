"""Crate vault: push crates onto plates, which open doors, and reach the vault."""

from garten.worlds.crate_vault.world import CrateVault

WORLD = CrateVault

__all__ = ["WORLD", "CrateVault"]
