"""Edits change the lines they are about and not one byte else, whatever the encoding and the line ends."""

from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ctxcode.action.arguments import CreateFile, DeleteFile, ProposeEdit, RenameFile
from ctxcode.action.edit.change import EditCall, Worksheet, edited_bytes
from ctxcode.action.edit.hunk import hunks_between, with_hunks
from ctxcode.action.edit.replace import LineSpan, replaced, replaced_lines
from ctxcode.action.edit.text import FileText, file_text
from ctxcode.model.edit.change import ChangeKind, FileChange, Hunk
from ctxcode.model.errors import EditError

MANY = settings(max_examples=400, deadline=None)
ENDS = st.sampled_from(["\n", "\r\n", "\r"])
BODIES = st.text(st.sampled_from("ab \t\x0b\x0c\x1c\u2028é日"), max_size=6)
ENCODINGS = (
    ("utf-8", b""),
    ("utf-8", b"\xef\xbb\xbf"),
    ("utf-16-le", b"\xff\xfe"),
    ("utf-16-be", b"\xfe\xff"),
    ("utf-32-le", b"\xff\xfe\0\0"),
)


class Sample(NamedTuple):
    """A file and one of its passages with another text for it."""

    data: bytes
    first: int
    last: int
    """Lines of the passage, 0-based, the last one left out."""
    new: str


LINES = st.lists(BODIES, min_size=1, max_size=12)
NEW = st.tuples(st.lists(BODIES, max_size=5), st.sampled_from(["", "\n"])).map(
    lambda made: "\n".join(made[0]) + made[1]
)
MARKED = st.sampled_from(ENCODINGS)


@st.composite
def line_lists(draw: st.DrawFn) -> list[str]:
    lines = [body + draw(ENDS) for body in draw(LINES)]
    if draw(st.booleans()):
        lines[-1] = lines[-1].rstrip("\r\n")
    # Two line ends next to one another may read as one.
    text = "".join(lines)
    return list(FileText(text).lines)


WHOLE = line_lists()


@st.composite
def samples(draw: st.DrawFn) -> Sample:
    lines = draw(WHOLE)
    assume(lines)
    encoding, mark = draw(MARKED)
    first = draw(st.integers(0, len(lines) - 1))
    last = draw(st.integers(first + 1, len(lines)))
    return Sample(mark + "".join(lines).encode(encoding), first, last, draw(NEW))


def plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


@MANY
@given(st.binary(max_size=200))
def test_any_bytes_that_are_text_come_back_as_they_were(data: bytes) -> None:
    with suppress(EditError):
        assert data == file_text(data, "x").encoded()


@MANY
@given(samples())
def test_what_stands_before_and_after_a_replaced_passage_keeps_its_bytes(sample: Sample) -> None:
    file = file_text(sample.data, "x")
    lines = file.lines
    old = "".join(lines[sample.first : sample.last])
    try:
        made = replaced(file, plain(old), sample.new)
    except EditError:
        return
    head = file.mark + "".join(lines[: sample.first]).encode(file.encoding)
    tail = "".join(lines[sample.last :]).encode(file.encoding)
    data = made.encoded()
    assert data.startswith(head)
    assert data.endswith(tail)
    middle = data[len(head) : len(data) - len(tail)].decode(file.encoding)
    assert plain(sample.new) == plain(middle)


@MANY
@given(samples())
def test_lines_of_a_passage_that_stay_keep_their_bytes_too(sample: Sample) -> None:
    file = file_text(sample.data, "x")
    lines = file.lines
    kept = lines[sample.first : sample.last]
    try:
        made = replaced_lines(file, LineSpan(sample.first + 1, sample.last), "zz\n" + plain("".join(kept)))
    except EditError:
        return
    assert "".join(kept) in made.text
    assert made.text.endswith("".join(lines[sample.first :])) or not kept[-1].endswith(("\n", "\r"))


@MANY
@given(line_lists(), line_lists(), st.data())
def test_any_choice_of_hunks_leaves_all_other_lines_alone(
    before: list[str], after: list[str], data: st.DataObject
) -> None:
    hunks = hunks_between(before, after)
    assert after == with_hunks(before, hunks)
    assert before == with_hunks(before, hunks, ())
    chosen = data.draw(st.sets(st.integers(0, max(len(hunks) - 1, 0))))
    made = with_hunks(before, hunks, chosen)
    kept = [line for line, is_kept in zip(before, outside(before, hunks, chosen), strict=True) if is_kept]
    inside = sum(len(hunks[place].after) for place in chosen if place < len(hunks))
    assert len(made) == len(kept) + inside
    for place, hunk in enumerate(hunks):
        position = sum(
            len(other.after) - len(other.before) for earlier, other in enumerate(hunks[:place]) if earlier in chosen
        )
        start = hunk.before_start - 1 + position
        wanted = hunk.after if place in chosen else hunk.before
        assert list(wanted) == made[start : start + len(wanted)]


