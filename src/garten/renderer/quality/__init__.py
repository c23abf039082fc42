"""How good a renderer is: what it makes of clips, beside the truth.

`rollout` frames for a clip; `measures` of one clip, `evaluate` of many; `film` geometry, truth and frames in
one picture.
"""
