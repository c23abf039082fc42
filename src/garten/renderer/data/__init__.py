"""What the renderer learns from: clips of worlds or of videos, kept as shards, read back for training.

clips     `clip` what one is, `shards` sets of them on disk, `reader` parts of them by split and step
worlds    `recipe` which clips a set has, `shoot` makes one: roles `wander`, `cameras` move
others    `manifest` the published form, `videos` whose geometry estimators tell
"""
