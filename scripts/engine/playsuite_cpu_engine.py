"""Mends what fails in vLLM without a GPU; `scripts/serve_env.sh` puts it into the engine's environment.

A `.pth` file imports it in every Python of that environment, because the engine starts processes of its own; so the
import is the effect, and must be light. `forget_offsets` is a plugin that vLLM calls in each of them.
"""

import importlib.abc
import sys

OPERATORS = ("nms", "qnms")


class _BeforeTorchvision(importlib.abc.MetaPathFinder):
    """Defines torchvision's operators just before it is looked for; finds nothing itself.

    A torchvision built for CUDA holds its operators in a library that cannot load beside a torch built for CPUs, but
    its import adds to two of them. The transforms of pictures, all that vLLM wants of it, work without that library.
    """

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
    torch.playsuite_operators = library  # They vanish together with this object.


def forget_offsets():
    """Let a request have a seed although its prompt is read in several steps.

    After each but the last of them vLLM takes back a random number by moving the generator's offset, which those of
    CPUs do not have, and dies of it. Here nothing is taken back: a seed gives the same answer again only if the prompt
    is cut in the same places.
    """
    import torch

    class Generator(torch.Generator):
        def get_offset(self):
            return 0

        def set_offset(self, offset):
            pass

    torch.Generator = Generator


sys.meta_path.insert(0, _BeforeTorchvision())
