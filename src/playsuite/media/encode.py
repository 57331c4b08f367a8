"""One H.264 file in which every frame carries its own time, so pauses vanish and repeats cost nothing."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from playsuite.core.errors import StoreError, boundary

if TYPE_CHECKING:
    from pathlib import Path

    from av import Packet, VideoFrame, VideoStream

    from playsuite.media.picture import Size

MILLISECOND = Fraction(1, 1000)
# A fragment ends at each keyframe and is written at once, so a killed process loses at most the last second.
CONTAINER = {"movflags": "+frag_keyframe+empty_moov+default_base_moof", "flush_packets": "1"}
# ultrafast: 4 ms a 720p frame instead of 9 (veryfast); zerolatency: a packet leaves as soon as its frame came in.
CODEC = {"preset": "ultrafast", "tune": "zerolatency", "crf": "23", "g": "100000", "scenecut": "0", "forced-idr": "1"}


class H264File:
    """A fragmented mp4 being written: `write` frames in order of time, then `close` at the time the film ends."""

    def __init__(self, path: Path, *, size: Size, fps: float) -> None:
        """Create the file; width and height must be even.

        Raises:
            StoreError: it cannot be written.
        """
        import av

        self.path = path
        self._last = -1
        self._waiting: Packet[VideoStream] | None = None
        with boundary(StoreError, f"creating the film {path}"):
            self._container = av.open(str(path), "w", format="mp4", options=CONTAINER)
            self._stream = self._container.add_stream(
                "libx264", rate=Fraction(fps).limit_denominator(1000), options=CODEC
            )
            self._stream.width, self._stream.height = size
            self._stream.pix_fmt = "yuv420p"
            self._stream.codec_context.thread_count = 1
            self._stream.codec_context.time_base = MILLISECOND
            self._container.start_encoding()

    def write(self, milliseconds: int, picture: VideoFrame, *, keyframe: bool) -> None:
        """Encode one picture, shown from `milliseconds` on.

        Raises:
            StoreError: the disk is full, or the file cannot be written for another reason.
        """
        from av.video.frame import PictureType

        # Two frames of the same millisecond stay in order; the encoder refuses equal times.
        self._last = max(milliseconds, self._last + 1)
        picture = picture.reformat(format="yuv420p")
        picture.pts, picture.time_base = self._last, MILLISECOND
        picture.pict_type = PictureType.I if keyframe else PictureType.NONE
        with boundary(StoreError, f"writing the film {self.path}"):
            for packet in self._stream.encode(picture):
                self._queue(packet)

    def close(self, end_milliseconds: int) -> None:
        """Finish the file; its last frame is shown until `end_milliseconds`.

        Raises:
            StoreError: the rest cannot be written.
        """
        with boundary(StoreError, f"finishing the film {self.path}"):
            try:
                for packet in self._stream.encode(None):
                    self._queue(packet)
                self._flush(end_milliseconds)
            finally:
                self._container.close()

    def _queue(self, packet: Packet[VideoStream]) -> None:
        """Hold a packet back until the next one tells how long it is shown."""
        self._flush(_milliseconds(packet))
        self._waiting = packet

    def _flush(self, until_milliseconds: int) -> None:
        if self._waiting is None:
            return
        packet, self._waiting = self._waiting, None
        if packet.time_base is not None:
            shown = Fraction(max(until_milliseconds - _milliseconds(packet), 1), 1000)
            packet.duration = int(shown / packet.time_base)
        self._container.mux(packet)


def _milliseconds(packet: Packet[VideoStream]) -> int:
    return int((packet.pts or 0) * (packet.time_base or MILLISECOND) * 1000)
