"""Worlds as other libraries' environments: `gymnasium` for one role, `pettingzoo` for several."""
