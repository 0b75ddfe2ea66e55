"""Answers that a language model writes from passages, every statement of it checked by code."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from pincite.answer.context import build_context
from pincite.answer.orders import without_orders
from pincite.answer.policy import POLICIES, Policy, settle
from pincite.answer.prompt import SCHEMA, Output, instructions, prompt_text, read_output, statements_so_far
from pincite.answer.proofs import Checker
from pincite.answer.refusal import TEXTS, nothing
from pincite.errors import RemoteError, UsageError
from pincite.model import Answer, Context, Exchange, Notice, Principal, Ranking, Statement, Trace
from pincite.ports import Listener, Scorer, Snapshot
from pincite.remote.language_model import DEFAULT_MODEL, LanguageModel, Prompt, Reply
from pincite.text.reply_language import reply_language_of

MISSING = {
    "en": "What is missing, in the words of the model: {missing}.",
    "de": "Was fehlt, in den Worten des Modells: {missing}.",
}
NOTHING_SUPPORTED = {
    "en": "The model gave an answer, but the passages do not support any statement of it.",
    "de": "Das Modell gab eine Antwort, aber die gefundenen Stellen stützen keine ihrer Aussagen.",
}
MOST_NEAREST = 2
LEAST_BUDGET = 200
"""A context is halved for a model that cannot read so much, but not below so many tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAnswerer:
    """Has a language model answer from the passages that fit ``budget_tokens`` (by ``counter``), and checks each
    statement: its quotes have to stand in those passages, and have to say it.

    ``policy`` says what becomes of statements that are unsupported or whose quote was not found: ``drop``, ``mark``, or
    ``retry`` (the model is asked once more, with the verdicts, and what is still bad is dropped). ``orders`` says
    whether text that speaks to a language model is left out of what it reads. ``language`` is the tag of the language
    to answer in, by default the question's. The other options are those of ``remote.language_model.LanguageModel``.
    """

    model: str = DEFAULT_MODEL
    base_url: str = ""
    api_key_variable: str = ""
    api: Literal["", "responses", "chat"] = ""
    budget_tokens: int = 6000
    counter: str = "o200k_base"
    policy: Policy = "drop"
    orders: Literal["leave-out", "keep"] = "leave-out"
    language: str = ""
    timeout_s: float = 120.0
    attempts: int = 4
    first_wait_s: float = 0.5
    longest_wait_s: float = 60.0
    max_output_tokens: int = 2000
    temperature: float = 0.0
    input_price: float | None = None
    output_price: float | None = None
    scorer: Scorer | None = None
    listener: Listener | None = None
    name: str = "model"
    language_model: LanguageModel = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.budget_tokens < 1:
            raise ValueError(f"budget_tokens is at least 1, got {self.budget_tokens}")
        if self.policy not in POLICIES:
            raise ValueError(f"no policy {self.policy!r}; there are: {', '.join(POLICIES)}")
        model = LanguageModel(
            model=self.model,
            base_url=self.base_url,
            api_key_variable=self.api_key_variable,
            api=self.api,
            timeout_s=self.timeout_s,
            attempts=self.attempts,
            first_wait_s=self.first_wait_s,
            longest_wait_s=self.longest_wait_s,
            max_output_tokens=self.max_output_tokens,
            temperature=self.temperature,
            input_price=self.input_price,
            output_price=self.output_price,
        )
        object.__setattr__(self, "language_model", model)

    def answer(self, question: str, ranking: Ranking, snapshot: Snapshot, *, principal: Principal) -> Answer:
        """The answer with its trace. Raises ``UsageError`` for a blank question and ``RemoteError``, whose
        ``finished`` has the ``trace`` so far, where the model gives no answer that can be read."""
        if not question.strip():
            raise UsageError("the question is empty", cure="Ask for at least one word.")
        asking = _Asking(self, question, ranking, snapshot, principal)
        try:
            return asking.answer()
        except RemoteError as error:
            error.finished["trace"] = asking.trace()
            raise


