"""Python code as a syntax tree, also while other threads read code: the one place that parses."""

from __future__ import annotations

import ast
import gc
import threading

_one_at_a_time = threading.Lock()


def parse(source: str | bytes) -> ast.Module:
    """The syntax tree of Python code, none of which runs.

    CPython before 3.11.8 and 3.12.2 counts how deep it is in the tree that it builds in one place for all
    threads (gh-106905, "AST constructor recursion depth mismatch"). Building holds the interpreter's lock to
    its end, unless a garbage collection begins in the middle of it and runs Python code, such as a finalizer;
    another thread may then build a tree, and the count of the first is lost. So nothing is collected
    meanwhile, which keeps out threads of other libraries too. Only the making of trees from text is concerned
    (`ast.parse`, `ast.literal_eval` of a string): compiling to code, `ast.unparse` and `ast.literal_eval` of
    a node are not.

    Args:
        source: the code; bytes are decoded as Python decodes files.

    Raises:
        SyntaxError: it is no Python.
        ValueError: it holds a null byte.
        RecursionError: it is nested too deeply.
        MemoryError: it is nested too deeply for the parser, which comes before the tree.
    """
    with _one_at_a_time:  # so that each finds the collector as it was and leaves it so
        collecting = gc.isenabled()
        gc.disable()
        try:
            return ast.parse(source)
        finally:
            if collecting:
                gc.enable()
