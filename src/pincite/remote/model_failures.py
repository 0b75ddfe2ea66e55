"""What went wrong with a language model, in words, and whether another try may help."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic_ai import exceptions

from pincite.errors import PinciteError, RemoteError
from pincite.remote import messages
from pincite.remote.client import TRANSIENT
from pincite.remote.providers import Place

NO_SUCH_PATH = frozenset({404, 405, 501})
KEY_CURE = "Check the key in the environment and the option `api_key_variable`."


@dataclass(frozen=True, slots=True)
class Failure:
    """A try that failed; ``wait_s`` is what the server asked for, ``status`` its answer's, 0 without one."""

    error: PinciteError
    again: bool
    wait_s: float | None = None
    status: int = 0
    cause: BaseException | None = None


def is_no_such_path(failure: Failure) -> bool:
    """Whether the server has no such API; also true where it has no such model."""
    return failure.status in NO_SUCH_PATH


def failure_of(error: Exception, place: Place, *, timeout_s: float) -> Failure:
    """The failure that an exception of the library stands for. No message shows a key."""
    problem, kind, cure, again = _known(error, timeout_s)
    status = error.status_code if isinstance(error, exceptions.ModelHTTPError) else 0
    wait_s = error.retry_after if isinstance(error, exceptions.ModelAPIError) else None
    if isinstance(error, PinciteError):
        return Failure(error, again=False)
    return Failure(
        RemoteError(f"the server {place.host} {problem}", cure=cure, kind=kind), again, wait_s, status, error
    )


def _known(error: Exception, timeout_s: float) -> tuple[str, str, str, bool]:
    """The problem, its kind, the cure, and whether to try again."""
    if isinstance(error, (TimeoutError, exceptions.ModelTimeoutError, exceptions.ModelRequestTimeout)):
        return f"did not answer in {timeout_s:g} seconds", "timeout", "Try again, or raise `timeout_s`.", True
    if isinstance(error, exceptions.ModelConnectionError):
        if error.phase == "read":
            return "broke off its answer", "unreachable", "Try again.", True
        return f"cannot be asked ({_reason(error)})", "unreachable", "Check the network and the base URL.", True
    if isinstance(error, exceptions.ModelContextWindowExceededError):
        return f"cannot read so much: {_said(error)}", "too_long", "Lower `budget_tokens`.", False
    if isinstance(error, exceptions.ModelQuotaExceededError):
        return f"gives nothing more: {_said(error)}", "refused", "Look at the account's limits and bills.", False
    if isinstance(error, exceptions.ModelAPIError):
        return _refusal(error)
    if isinstance(error, exceptions.UserError):
        return f"cannot be asked: {shown(str(error))}", "denied", KEY_CURE, False
    problem = f"answered what cannot be read ({shown(str(error)) or type(error).__name__})"
    cure = "Check the model and the base URL: it may not be a server with this API."
    return problem, "answer", cure, False


def _refusal(error: exceptions.ModelAPIError) -> tuple[str, str, str, bool]:
    status = error.status_code if isinstance(error, exceptions.ModelHTTPError) else 0
    problem = f"answered {status}: {_said(error)}" if status else f"failed: {_said(error)}"
    if isinstance(error, exceptions.ModelAuthenticationError) or status in (401, 403):
        return problem, "denied", KEY_CURE, False
    transient = (exceptions.ModelRateLimitError, exceptions.ModelUnavailableError, exceptions.ModelServerError)
    if isinstance(error, transient) or status in TRANSIENT:
        return problem, "overloaded", "Try again later.", True
    if isinstance(error, exceptions.ModelNotFoundError):
        return problem, "refused", "Check the model and the base URL.", False
    return problem, "refused", "Check the model and its options against the server's documentation.", False


def _said(error: exceptions.ModelAPIError) -> str:
    body = error.body
    if isinstance(body, dict):
        inner = body.get("error", body)
        inner = inner if isinstance(inner, dict) else body
        for name in ("message", "error", "detail"):
            if isinstance(inner.get(name), str):
                return shown(inner[name])
    return shown(str(body)) if body else shown(error.message) or type(error).__name__


def _reason(error: exceptions.ModelAPIError) -> str:
    """The innermost cause says what happened: "Connection refused", not "Connection error"."""
    cause: BaseException = error
    while cause.__cause__ is not None:
        cause = cause.__cause__
    return shown(str(cause)) or type(cause).__name__


def shown(text: str) -> str:
    """What a server says, for one line of a message."""
    return messages.shown(text, messages.keys_in_environment())


def redacted(text: str) -> str:
    """The answer of a model without the keys that are in the environment: a server may echo them. Short ones stay, as
    those of servers on this machine are often words of an answer (``none``, ``local``)."""
    long = (key for key in messages.keys_in_environment() if len(key) >= messages.SHORTEST_ANYWHERE)
    return messages.without_keys(text, long)
