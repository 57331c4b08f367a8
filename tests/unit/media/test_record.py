"""The recorder keeps game time exactly, repeats nothing, and survives a kill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import av
import numpy as np
import pytest

from playsuite.core.errors import StoreError
from playsuite.media.record import FilmRecorder

if TYPE_CHECKING:
    from pathlib import Path

    from playsuite.core.protocols import Frame


def plain(value: int, *, size: tuple[int, int] = (160, 120)) -> Frame:
    return np.full((size[1], size[0], 3), value, np.uint8)


def times(path: Path) -> list[float]:
    with av.open(str(path)) as container:
        return [round(float(frame.pts * frame.time_base), 3) for frame in container.decode(video=0)]


def keyframe_times(path: Path) -> list[float]:
    with av.open(str(path)) as container:
        container.streams.video[0].codec_context.skip_frame = "NONKEY"
        return [round(float(frame.pts * frame.time_base), 3) for frame in container.decode(video=0)]


def duration(path: Path) -> float:
    with av.open(str(path)) as container:
        packets = [packet for packet in container.demux(video=0) if packet.pts is not None]
        return float((packets[-1].pts + packets[-1].duration) * packets[-1].time_base)


def film(folder: Path, frames: list[tuple[float, Frame]], *, t_end: float | None = None) -> tuple[Path, Path]:
    video, proxy = folder / "video.mp4", folder / "proxy.mp4"
    with FilmRecorder(video, proxy) as recorder:
        for t, frame in frames:
            recorder.add(t, frame)
        recorder.close(t_end)
    return video, proxy


def test_frames_keep_their_game_time(tmp_path):
    video, _ = film(tmp_path, [(i / 5, plain(i)) for i in range(20)])
    assert times(video) == [round(i / 5, 3) for i in range(20)]


def test_the_film_ends_when_the_episode_ends(tmp_path):
    video, _ = film(tmp_path, [(i / 5, plain(i)) for i in range(11)], t_end=7.25)
    assert duration(video) == pytest.approx(7.25, abs=0.002)


def test_a_still_screen_is_encoded_once_a_second(tmp_path):
    video, _ = film(tmp_path, [(i / 5, plain(7)) for i in range(25)])
    assert times(video) == [0, 1, 2, 3, 4]


def test_every_second_has_a_keyframe(tmp_path):
    video, _ = film(tmp_path, [(i / 5, plain(i)) for i in range(25)])
    assert keyframe_times(video) == [0, 1, 2, 3, 4]


def test_the_proxy_has_one_small_frame_a_second(tmp_path):
    _, proxy = film(tmp_path, [(i / 5, plain(i, size=(1280, 720))) for i in range(11)])
    assert times(proxy) == [0, 1, 2]
    with av.open(str(proxy)) as container:
        assert (container.streams.video[0].width, container.streams.video[0].height) == (512, 288)


def test_odd_sizes_are_padded(tmp_path):
    video, _ = film(tmp_path, [(0.0, plain(200, size=(161, 121)))])
    with av.open(str(video)) as container:
        picture = next(container.decode(video=0)).to_ndarray(format="rgb24")
    assert picture.shape == (122, 162, 3)
    assert abs(int(picture[:100, :150].mean()) - 200) < 4


def test_a_change_of_size_is_letterboxed(tmp_path):
    video, _ = film(tmp_path, [(0.0, plain(250)), (0.2, plain(250, size=(300, 100)))])
    with av.open(str(video)) as container:
        _, last = (frame.to_ndarray(format="rgb24") for frame in container.decode(video=0))
    assert last.shape == (120, 160, 3)
    assert last[0].mean() < 10
    assert last[60].mean() > 240


def test_a_frame_that_the_game_reuses_is_copied(tmp_path):
    shared = plain(10)
    with FilmRecorder(tmp_path / "video.mp4", tmp_path / "proxy.mp4") as recorder:
        for i in range(3):
            shared[:] = 40 * i
            recorder.add(i / 5, shared)
    with av.open(str(tmp_path / "video.mp4")) as container:
        shades = [int(frame.to_ndarray(format="rgb24").mean()) for frame in container.decode(video=0)]
    assert shades == pytest.approx([0, 40, 80], abs=3)


def test_no_frames_no_files(tmp_path):
    with FilmRecorder(tmp_path / "video.mp4", tmp_path / "proxy.mp4") as recorder:
        recorder.close()
        recorder.close()
    assert list(tmp_path.iterdir()) == []


def test_an_unwritable_place_is_a_store_error(tmp_path):
    with (
        FilmRecorder(tmp_path / "missing" / "video.mp4", tmp_path / "proxy.mp4") as recorder,
        pytest.raises(StoreError, match="creating the film"),
    ):
        recorder.add(0.0, plain(1))


def test_a_full_disk_is_a_store_error(tmp_path):
    full = tmp_path / "video.mp4"
    full.symlink_to("/dev/full")
    recorder = FilmRecorder(full, tmp_path / "proxy.mp4")
    with pytest.raises(StoreError, match=r"film .*No space left"):
        recorder.add(0.0, plain(1))


KILLED = """
import sys, os, numpy as np
from pathlib import Path
from playsuite.media.record import FilmRecorder
recorder = FilmRecorder(Path(sys.argv[1]), Path(sys.argv[2]))
for i in range(51):
    recorder.add(i / 5, np.full((120, 160, 3), i, np.uint8))
print("filmed", flush=True)
sys.stdin.read()
"""


def test_a_killed_process_leaves_all_but_the_last_second(tmp_path):
    video, proxy = tmp_path / "video.mp4", tmp_path / "proxy.mp4"
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, video, proxy], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"filmed\n"
        os.kill(child.pid, signal.SIGKILL)
    assert times(video)[-1] >= 8.8
    assert times(proxy)[-1] >= 8
