import pytest

from playsuite.catalog.environments import ensure_environment
from playsuite.core.home import Home

PYGAMES = {"pygame-ce": ("pygame-ce==2.5.8", "numpy==1.26.4"), "pygame": ("pygame==2.6.1", "numpy==1.26.4")}


@pytest.fixture(scope="session", params=sorted(PYGAMES))
def each_python(request, games_home):
    """The interpreter of a game environment, once with each of the two packages called pygame."""
    return ensure_environment(Home(games_home), PYGAMES[request.param])


@pytest.fixture(scope="session")
def python(games_home):
    """The interpreter of a game environment with pygame-ce."""
    return ensure_environment(Home(games_home), PYGAMES["pygame-ce"])
