"""Where a model server is and how patiently it is asked."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from pincite.errors import UsageError

OPENAI_URL = "https://api.openai.com/v1"
OPENAI_KEY_VARIABLE = "OPENAI_API_KEY"

_KEY_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*_API_KEY")
_SENDABLE = re.compile(r"[!-~]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """One server with an HTTP API that takes and gives JSON.

    ``base_url`` is what stands before the path of a request. ``api_key_variable`` names the environment variable that
    holds the key; empty means ``OPENAI_API_KEY`` for OpenAI itself and no key for any other server, so that a
    configuration by somebody else cannot have a key sent to an address of theirs unnoticed. Only variables that end
    in ``_API_KEY`` are read. The key itself is no option, so that it is never stored, shown or part of a fingerprint.

    One try may take ``timeout_s``; there are ``attempts`` of them, with waits that double from ``first_wait_s`` up to
    ``longest_wait_s``. ``requests_per_minute`` and ``tokens_per_minute`` hold requests back.
    """

    base_url: str = OPENAI_URL
    api_key_variable: str = ""
    timeout_s: float = 60.0
    attempts: int = 6
    first_wait_s: float = 0.5
    longest_wait_s: float = 60.0
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None

    def __post_init__(self) -> None:
        check_url(self.base_url)
        if self.api_key_variable and not _KEY_VARIABLE.fullmatch(self.api_key_variable):
            raise ValueError(
                f"api_key_variable is the name of an environment variable that ends in _API_KEY, "
                f"got a text of {len(self.api_key_variable)} characters"  # which may be the key, put in the wrong place
            )
        if self.attempts < 1:
            raise ValueError(f"attempts is at least 1, got {self.attempts}")
        for name in ("timeout_s", "first_wait_s", "longest_wait_s"):
            if not 0 < getattr(self, name) <= 86_400:
                raise ValueError(f"{name} lies above 0 and at most at a day, got {getattr(self, name)}")
        for name in ("requests_per_minute", "tokens_per_minute"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"{name} is at least 1, got {value}")

    @property
    def host(self) -> str:
        """The part of the address that messages show.

        >>> Server(base_url="http://127.0.0.1:8080/v1").host
        '127.0.0.1:8080'
        """
        return urlsplit(self.base_url).netloc

    @property
    def is_here(self) -> bool:
        """Whether it runs on this machine: what is sent to it goes through no proxy that the environment names.

        >>> [Server(base_url=f"http://{host}/v1").is_here for host in ("localhost:1", "[::1]", "example.org")]
        [True, True, False]
        """
        host = urlsplit(self.base_url).hostname or ""
        try:
            return host == "localhost" or ip_address(host).is_loopback
        except ValueError:
            return False

    def key(self) -> str:
        """The key from the environment, empty where none is to be sent. Raises ``UsageError`` where it is missing."""
        variable = self.api_key_variable
        if not variable:
            if self.base_url.rstrip("/") != OPENAI_URL:
                return ""
            variable = OPENAI_KEY_VARIABLE
        key = os.environ.get(variable, "").strip()
        if not key:
            raise UsageError(
                f"{self.host} wants a key, and the environment variable {variable} is not set",
                cure=f"Set {variable}, or name a file that has it: pincite --env-file FILE …",
                kind="missing_key",
            )
        if not _SENDABLE.fullmatch(key):
            raise UsageError(
                f"the key in the environment variable {variable} has blanks or signs that no key has",
                cure="Set it again, without anything around it.",
                kind="missing_key",
            )
        return key


def check_url(url: str) -> None:
    """Raises ``ValueError`` for anything but a plain HTTP address; it never shows one that has a password in it."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise ValueError(f"base_url is no address: {error}") from error
    if parts.username is not None or parts.password is not None:
        raise ValueError("base_url has a name or password in it; keys come from the environment")
    if parts.scheme not in ("http", "https") or not parts.hostname or port == 0:
        raise ValueError(f"base_url is an address such as http://localhost:8080/v1, got {url!r}")
    if parts.query or parts.fragment:
        raise ValueError("base_url has no query and no fragment")
