"""Policies: networks that keep experience in their weights; and exploration bonuses, which have networks too.

policies   `policy` what each is, `settings` which there are; `mlp`, `gru` (on `recurrence`), `gtrxl` (on
           `attention`, `gates`, `series`)
bonuses    `bonus` what each is, `bonuses` which there are; `rnd`, `icm`, `e3b` (on `features`)
both       `shape` what is observed, `encoders` the first layers
"""
