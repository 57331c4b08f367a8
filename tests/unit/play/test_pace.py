"""How many workers: the machine's time and memory, the server's places and the episodes that are left decide."""

import pytest

from playsuite.play.machine import Meter, Spare
from playsuite.play.pace import Bound, Recruiter, automatic, fixed, to_hire

MUCH = Spare(idle=0.9, memory_mb=100_000)


def test_a_number_that_was_asked_for_is_kept():
    assert to_hire(fixed(3), workers=3, waiting=10, spare=MUCH) == (0, Bound.NUMBER)
    assert Recruiter(fixed(3)).now(workers=1, waiting=10) == 0


def test_baselines_get_a_worker_for_each_core():
    pace = automatic(8)
    assert (pace.begin, pace.most, pace.bound) == (8, 8, Bound.CPU)


def test_a_model_gets_more_workers_than_its_server_has_places():
    """While some play their step, others keep the batch full."""
    pace = automatic(2, places=32)
    assert (pace.begin, pace.most) == (2, 40)
    assert to_hire(pace, workers=2, waiting=99, spare=MUCH) == (1, None)
    assert to_hire(pace, workers=16, waiting=99, spare=MUCH) == (4, None)
    assert to_hire(pace, workers=39, waiting=99, spare=MUCH) == (1, None)
    assert to_hire(pace, workers=40, waiting=99, spare=MUCH) == (0, Bound.SERVER)


def test_a_small_server_gets_no_more_workers_than_it_can_use_however_many_cores_there_are():
    assert automatic(64, places=4).begin == 5


@pytest.mark.parametrize(
    ("waiting", "spare", "bound"),
    [
        (0, MUCH, Bound.EPISODES),
        (9, Spare(idle=0.1, memory_mb=100_000), Bound.CPU),
        (9, Spare(idle=0.9, memory_mb=2_000), Bound.MEMORY),
    ],
)
def test_whatever_is_short_is_named(waiting, spare, bound):
    assert to_hire(automatic(2, places=32), workers=4, waiting=waiting, spare=spare) == (0, bound)


def test_no_more_are_hired_than_fit_into_memory_or_have_something_to_play():
    pace = automatic(2, places=320)
    assert to_hire(pace, workers=40, waiting=99, spare=Spare(0.9, 7_000)) == (2, None)
    assert to_hire(pace, workers=40, waiting=3, spare=MUCH) == (3, None)


def machine(folder, *, used, idle, memory_kb=8_000_000):
    """Write what the kernel says of a machine all of whose processors, far more than ours, are alike."""
    line = f"{used} 0 0 {idle} 0 0 0 0 0 0"
    (folder / "stat").write_text("\n".join(["cpu  1 1 1 1", *(f"cpu{n} {line}" for n in range(4096)), "intr 1"]))
    (folder / "meminfo").write_text(f"MemTotal: 1 kB\nMemAvailable:   {memory_kb} kB\n")


def test_idle_time_is_counted_from_look_to_look(tmp_path):
    machine(tmp_path, used=1000, idle=9000)
    meter = Meter(proc=tmp_path, cgroup=tmp_path / "none")
    machine(tmp_path, used=1075, idle=9025)
    assert meter.look() == Spare(pytest.approx(0.25), 7812)
    machine(tmp_path, used=1075, idle=9125)
    assert meter.look().idle == pytest.approx(1.0)


def test_the_limits_of_a_container_or_a_job_count(tmp_path):
    machine(tmp_path, used=0, idle=1000)
    (tmp_path / "cpu.max").write_text("200000 100000\n")
    (tmp_path / "cpu.stat").write_text("usage_usec 0\n")
    (tmp_path / "memory.max").write_text(str(4 * 2**30))
    (tmp_path / "memory.current").write_text(str(1 * 2**30))
    meter = Meter(proc=tmp_path, cgroup=tmp_path)
    machine(tmp_path, used=0, idle=2000)
    (tmp_path / "cpu.stat").write_text("usage_usec 999000000\n")
    assert meter.look() == Spare(0.0, 3072)


def test_this_machine_can_be_measured():
    spare = Meter().look()
    assert 0 <= spare.idle <= 1
    assert spare.memory_mb > 0
