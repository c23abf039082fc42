"""Training of policies on the Craftax engine, and their evaluation.

    settings     `names` of what there is, `config` all settings and presets, `curricula` those of curricula
    learning     `lanes` are stepped, `rollout` collects, `returns` values, `ppo` teaches, `learner` does all
                 three, `sources` say what lanes play, `clock` tells the time
    engines      `arena` what training asks of any, `craftax` what it gets of that one
    a run        `train` from beginning to end, `saved` its policies and states on disk, `periodic`
                 evaluations on the way, `curves` for TensorBoard, `history` how it went
    evaluation   `agents` play, `evaluate` lets them, `results` add up, `stored` agents and evaluations of a
                 run, `exported` agents as single files, `film` an episode as a moving picture

`names`, `curricula` and `results` load no PyTorch.
"""
