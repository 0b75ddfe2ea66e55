"""Experiment 9: a question whose evidence lies in two documents, from the files to an answer with its sources.

--model NAME asks a language model (extra llm; gpt-4.1-mini needs OPENAI_API_KEY), --model fake one that is none.
"""

import argparse
from contextlib import nullcontext
from pathlib import Path

import pincite
from pincite.testing.fake_llm import fake_llm

ORBIT = Path(__file__).parent.parent / "orbit"
QUESTION = """The reader paused for 20 minutes. What are the lifetimes of the cursor and the Orbit 3 token, \
and is renewing the token enough to continue?"""
parser = argparse.ArgumentParser()
parser.add_argument("question", nargs="?", default=QUESTION)
parser.add_argument("--model", default="extractive")
parser.add_argument("--where", help="such as: version = '3.0'")
given = parser.parse_args()

with fake_llm() if given.model == "fake" else nullcontext() as server, pincite.Collection.in_memory(ORBIT) as orbit:
    added = orbit.add(ORBIT)
    asked = {"principal": pincite.Principal({"public"}), "where": given.where}
    model = {"answerer": given.model, "answerer_options": {"base_url": server.base_url} if server else {}}
    best = orbit.search(given.question, k=3, **asked)
    answer = orbit.ask(given.question, explain=True, **asked, **model)

print(f"Question: {given.question}\nIndexed: {len(added.added)} documents, {added.embedded} chunks\n\nThe best three:")
for hit in best.hits:
    print(f"  {hit.rank}. {hit.score:.3f}  {hit.chunk.document_id}  {' > '.join(hit.chunk.headings)}")
if answer.trace.context:
    print(f"\nWhat the model reads:\n\n{answer.trace.context.fenced()[:700]}…")
print(f"\nAnswer by {answer.trace.answerer}: {answer.reason or f'{len(answer.statements)} statements'}")
for statement in answer.statements:
    print(f"\n  {statement.text}\n    {statement.verdict}")
    for citation in statement.citations:
        print(f"    [{citation.document_id}, {citation.place}] {' > '.join(citation.headings)}")
        print(f"    {citation.match}: {citation.quote[:90]!r}")
