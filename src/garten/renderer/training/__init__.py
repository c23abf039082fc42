"""Training of the renderer, in stages: autoencoder, whole clips, blocks after true history, own rollouts.

settings   `config` all of them, `presets` by name and stage
input      `inputs` clips as latents, captions as prefixes; `batches` one for each step
learning   `pupil` weights under an optimiser, `figures` of a step
stages     `autoencoding`, `forced` (bidirectional and causal), `adversarial`; `stages` finds them by name
a run      `train` from beginning to end, `saved` what it keeps, `origin` where its weights begin

`config` and `presets` load no PyTorch.
"""
