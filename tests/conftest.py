"""Rules for every test: no network but loopback, no settings of the person who runs them, repeatable examples."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "default", max_examples=200, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "soak", max_examples=2000, deadline=None, derandomize=False, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("default")

REPOSITORY = Path(__file__).parent.parent
KEPT = ("PATH", "PYTHON", "COV", "OPENBLAS", "OMP", "LANG", "LC_", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP", "CI")


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    for name in list(os.environ):
        if not name.startswith(KEPT):
            monkeypatch.delenv(name)
    home = str(tmp_path_factory.mktemp("home"))
    monkeypatch.setenv("HOME", home)
    monkeypatch.setenv("USERPROFILE", home)


@pytest.fixture(autouse=True)
def only_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in ("127.0.0.1", "::1", "localhost"):
            raise AssertionError(f"a test wanted to reach {address}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture
def orbit() -> Path:
    """The sample corpus."""
    return REPOSITORY / "examples" / "orbit"


@pytest.fixture
def shared() -> Path:
    """Real data and cases beside the repository; the test is skipped where they are missing."""
    folder = REPOSITORY.parent / "shared"
    if not folder.is_dir():
        pytest.skip("the folder shared/ beside the repository is missing")
    return folder
