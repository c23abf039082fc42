"""Work recorded on a CPU as CUDA would: the operations alone, on the memory that they met, without Python."""

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves


def tensors(tree):
    return [leaf for leaf in tree_leaves(tree) if isinstance(leaf, torch.Tensor)]


def memory(tensor):
    return tensor.untyped_storage().data_ptr()


class Tape(TorchDispatchMode):
    """A `Recording`. What recording changes in memory is put back, since a recording does nothing yet."""

    def __init__(self, work, inputs):
        super().__init__()
        self.operations, self._before, self._made = [], {}, set()
        self.met = {}  # memory that is not the recording's own, by where it lies
        with self:
            self.outputs = work(*inputs)
        for tensor, content in self._before.values():
            tensor.copy_(content)

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        schema = function._schema
        for spec, value in zip(schema.arguments, args, strict=False):
            for tensor in tensors(value):
                place = memory(tensor)
                if place not in self._made and tensor.numel():
                    self.met[place] = tensor
                    if spec.alias_info is not None and spec.alias_info.is_write:
                        whole = tensor._base if tensor._is_view() else tensor
                        self._before.setdefault(place, (whole, whole.clone()))
        result = function(*args, **kwargs)
        self.operations.append((function, args, kwargs, result))
        self._made |= {memory(x) for x in tensors(result)} - self.met.keys()
        return result

    def repeat(self):
        for function, args, kwargs, result in self.operations:
            returns = [part.alias_info for part in function._schema.returns]
            if any(info is not None and not info.is_write for info in returns):
                continue  # a view, which lies where it lay
            again = function(*args, **kwargs)
            if not any(info is not None for info in returns):
                for old, new in zip(tensors(result), tensors(again), strict=True):
                    old.copy_(new)


class Taped:
    """A `Recorder` that keeps its tapes and counts what they repeat."""

    def __init__(self):
        self.tapes = []

    def __call__(self, work, inputs):
        self.tapes.append(Tape(work, inputs))
        return self.tapes[-1]
