"""``questions``: checks questions against the documents, drafts some, finds passages for one, reads those of others."""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.cli import output
from pincite.cli.collections import open_collection, principal_of
from pincite.cli.comparing import folder_of, questions_among, questions_of, told
from pincite.cli.listing import counted
from pincite.config import FILE_NAME, read_settings
from pincite.engine.evaluation.corpus import Corpus, read_corpus
from pincite.engine.finding import Options
from pincite.errors import CheckFailedError, NothingFoundError, RemoteError, UsageError
from pincite.evaluate.questions import read_questions, written
from pincite.model import Document, Hit, Judgement, Question

if TYPE_CHECKING:
    from pincite.evaluate.drafting import Draft

CONTEXT = 32


def validate(paths: Sequence[Path], questions: Path | None, *, as_json: bool) -> int:
    """Raises ``CheckFailedError`` where a quote is lost or a document is missing."""
    from pincite.evaluate.judging import coverage, findings

    asked = read_questions(questions or questions_of(paths))
    corpus = _corpus(paths, questions, as_json=as_json)
    found = list(findings(asked, corpus.documents))
    share = coverage(asked, corpus.documents)
    answerless = sum(not question.relevant for question in asked)
    if as_json:
        output.write_json(
            {
                "questions": len(asked),
                "unanswerable": answerless,
                "coverage": share,
                "findings": [finding.to_json() for finding in found],
                "warnings": [notice.to_json() for notice in (*corpus.failed, *corpus.warnings)],
            }
        )
    else:
        for finding in found:
            where = f" ({finding.document_id})" if finding.document_id else ""
            mark = "error" if finding.is_error else "warning"
            output.write(output.safe(f"{mark}: {finding.question_id}{where}: {finding.message}"))
        kinds = Counter(finding.kind for finding in found)
        several = ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items())) or "nothing to mend"
        about = f"{counted(len(asked), 'question')}, {answerless} of them without an answer"
        output.write(f"{about}; they ask about {share:.0%} of {counted(len(corpus.documents), 'document')}: {several}")
    wrong = [finding for finding in found if finding.is_error]
    if wrong:
        named = f"{counted(len(wrong), 'quote')} of {wrong[0].question_id}" + (" and others" if len(wrong) > 1 else "")
        raise CheckFailedError(f"{named} cannot be found", cure="Mend or remove them.")
    return 3 if corpus.failed else 0


def draft(
    paths: Sequence[Path],
    *,
    count: int,
    most_overlap: float,
    out: Path | None,
    as_json: bool,
    model: str | None = None,
    base_url: str | None = None,
) -> int:
    from pincite.evaluate.drafting import drafts

    if count < 1:
        raise UsageError(f"{count} drafts were asked for", cure="Ask for at least one.")
    if not 0 <= most_overlap <= 1:
        raise UsageError(f"--max-overlap is {most_overlap}", cure="It is a share from 0 to 1.")
    corpus = _corpus(paths, None, as_json=as_json)
    by_model = model is not None or base_url is not None
    if by_model:
        try:
            found = _drafts_by_model(corpus, model, base_url, count=count, most_overlap=most_overlap, as_json=as_json)
        except RemoteError as error:  # what came before it has been paid for
            drafted = error.finished.get("drafted")
            if drafted and drafted.drafts:
                _put([each.question for each in drafted.drafts], out)
                output.say(f"{counted(len(drafted.drafts), 'draft')} before the model failed")
            raise
    else:
        found = drafts(corpus.documents.values(), count=count, most_overlap=most_overlap)
    if not found:
        raise NothingFoundError(
            "nothing in these documents makes a question", cure="Write some by hand, or allow more --max-overlap."
        )
    _put([each.question for each in found], out)
    kinds = Counter(each.kind for each in found)
    output.say(f"{counted(len(found), 'draft')}: " + ", ".join(f"{number} {kind}" for kind, number in kinds.items()))
    output.say(f"Read them before you use them: they are made by {'a model' if by_model else 'rules'}.")
    return 3 if corpus.failed else 0


def _drafts_by_model(
    corpus: Corpus, model: str | None, base_url: str | None, *, count: int, most_overlap: float, as_json: bool
) -> list[Draft]:
    from pincite.engine.answerers import language_model_called
    from pincite.engine.evaluation.drafted_by_model import drafts_by_model

    asked = language_model_called(model, base_url=base_url)
    with output.progress_on_stderr(quiet=as_json) as progress:
        drafted = drafts_by_model(
            corpus.documents.values(), asked, count=count, most_overlap=most_overlap, progress=progress
        )
    for reason, number in sorted(drafted.left_out.items()):
        output.say(f"left out: {counted(number, 'draft')}, {reason}")
    cost = "" if drafted.cost is None else f", {drafted.cost:.4f} US dollars"
    output.say(f"{drafted.input_tokens} tokens in, {drafted.output_tokens} out{cost}")
    return drafted.drafts


