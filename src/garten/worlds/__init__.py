"""Code worlds: the contract (`world`), how worlds are found (`find`), the suite they pass (`check`).

Every folder here is one world: its code, whose `__init__` exports the class as `WORLD`, and its `task.md`.
Adding such a folder is all it takes to add a world.
"""
