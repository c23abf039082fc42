"""The neural renderer: geometry in, frames out, block by block and without end.

sizes       `settings` what a renderer is, `presets` which there are, `saved` renderers as single files
pictures    `pictures` frames and images, `codec` (on `convolution`) frames to latents and back, `geometry`
            and `augment` the conditions
network     `rotary`, `layers`, `prefix` (text and style), `captions`, `network`; `renderer` all of it
one pass    `blocks` clips as lists of chunks, `window` what is seen, `packed` the same in one masked call
training    `flow`, `solver`, `sampling`; `forcing` clips, then blocks, `corrupt` history, `subset` of weights
streaming   `noise`, `cache`, `stream` in latents, `session` in frames, `server` of many sessions
distilling  `replay` the exact second pass, `distill`, `discriminator`, `penalty` (on `tangent`), `clock`
clips       `data` what it is trained on
runs        `training` stage by stage, on disk; `quality` of what was trained

Everything but `data` is PyTorch and runs on a CPU. Shapes in names: B samples, F latent frames, J blocks, T
tokens that ask, N tokens that are seen, H heads, G heads of keys and values, D numbers of a head, W width of
the network, C channels, h and w rows and columns of latents.
"""
