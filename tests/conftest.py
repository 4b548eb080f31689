"""What tests of several packages share."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def faulty() -> Path:
    """The folder of agents that misbehave."""
    return Path(__file__).parent / "faulty"
