"""Triton's kernels as machine code for an H100, made on any machine."""

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from garten.renderer.serving import fused, triton_kernels

NUMBERS = {
    *("width", "heads", "groups", "half"),
    *("sample_in", "token_in", "sample_out", "token_out", "phase_sample"),
}
"""Arguments that are no memory."""


def machine_code(network):
    """The code of each kernel at the sizes of a network's settings, in bfloat16."""
    spans = {"norm_rows": network.width, "gate_rows": fused.PART, "turn_heads": 1}
    return {name: _code(getattr(triton_kernels, name), network, span) for name, span in spans.items()}


def _code(kernel, network, span):
    names = kernel.arg_names
    sizes = {"SPAN": span, "HEADS": network.heads, "GROUPS": network.kv_heads, "HALF": network.head // 2}
    fixed = {name: triton.next_power_of_2(size) for name, size in sizes.items()}
    fixed |= {"EPSILON": 1e-6, "ADDS": True, "COPIES": True}
    kinds = (
        {"cos": "*fp32", "sin": "*fp32"} | dict.fromkeys(NUMBERS, "i32") | dict.fromkeys(fixed, "constexpr")
    )
    constants = {(names.index(name),): value for name, value in fixed.items() if name in names}
    source = ASTSource(kernel, {name: kinds.get(name, "*bf16") for name in names}, constants)
    return triton.compile(source, target=GPUTarget("cuda", 90, 32), options=fused.HOW).asm["cubin"]
