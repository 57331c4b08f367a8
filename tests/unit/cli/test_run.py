import pytest

from playsuite.cli.asked import Here
from playsuite.cli.run import run
from playsuite.core.errors import ConfigError


def test_a_run_without_workers_is_refused_before_anything_is_looked_up():
    with pytest.raises(ConfigError, match="--workers 0: at least one"):
        run(here=Here(workers=0))
