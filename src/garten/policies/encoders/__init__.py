"""First layers: what turns observations into features.

codes     the engine's codes: a linear layer that gathers the weight rows which the codes select
gather    its kernels
pixels    pictures: convolutions
"""