@MANY
@given(samples(), samples())
def test_a_change_of_bytes_gives_exactly_the_bytes_it_was_made_for(one: Sample, other: Sample) -> None:
    """The diff that is shown is the change that is written."""
    file = file_text(one.data, "x")
    text = "".join(file.lines[one.first : one.last])
    sheet = Worksheet({"x": one.data})
    try:
        sheet.take(EditCall("1", ProposeEdit(path="x", old=plain(text), new=other.new), "x"))
    except EditError:
        return
    wanted = replaced(file, plain(text), other.new).encoded()
    (change,) = sheet.changes()
    assert wanted == edited_bytes(change, one.data)
    assert one.data == edited_bytes(change, one.data, ())


@MANY
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3), st.sampled_from("xyz")), min_size=1, max_size=5))
def test_a_hunk_is_of_the_calls_that_changed_its_lines(steps: list[tuple[int, int, str]]) -> None:
    sheet = Worksheet({"x": "".join(f"line {number}\n" for number in range(10)).encode()})
    last: dict[int, str] = {}
    for number, (line, lines, word) in enumerate(steps):
        new = f"{word} {line}\n" + "".join(f"{word} {number} {more}\n" for more in range(lines))
        old = f"{last.get(line, 'line')} {line}\n"
        try:
            sheet.take(EditCall(str(number), ProposeEdit(path="x", old=old, new=new), "x"))
        except EditError:
            return
        last[line] = word
    (change,) = sheet.changes()
    for number, (line, _, _) in enumerate(steps):
        mine = [change.hunks[place] for place in change.hunks_of(str(number))]
        assert any(one.before_start <= line + 1 <= one.before_start + len(one.before) for one in mine)
    for hunk in change.hunks:
        near = range(hunk.before_start - 2, hunk.before_start + len(hunk.before) + 1)
        assert {str(number) for number, (line, _, _) in enumerate(steps) if line in near} >= set(hunk.calls) > set()


@MANY
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)), max_size=8))
def test_a_replys_edits_come_to_what_they_do_one_after_another(steps: list[tuple[int, int, int]]) -> None:
    paths = ["a", "b", "c", "d"]
    images: dict[str, bytes | None] = {"a": b"one\ntwo\n", "b": b"", "c": None, "d": None}
    truth = dict(images)
    sheet = Worksheet(images)
    for number, (kind, place, target) in enumerate(steps):
        path, to = paths[place], paths[target]
        call, after = _step(kind, str(number), path, to, truth)
        try:
            sheet.take(call)
        except EditError:
            return
        truth = after
    made = dict(images)
    for change in sheet.changes():
        data = edited_bytes(change, images[change.path] if change.kind is not ChangeKind.CREATED else None)
        made[change.path] = None if change.kind in (ChangeKind.RENAMED, ChangeKind.DELETED) else data
        if change.kind is ChangeKind.RENAMED:
            made[change.to] = data
    assert truth == made


def _step(
    kind: int, call_id: str, path: str, to: str, truth: dict[str, bytes | None]
) -> tuple[EditCall, dict[str, bytes | None]]:
    now = truth[path]
    match kind:
        case 0:
            return EditCall(call_id, CreateFile(path=path, content="new\n"), path), {**truth, path: b"new\n"}
        case 1:
            return EditCall(call_id, DeleteFile(path=path), path), {**truth, path: None}
        case 2:
            after = {**truth, path: None, to: now}
            return EditCall(call_id, RenameFile(path=path, new_path=to), path, to), after
    edit = ProposeEdit(path=path, old="o", new="0")
    return EditCall(call_id, edit, path), {**truth, path: (now or b"").replace(b"o", b"0")}


def outside(before: list[str], hunks: tuple[Hunk, ...], chosen: set[int]) -> list[bool]:
    """Tell for each line whether no chosen hunk takes it away."""
    taken = {
        number
        for place, hunk in enumerate(hunks)
        if place in chosen
        for number in range(hunk.before_start, hunk.before_start + len(hunk.before))
    }
    return [number not in taken for number in range(1, len(before) + 1)]


def test_a_change_knows_its_size() -> None:
    change = FileChange("a", ChangeKind.MODIFIED, hunks_between(["1\n", "2\n"], ["1\n", "3\n", "4\n"]))
    assert (2, 1) == (change.added, change.removed)
    assert replace(change, hunks=()).added == 0