def take_over(file: Path, paths: Sequence[Path], *, tool: str, out: Path | None, as_json: bool) -> int:
    from pincite.evaluate.formats import imported

    corpus = _corpus(paths, None, as_json=as_json)
    found = imported(file, corpus.documents, format=tool)
    _put(found, out)
    output.say(f"{counted(len(found), 'question')} of {tool}")
    return 3 if corpus.failed else 0


def find(
    question: str,
    *,
    k: int,
    accept: str | None,
    groups: Sequence[str] | None,
    questions: Path | None,
    directory: Path | None,
    as_json: bool,
) -> int:
    """Proposes passages; those that are accepted become a question in the file. Raises ``NothingFoundError``."""
    with open_collection(directory) as collection:
        principal = principal_of(groups)
        ranking = collection.find(question, Options(k=k), principal=principal)
        if not ranking.hits:
            raise NothingFoundError("no passage was found", cure="Ask in other words.")
        for hit in ranking.hits:
            _propose(hit, as_json=as_json)
        chosen = _chosen(accept, len(ranking.hits))
        if not chosen:
            return 0
        hits = [ranking.hits[number - 1] for number in chosen]
        documents = {
            name: collection.document(name, principal=principal)
            for name in dict.fromkeys(hit.chunk.document_id for hit in hits)
        }
    made = Question(
        id=f"q-{hashlib.sha256(question.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}",
        question=question,
        relevant=tuple(_judgement(hit, documents[hit.chunk.document_id]) for hit in hits),
        groups=tuple(groups or ()),
    )
    file = questions or Path("questions.jsonl")
    _append(made, file)
    output.say(f"{output.safe(made.id)} with {counted(len(hits), 'passage')} was written to {output.safe(str(file))}")
    return 0


def _propose(hit: Hit, *, as_json: bool) -> None:
    if as_json:
        output.write_json(hit.to_json())
        return
    output.write(f"{hit.rank}. {output.safe(hit.chunk.document_id)}   score {hit.score:.3f}")
    for line in hit.chunk.text.splitlines():
        if line.strip():
            output.write(f"   | {output.first_line(line, output.terminal_width() - 6)}")


def _chosen(accept: str | None, most: int) -> list[int]:
    """The numbers of the passages to take; asked for where a person sits at the terminal."""
    if accept is None:
        if not sys.stdin.isatty():
            return []
        output.say("Which of them answer the question? Numbers with commas, nothing for none:")
        accept = sys.stdin.readline()
    numbers = []
    for each in accept.replace(",", " ").split():
        if not each.isdigit() or not 1 <= int(each) <= most:
            raise UsageError(f"{each!r} is no number of a passage", cure=f"There are 1 to {most}.")
        numbers.append(int(each))
    return list(dict.fromkeys(numbers))


def _judgement(hit: Hit, document: Document) -> Judgement:
    span = hit.chunk.span
    return Judgement(
        document_id=document.id,
        text=hit.chunk.text,
        start=span.start,
        end=span.end,
        before=document.text[max(0, span.start - CONTEXT) : span.start],
        after=document.text[span.end : span.end + CONTEXT],
    )


def _append(question: Question, file: Path) -> None:
    known = read_questions(file) if file.is_file() and file.stat().st_size else []
    if any(each.id == question.id for each in known):
        raise UsageError(f"the question {question.id} is in it already", cure="Remove it there first.", file=str(file))
    before = file.read_bytes() if file.is_file() else b""
    gap = b"" if not before or before.endswith(b"\n") else b"\n"
    output.write_file(file, before + gap + written([question]).encode("utf-8", "surrogatepass"))


def _put(questions: Iterable[Question], out: Path | None) -> None:
    """Into a file that is not there yet, or to stdout."""
    text = written(questions)
    if out is None:
        for line in text.splitlines():
            output.write(line)
        return
    if out.exists():
        raise UsageError("is there already", cure="Name another file for --out.", file=str(out))
    output.write_file(out, text.encode("utf-8", "surrogatepass"))


def _corpus(paths: Sequence[Path], questions: Path | None, *, as_json: bool) -> Corpus:
    home = folder_of(paths)
    with output.progress_on_stderr(quiet=as_json) as progress:
        excluded = questions_among(paths, questions)
        corpus = read_corpus(paths, read_settings(home / FILE_NAME), home, excluded=excluded, progress=progress)
    if not as_json:
        told(corpus, as_json=False)
    return corpus
