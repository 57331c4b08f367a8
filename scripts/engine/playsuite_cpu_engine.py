"""Lets a torchvision built for CUDA be imported beside a torch built for CPUs.

Its operators lie in a library that cannot load there, but its import adds to two of them, so they must be known by
then. The transforms of pictures, all that vLLM wants of it, work without that library. A `.pth` file imports this in
every Python of the engine's environment, because the engine starts processes of its own; the import is the effect.
"""

import importlib.abc
import sys

OPERATORS = ("nms", "qnms")


class _BeforeTorchvision(importlib.abc.MetaPathFinder):
    """Defines the operators just before torchvision is looked for; finds nothing itself."""

    def find_spec(self, fullname, path=None, target=None):
        if fullname == "torchvision":
            sys.meta_path.remove(self)
            if not _built_for_cpus(fullname):
                _define_operators()


def _built_for_cpus(distribution):
    from importlib.metadata import version

    return version(distribution).endswith("+cpu")


def _define_operators():
    import torch

    library = torch.library.Library("torchvision", "DEF")
    for name in OPERATORS:
        library.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    torch.torchvision_operators = library  # They vanish together with this object.


sys.meta_path.insert(0, _BeforeTorchvision())
