"""Keys of a TOML file are changed, and nothing else."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.engine.evaluation.settings_file import with_data
from pincite.errors import UsageError

FILE = """\
# Settings of the sample.
[collection]
exclude = ["a#b", "c"]  # not these

[chunk] # how to cut
# the strategy
  strategy = "to#kens"   # why # really
max_tokens = 300
separators = [
  "[search]", # none
]
# the end of it

[[chunk.for]]
glob = "*.csv"
max_tokens = 9

[search]
k = 7"""


def changed(text: str, **sections: Any) -> str:
    data = tomllib.loads(text)
    return with_data(text, {**data, **sections}, file="pincite.toml")


class TestWithData:
    def test_values_are_changed_added_and_taken_out(self) -> None:
        rules = tomllib.loads(FILE)["chunk"]["for"]
        chunk = {"strategy": "structure", "max_tokens": 300, "overlap_tokens": 40, "for": rules}
        wanted = FILE.replace('"to#kens"', '"structure"')
        wanted = wanted.replace('separators = [\n  "[search]", # none\n]\n', "overlap_tokens = 40\n")
        assert changed(FILE, chunk=chunk) == wanted

    def test_without_a_last_end_of_line(self) -> None:
        assert changed(FILE, search={"k": 7, "mode": "dense"}) == FILE + '\nmode = "dense"\n'
        assert changed("[search]", search={"k": 7}) == "[search]\nk = 7\n"
        assert changed("k = 7\n[search]\nk = 7", search={"k": 8}) == "k = 7\n[search]\nk = 8"

    def test_a_section_that_is_not_there(self) -> None:
        assert changed("", chunk={"strategy": "tokens"}) == '[chunk]\nstrategy = "tokens"\n'
        assert changed("# only this", chunk={"a": 1}) == "# only this\n\n[chunk]\na = 1\n"
        rules = '[[chunk.for]]\nglob = "*.csv"\n'
        assert changed(rules, chunk={"a": 1, "for": [{"glob": "*.csv"}]}) == rules + "\n[chunk]\na = 1\n"

    def test_nothing_to_change(self) -> None:
        assert changed(FILE) == FILE

    def test_ends_of_lines_stay(self) -> None:
        text = FILE.replace("\n", "\r\n")
        found = changed(text, search={"k": 9, "mode": "dense"})
        assert found == text.replace("k = 7", "k = 9") + '\r\nmode = "dense"\r\n'

    @pytest.mark.parametrize("text", ["chunk = { a = 1 }", "chunk.a = 1", "[chunk.sub]\na = 1\n[other]\nb = 1"])
    def test_what_is_not_understood_is_left(self, text: str) -> None:
        with pytest.raises(UsageError, match=r"cannot be changed here.*Set by hand: \{\"chunk\": \{\"a\": 2\}\}"):
            with_data(text, {**tomllib.loads(text), "chunk": {"a": 2}}, file="pincite.toml")

    def test_lists_and_tables(self) -> None:
        values = {"separators": ["\n\n", '"', "\x7f"], "keep_whole": {"code": 2.5, "a b": True}}
        assert tomllib.loads(changed(FILE, chunk={**values, "for": [{"glob": "*.csv", "max_tokens": 9}]}))["chunk"] == {
            **values,
            "for": [{"glob": "*.csv", "max_tokens": 9}],
        }

    @given(
        st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20),
        st.dictionaries(
            st.text(st.characters(exclude_categories=["Cs"]), max_size=5),
            st.text(st.characters(exclude_categories=["Cs"]), max_size=5) | st.booleans() | st.integers(-99, 99),
            max_size=4,
        ),
    )
    def test_any_comment_stays_and_any_value_arrives(self, comment: str, values: dict[str, Any]) -> None:
        text = (
            f"#{comment}\n[a]\nb = 1 #{comment}\n[chunk] #{comment}\n#{comment}\nc = '''\n[d]\n'''#{comment}\ne = 1\n"
        )
        found = changed(text, chunk=values)
        assert tomllib.loads(found) == {"a": {"b": 1}, "chunk": values}
        assert found.startswith(f"#{comment}\n[a]\nb = 1 #{comment}\n[chunk] #{comment}\n#{comment}\n")
