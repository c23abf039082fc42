"""The neural renderer: geometry in, frames out, block by block and without end.

sizes       `settings` what a renderer is, `presets` which there are, `saved` renderers as single files
pictures    `codec` (on `convolution`) frames to latents and back, `geometry` and `augment` the conditions
network     `rotary`, `layers`, `prefix` (text and style), `captions`, `network`
one pass    `blocks` clips as lists of chunks, `window` what is remembered, `packed` the same in one masked
call training    `flow` (and `solver`) what is learned, `forcing` block-causal training, `corrupt` its history
streaming   `noise`, `cache`, `stream` in latents, `session` in frames
distilling  `replay` the exact second pass, `distill`, `discriminator`, `penalty`, `clock`

Everything is PyTorch and runs on a CPU. Shapes in names: B samples, F latent frames, T tokens that ask, N
tokens that are seen, H heads, G heads of keys and values, D numbers of a head, W width of the network, C
channels.
"""
