from ctxcode.action.loop_guard import Finding, LoopProfile, finding, note, stage_after
from ctxcode.model.conversation import LoopPattern, LoopStage, ToolCall, ToolResult, ToolRound, ToolStatus

PROFILE = LoopProfile()


def made(arguments: str, text: str, status: ToolStatus = ToolStatus.OK, said: str = "") -> ToolRound:
    return ToolRound(said, (ToolCall("c", "read_file", arguments),), (ToolResult(status, text),))


def news(count: int) -> list[ToolRound]:
    return [made(f'{{"path": "{number}"}}', f"text {number}") for number in range(count)]


def test_a_turn_that_finds_something_new_each_time_is_no_loop() -> None:
    rounds = news(29)
    assert [None] * 30 == [finding(rounds[:count], PROFILE) for count in range(30)]


def test_the_same_call_with_the_same_result_three_times_is_a_loop() -> None:
    again = [made('{"path": "a"}', "same"), made('{ "path":"a" }', "asked before", ToolStatus.REPEATED)]
    assert finding([*news(2), *again], PROFILE) is None
    found = finding([*news(2), *again, again[1]], PROFILE)
    assert found is not None
    assert (LoopPattern.SAME_CALL, 3) == (found.pattern, found.times)
    assert "read_file" in found.subject


def test_the_same_call_failing_in_other_words_is_a_loop() -> None:
    failed = [made('{"path": "a"}', f"error {number}", ToolStatus.FAILED) for number in range(3)]
    assert Finding(LoopPattern.SAME_CALL, 3, 'read_file {"path": "a"}') == finding(failed, PROFILE)


def test_the_same_call_with_other_results_is_none() -> None:
    changing = [made('{"path": "a"}', f"version {number}") for number in range(9)]
    assert finding(changing, PROFILE) is None


def edited(new: str) -> ToolRound:
    call = ToolCall("e", "propose_edit", f'{{"path": "a.py", "old": "x", "new": "{new}"}}')
    return ToolRound("", (call,), (ToolResult(ToolStatus.OK, "Applied: a.py: 1 hunk."),))


def test_a_check_after_each_edit_is_no_loop_however_often_it_says_the_same() -> None:
    check = made('{"command": "make check"}', "exit code 0")
    rounds = [one for number in range(12) for one in (edited(str(number)), check)]
    assert [None] * 25 == [finding(rounds[:count], PROFILE) for count in range(25)]
    assert finding([*rounds, check, check], PROFILE) is not None


def test_an_edit_made_and_taken_back_again_and_again_is_a_loop() -> None:
    found = finding([edited("1"), edited("2")] * 2 + [edited("1")], PROFILE)
    assert (LoopPattern.SAME_CALL, 3) == ((found.pattern, found.times) if found else None)


def test_planning_before_the_first_tool_is_no_loop() -> None:
    assert finding([ToolRound("Let me plan how to look for the price.", ())] * 9, PROFILE) is None


def test_three_thoughts_in_a_row_are_a_loop_once_a_tool_has_run() -> None:
    thoughts = [ToolRound(f"{word} {word}", ()) for word in ("alpha", "beta", "gamma")]
    assert finding([*news(1), *thoughts[:2]], PROFILE) is None
    assert Finding(LoopPattern.IDLE, 3) == finding([*news(1), *thoughts], PROFILE)
    assert finding([*news(1), *thoughts, *news(3)[2:]], PROFILE) is None


def test_the_same_theme_without_news_three_times_is_a_loop() -> None:
    said = ("Let me search for the tax logic.", "I search for the tax logic again.", "Let me search the tax logic now.")
    rounds = [made(f'{{"path": "{n}"}}', f"none {n}", ToolStatus.ABSENT, words) for n, words in enumerate(said)]
    assert Finding(LoopPattern.SAME_THEME, 3) == finding([*news(1), *rounds], PROFILE)
    found_something = [made(f'{{"path": "x{n}"}}', f"found {n}", said=words) for n, words in enumerate(said)]
    assert finding([*news(1), *found_something], PROFILE) is None


def test_five_rounds_without_news_are_a_loop() -> None:
    vain = [made(f'{{"path": "v{n}"}}', f"nothing {n}", ToolStatus.ABSENT) for n in range(5)]
    assert finding([*news(3), *vain[:4]], PROFILE) is None
    assert Finding(LoopPattern.NO_NEWS, 5) == finding([*news(3), *vain], PROFILE)


def test_the_first_pattern_in_order_is_told() -> None:
    again = made('{"path": "a"}', "gone", ToolStatus.ABSENT, "the same words each time")
    found = finding([*news(1), *[again] * 6], PROFILE)
    assert LoopPattern.SAME_CALL == (found.pattern if found else None)


def test_thresholds_are_the_profiles() -> None:
    failed = [made('{"path": "a"}', "error", ToolStatus.FAILED)] * 2
    assert finding(failed, PROFILE) is None
    assert finding(failed, LoopProfile(same_call=2)) is not None


def test_stages_go_from_a_nudge_to_a_question_to_the_end() -> None:
    stages = [stage_after(notices) for notices in range(5)]
    assert [LoopStage.NUDGE, LoopStage.ASK, LoopStage.STOP, LoopStage.STOP, LoopStage.STOP] == stages


def test_the_note_is_empty_until_there_is_something_to_say() -> None:
    assert ["", ""] == [note(iteration, news(iteration), PROFILE, None) for iteration in (0, 4)]
    assert "Progress: 5 calls so far, 5 of them found something; 25 requests are left" in note(
        5, news(5), PROFILE, None
    )
    assert "answer soon" in note(15, news(15), PROFILE, None)
    assert "This is the last request of this turn" in note(29, news(29), PROFILE, None)


def test_urgency_is_told_beside_a_circle() -> None:
    told = note(16, news(16), PROFILE, (Finding(LoopPattern.NO_NEWS, 5), LoopStage.NUDGE))
    assert "found nothing new" in told
    assert "Do something else" in told
    assert "answer soon" in told
