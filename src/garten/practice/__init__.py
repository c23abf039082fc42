"""Practice: players that act through programs and learn through rounds and playbooks.

a run      `rounds` play, review, write and pass on; `games` single ones in a pool of processes; `results`
a player   `players`, a folder or module for each kind; `program` through which its role acts, `playbook` that
           it reads and writes
its eyes   `percepts` what a frame shows without knowing the world, `mapping` where that was
"""
