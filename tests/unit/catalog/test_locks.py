"""A lock is held by one at a time, waited for with a deadline, and gone with its holder."""

import subprocess
import sys

import pytest

from playsuite.catalog.locks import exclusive
from playsuite.core.errors import StoreError
from playsuite.core.wait import WaitTimeoutError, until

HOLD = (
    "import fcntl, sys; f = open(sys.argv[1], 'ab'); fcntl.flock(f, fcntl.LOCK_EX); print('held', flush=True); input()"
)


def test_a_lock_waits_for_its_holder_and_is_free_when_that_dies(tmp_path):
    path = tmp_path / "lock"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(WaitTimeoutError, match="another process"), exclusive(path, seconds=0.05):
            pass
        holder.kill()
        until(lambda: holder.poll() is not None, timeout=5, waiting_for="the holder to die")
    with exclusive(path, seconds=1):
        assert path.exists()


def test_a_folder_that_cannot_be_made_is_one_clear_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="locking"), exclusive(tmp_path / "file" / "lock", seconds=1):
        pass