@dataclass(slots=True)
class _Asking:
    """One question on its way."""

    answerer: ModelAnswerer
    question: str
    ranking: Ranking
    snapshot: Snapshot
    principal: Principal
    context: Context | None = None
    exchanges: list[Exchange] = field(default_factory=list)
    heard: set[str] = field(default_factory=set)
    started: float = field(default_factory=time.monotonic)

    def answer(self) -> Answer:
        budget = self.answerer.budget_tokens
        too_long: RemoteError | None = None
        while True:
            self.context = self._build(budget)
            if not self.context.passages:
                if too_long:
                    raise too_long
                self._check_budget(self.context)
                return replace(nothing(self.question), warnings=_left_out(self.context), trace=self.trace())
            checker = Checker.of(self.context, self.snapshot, principal=self.principal, scorer=self.answerer.scorer)
            try:
                return self._from_model(self.context, checker)
            except RemoteError as error:
                too_long = error
                budget //= 2
                if error.kind != "too_long" or budget < LEAST_BUDGET:
                    raise

    def _check_budget(self, context: Context) -> None:
        """That nothing fits is not that the documents say nothing."""
        if context.cut and all(cut.reason == "budget" for cut in context.cut):
            raise UsageError(
                f"no passage fits into budget_tokens = {context.budget}", cure="Raise it; the default is 6000."
            )

    def trace(self) -> Trace:
        return Trace(
            answerer=self.answerer.name,
            ranking=self.ranking,
            context=self.context,
            exchanges=tuple(self.exchanges),
            seconds=time.monotonic() - self.started,
        )

    def _build(self, budget: int) -> Context:
        context = build_context(
            self.question,
            self.ranking,
            self.snapshot,
            principal=self.principal,
            budget=budget,
            counter=self.answerer.counter,
        )
        return without_orders(context) if self.answerer.orders == "leave-out" else context

    def _from_model(self, context: Context, checker: Checker) -> Answer:
        output, statements = self._ask(context, checker)
        if self.answerer.policy == "retry" and not all(statement.supported for statement in statements):
            again, mended = self._ask(context, checker, judged=statements)
            if sum(each.supported for each in mended) >= sum(each.supported for each in statements):
                output, statements = again, mended
        kept, notices = settle(statements, self.answerer.policy)
        warnings = (*_left_out(context), *notices)
        if kept:
            return Answer(question=self.question, statements=kept, warnings=warnings, trace=self.trace())
        return self._refusal(output, checker, warnings, unsupported=bool(statements))

    def _refusal(self, output: Output, checker: Checker, warnings: tuple[Notice, ...], *, unsupported: bool) -> Answer:
        """What the model misses is its word, not checked, and said to be so; what is nearest is the first of what it
        read."""
        language = reply_language_of(self.question)
        texts = TEXTS.get(language, TEXTS["en"])
        told = [texts["insufficient"]]
        if unsupported:
            told = [NOTHING_SUPPORTED.get(language, NOTHING_SUPPORTED["en"])]
        elif output.missing:
            told.append(MISSING.get(language, MISSING["en"]).format(missing=output.missing))
        nearest = checker.first_sentences(MOST_NEAREST)
        if nearest:
            documents = ", ".join(dict.fromkeys(citation.document_id for citation in nearest))
            told.append(texts["nearest"].format(documents=documents))
        return Answer(
            question=self.question,
            reason=" ".join(told),
            kind="insufficient",
            nearest=nearest,
            warnings=warnings,
            trace=self.trace(),
        )

    def _ask(
        self, context: Context, checker: Checker, *, judged: Sequence[Statement] = ()
    ) -> tuple[Output, tuple[Statement, ...]]:
        """One answer that can be read, and its statements judged. A model that writes something else is told so once.
        Raises ``RemoteError`` where it does so again."""
        wrong = ""
        for last in (False, True):
            prompt = self._prompt(context, judged, wrong)
            reply = self.answerer.language_model.ask(
                prompt, on_text=lambda text: self._listen(text, checker), wanted=self._is_wanted
            )
            try:
                output = read_output(reply.text)
            except ValueError as error:
                wrong = str(error) if reply.complete else f"it is longer than {self.answerer.max_output_tokens} tokens"
                self.exchanges.append(_exchange(prompt, reply, problem=wrong))
                if last:
                    break
                continue
            statements = tuple(checker.check(said) for said in output.statements)
            self.exchanges.append(_exchange(prompt, reply, statements=statements))
            self._tell(statements)
            return output, statements
        raise RemoteError(
            f"the model {self.answerer.model} gave no answer that can be read: {wrong}",
            cure="Try again, or take another model.",
            kind="answer",
        )

    def _prompt(self, context: Context, judged: Sequence[Statement], wrong: str) -> Prompt:
        nonce = context.nonce
        return Prompt(
            instructions=instructions(nonce, language=self.answerer.language or reply_language_of(self.question)),
            text=prompt_text(context, self.question, nonce=nonce, judged=judged, wrong=wrong),
            schema=SCHEMA,
        )

    def _is_wanted(self) -> bool:
        return self.answerer.listener is None or self.answerer.listener.wants_more()

    def _listen(self, text: str, checker: Checker) -> None:
        if self.answerer.listener is not None and text.endswith(("}", "]", "\n", ",", " ")):
            new = [said for said in statements_so_far(text) if said.text not in self.heard]
            self._tell([checker.check(said) for said in new])

    def _tell(self, statements: Sequence[Statement]) -> None:
        """Each text once: what will be dropped is not told."""
        for statement in statements:
            if self.answerer.listener is None or statement.text in self.heard:
                continue
            self.heard.add(statement.text)
            if statement.supported or self.answerer.policy == "mark":
                self.answerer.listener.hear(statement)


def _exchange(prompt: Prompt, reply: Reply, *, statements: tuple[Statement, ...] = (), problem: str = "") -> Exchange:
    return Exchange(
        model=reply.model,
        api=reply.api,
        instructions=prompt.instructions,
        prompt=prompt.text,
        output=reply.text,
        statements=statements,
        problem=problem,
        input_tokens=reply.input_tokens,
        output_tokens=reply.output_tokens,
        estimated=reply.estimated,
        cost=reply.cost,
        attempts=reply.attempts,
        seconds=reply.seconds,
    )


def _left_out(context: Context) -> tuple[Notice, ...]:
    """A notice for each document of which the model was not shown what speaks to it."""
    documents = dict.fromkeys(cut.document_id for cut in context.cut if cut.reason == "order")
    message = "text that no reader sees, or that gives orders to a language model, was not shown to the model"
    return tuple(Notice(kind="orders", message=message, file=name) for name in documents)
