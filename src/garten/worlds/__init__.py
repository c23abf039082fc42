"""Code worlds.

contract   `world` what each is, `given` what it is given by name, `find` which there are, `check` the suite
           that they pass (in files `check_*`)
material   `figure` shapes on joints, `physics` bodies that touch

Every other folder here is one world: its code, whose `__init__` exports the class as `WORLD`, and its
`task.md`. Adding such a folder is all it takes to add a world.
"""
