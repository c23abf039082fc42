"""Streams on a GPU: fused operations (`kernels`, `fused`), blocks as recorded work (`calls`, `cuda`).

`choice` says what suits a device. On a CPU that is the network's own code, called as it stands.
"""
