import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import msgspec

from playsuite.core.claims import Claim, Holder, holder_of, take
from playsuite.core.wait import until

ELSEWHERE = Holder("elsewhere", "another machine", 1, "1")


def test_one_of_many_contenders_gets_a_claim(tmp_path):
    holder = Holder.here()
    with ThreadPoolExecutor(16) as pool:
        for key in "abcdefghijklmnopqrst":
            claims = list(pool.map(take, [tmp_path] * 16, [key] * 16, [holder] * 16))
            assert sum(claim is not None for claim in claims) == 1
            for claim in filter(None, claims):
                claim.release()


def test_a_released_claim_can_be_taken_again(tmp_path):
    holder = Holder.here()
    with take(tmp_path, "key", holder) as claim:
        assert claim.held
        assert take(tmp_path, "key", holder) is None
        assert holder_of(tmp_path, "key") == holder
    assert holder_of(tmp_path, "key") is None
    assert take(tmp_path, "key", holder) is not None


def test_the_claim_of_a_killed_process_is_free_at_once(tmp_path):
    code = f"""
from pathlib import Path
from playsuite.core.claims import Holder, take
claim = take(Path({str(tmp_path)!r}), "key", Holder.here())
print("taken", flush=True)
input()
"""
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stdin=subprocess.PIPE)
    try:
        assert child.stdout.readline() == b"taken\n"
        assert take(tmp_path, "key", Holder.here()) is None
        os.kill(child.pid, signal.SIGKILL)
        until(lambda: holder_of(tmp_path, "key") is None, timeout=10, waiting_for="the process to be gone")
        assert take(tmp_path, "key", Holder.here()) is not None
    finally:
        child.kill()
        child.communicate()


def test_a_claim_of_another_machine_ends_only_when_its_heartbeat_does(tmp_path):
    claim = take(tmp_path, "key", ELSEWHERE)
    assert take(tmp_path, "key", Holder.here(), stale_s=5) is None
    os.utime(tmp_path / "key.a1", (1, tmp_path.stat().st_mtime - 60))
    assert claim.held
    assert take(tmp_path, "key", Holder.here(), stale_s=5) is not None
    assert not claim.held


def test_a_heartbeat_keeps_a_claim_fresh(tmp_path):
    path = tmp_path / "key.a1"
    path.write_bytes(msgspec.json.encode(ELSEWHERE))
    os.utime(path, (1, 1))
    with Claim(path, heartbeat_s=0.01):
        until(lambda: path.stat().st_mtime > 1, timeout=10, waiting_for="a heartbeat")
        assert take(tmp_path, "key", Holder.here(), stale_s=5) is None


def test_a_claim_whose_holder_is_not_yet_written_is_respected(tmp_path):
    (tmp_path / "key.a1").touch()
    assert take(tmp_path, "key", Holder.here()) is None


def test_a_process_id_used_again_is_not_the_holder(tmp_path):
    other = msgspec.structs.replace(Holder.here(), born="1")
    (tmp_path / "key.a1").write_bytes(msgspec.json.encode(other))
    assert take(tmp_path, "key", Holder.here()) is not None
