"""``fake-llm``: a model server for tests and for trying things out, on the loopback interface only."""

from __future__ import annotations

from pincite.cli import output
from pincite.errors import UsageError
from pincite.testing.fake_llm import MODES, WHAT_MODES_DO, Behaviour, FakeServer

MOST_PORTS = 65_535


def serve(
    *, port: int, mode: str, wait_s: float, refusals: int, retry_after_s: float, responses: bool, as_json: bool
) -> int:
    """Prints the base URL and serves until Ctrl-C."""
    if mode not in MODES:
        told = "; ".join(f"{name} ({WHAT_MODES_DO[name]})" for name in MODES)
        raise UsageError(f"no mode {mode!r}", cure=f"There are: {told}.")
    if not 0 <= port <= MOST_PORTS or wait_s < 0 or refusals < 0 or retry_after_s < 0:
        raise UsageError("a figure is out of its range", cure="A port is 0 to 65535, the others are not negative.")
    behaviour = Behaviour(
        mode=mode,
        wait_s=wait_s,
        refusals=refusals,
        retry_after_s=retry_after_s,
        responses=responses,
    )
    try:
        server = FakeServer(behaviour, port=port)
    except OSError as error:
        raise UsageError(f"port {port} cannot be had ({error.strerror})", cure="Take another --port, or 0.") from error
    if as_json:
        models = ["fake", *(f"fake-{name}" for name in MODES)]
        output.write_json({"base_url": server.base_url, "mode": mode, "models": models})
    else:
        output.write(server.base_url)
        output.say(f"mode {mode}: {WHAT_MODES_DO[behaviour.mode]}; stop with Ctrl-C")
        output.say(f'ask it with: pincite ask "…" --base-url {server.base_url} --model fake')
    output.flush()
    try:
        server.serve_forever(poll_interval=0.1)
    except KeyboardInterrupt:
        pass
    finally:
        server.model.closing.set()
        server.server_close()
    return 0
