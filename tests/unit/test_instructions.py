"""How the files that tell assistants how to work share their room."""

from plan_inputs import words

from ctxcode.context.candidates import Renderer
from ctxcode.context.instructions import Instructions, instructions
from ctxcode.context.mode import HEAVY
from ctxcode.model.plan import Detail, ReasonType


def made(files: dict[str, list[str]], room: int) -> Instructions:
    return instructions(Renderer(words, HEAVY, files), budget_tokens=room * 4)


def rules(name: str, count: int, words_each: int = 5) -> list[str]:
    return [" ".join([f"{name}{number}", *["word"] * (words_each - 1)]) for number in range(count)]


def shown(found: Instructions) -> dict[str, tuple[Detail, int]]:
    """Return the level and the last line shown of each file that is told."""
    return {one.path: (one.levels[0].detail, one.levels[0].lines[-1][1]) for one in found.told}


def test_a_small_file_is_whole_beside_the_beginning_of_a_huge_one_wherever_it_stands() -> None:
    for small, huge in (("AGENTS.md", "CLAUDE.md"), ("CLAUDE.md", "AGENTS.md")):
        found = made({small: rules("s", 4), huge: rules("h", 1_000)}, 300)
        assert {small: (Detail.BODY, 4), huge: (Detail.EXCERPT, 39)} == shown(found)
        assert ["AGENTS.md", "CLAUDE.md"] == [one.path for one in found.told]
        assert () == found.untold


def test_large_files_share_equally_what_the_small_ones_leave() -> None:
    files = {"AGENTS.md": rules("a", 500), "CLAUDE.md": rules("c", 3), "GEMINI.md": rules("g", 900)}
    found = made(files, 400)
    assert (Detail.BODY, 3) == shown(found)["CLAUDE.md"]
    parts = [one.levels[0].tokens for one in found.told if one.levels[0].detail is Detail.EXCERPT]
    assert 2 == len(parts)
    assert 6 >= max(parts) - min(parts)
    assert 390 < sum(one.levels[0].tokens for one in found.told) <= 400


def test_files_that_all_fit_are_whole_though_one_takes_most() -> None:
    found = made({"AGENTS.md": rules("a", 50), "CLAUDE.md": rules("c", 1), "GEMINI.md": rules("g", 1)}, 380)
    assert {Detail.BODY} == {detail for detail, _ in shown(found).values()}


def test_a_file_whose_first_line_is_too_long_is_left_out_for_its_budget_and_leaves_its_part() -> None:
    found = made({"AGENTS.md": rules("a", 1, 5_000), "CLAUDE.md": rules("c", 50)}, 330)
    assert {"CLAUDE.md": (Detail.BODY, 50)} == shown(found)
    [(left_out, reason)] = found.untold
    assert ("AGENTS.md", Detail.BODY, ReasonType.BUDGET) == (left_out.path, left_out.levels[0].detail, reason.type)
    assert 5_000 < left_out.levels[0].tokens
