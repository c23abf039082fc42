"""A sled with a motor slides over hills: a domain beside Craftax, in MuJoCo, made from outside.

the game     `game` what can be achieved and the dials, `terrain` where things lie, `env` the lanes in MuJoCo
its levels   `level` their form, `domain` what authors and archive see, `kit` what the rules author knows
training     `arena` what the training loop sees, `stage` levels on lanes and trials, `curve` the drawing

    PYTHONPATH=examples python -m sled --curriculum dicode --seed 0

``docs/domains.md`` tells which of these another domain needs, and why.
"""
