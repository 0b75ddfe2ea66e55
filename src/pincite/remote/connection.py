"""What a component keeps between its calls to a server."""

from __future__ import annotations

import threading

from pincite.remote.client import Client
from pincite.remote.server import Server
from pincite.remote.usage import Usage


class Connection:
    """The client, made when it is first needed (only then is a key wanted), and what was used."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.usage = Usage()
        self._client: Client | None = None
        self._lock = threading.Lock()

    def client(self) -> Client:
        with self._lock:
            if self._client is None:
                self._client = Client(self.server)
            return self._client
