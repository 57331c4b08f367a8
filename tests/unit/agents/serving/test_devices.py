import pytest

from playsuite.agents.serving.devices import share_out, visible
from playsuite.core.errors import ConfigError


@pytest.mark.parametrize(
    ("said", "found"),
    [("0,1", ["0", "1"]), ("GPU-1a, MIG-2b", ["GPU-1a", "MIG-2b"]), ("", []), ("-1", []), ("3,-1,4", ["3"])],
)
def test_devices_are_visible_as_the_driver_reads_it(said, found):
    assert visible({"CUDA_VISIBLE_DEVICES": said}) == found


def test_all_are_visible_where_nothing_is_said():
    assert visible({}) is None


@pytest.mark.parametrize(
    ("gpus", "each", "groups"),
    [
        ((), 1, ((),)),
        ((0, 1, 2), 1, ((0,), (1,), (2,))),
        ((0, 1, 2, 3), 2, ((0, 1), (2, 3))),
        ((4, 5, 6), 2, ((4, 5),)),
    ],
)
def test_every_copy_gets_the_gpus_it_takes(gpus, each, groups):
    assert share_out(gpus, each) == groups


def test_too_few_gpus_for_one_copy_are_said():
    with pytest.raises(ConfigError, match="takes 4 GPUs; here it may use 2"):
        share_out((0, 1), 4)
