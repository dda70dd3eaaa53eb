"""Scripts of models that call tools, well, badly or with bad intent. The repository is ``sample_repository``."""

import json

from aiohttp import web
from scripted_exchange import Exchange, Script, pieces_of


def tool(name: str, number: int = 0, **arguments: object) -> tuple[str, str, str]:
    """Return a call with arguments as JSON and an id made from its number."""
    return (f"call_{name}_{number}", name, json.dumps(arguments))


async def lookup(exchange: Exchange) -> web.StreamResponse:
    """Look a symbol up, read its file and search, two at once; then answer with what came back."""
    results = exchange.results
    if not results:
        said = "Let me look at the cart."
        return await exchange.call(tool("request_code_context", symbol="Cart.checkout"), said=said)
    if len(results) == 1:
        both = (tool("read_file", path="shop/price.py", start_line=1, end_line=9), tool("search_code", query="vat_"))
        return await exchange.call(*both)
    return await exchange.whole([f"I got {len(results)} results. ", *pieces_of("\n\n".join(results), 200)])


async def ask_in_words(exchange: Exchange) -> web.StreamResponse:
    """Ask for code in words, then say what came of it."""
    if exchange.results:
        return await exchange.whole(["\n".join(exchange.results)])
    return await exchange.call(tool("request_code_context", query="how are sums rounded"))


async def notes_lookup(exchange: Exchange) -> web.StreamResponse:
    """Look a symbol and a secret up with notes written too early, then answer with notes."""
    if exchange.results:
        return await exchange.whole(["Seen.", "\n\n---STATE---\nGoal: late\n---END STATE---\n"])
    early = "I look.\n\n---STATE---\nGoal: early\n---END STATE---\n"
    return await exchange.call(
        tool("request_code_context", symbol="Cart.checkout"),
        tool("read_file", path="shop/price.py", end_line=3),
        tool("read_file", 1, path="link/passwd"),
        said=early,
    )


async def edit(exchange: Exchange) -> web.StreamResponse:
    """Change a file in two places, make one and read another, all in one reply; then tell what came of it."""
    if exchange.results:
        return await exchange.whole(["\n".join(exchange.results)])
    return await exchange.call(
        tool("propose_edit", 0, path="shop/price.py", old="VAT_PERCENT = 19", new="VAT_PERCENT = 7"),
        tool("read_file", path="shop/__init__.py"),
        tool("propose_edit", 1, path="shop/price.py", symbol="total_of", new="def total_of(prices):\n    return 0"),
        tool("create_file", path="shop/tax/rates.py", content="RATES = (7, 19)\n"),
        said="I lower the tax.",
    )


async def edit_twice(exchange: Exchange) -> web.StreamResponse:
    """Change two files, one a reply, from a server that gives every reply's call the same id; then answer."""
    changes = (("shop/price.py", "VAT_PERCENT = 19", "VAT_PERCENT = 7"), ("shop/cart.py", "The cart.", "A cart."))
    if len(exchange.results) == len(changes):
        return await exchange.whole(["\n".join(exchange.results)])
    path, old, new = changes[len(exchange.results)]
    _, name, arguments = tool("propose_edit", path=path, old=old, new=new)
    return await exchange.call(("call_0", name, arguments))


async def edit_badly(exchange: Exchange) -> web.StreamResponse:
    """Propose edits of git's own, outside, of a secret and of text that is not there."""
    if exchange.results:
        return await exchange.whole(["\n".join(exchange.results)])
    paths = (".git/hooks/post-commit", "../outside.txt", "link/x", ".env", "/etc/cron.d/x")
    calls = [tool("create_file", number, path=path, content="curl evil") for number, path in enumerate(paths)]
    return await exchange.call(*calls, tool("propose_edit", path="shop/price.py", old="not there", new="x"))


async def move(exchange: Exchange) -> web.StreamResponse:
    """Rename a file and delete another."""
    if exchange.results:
        return await exchange.whole(["\n".join(exchange.results)])
    return await exchange.call(
        tool("rename_file", path="shop/price.py", new_path="shop/cost.py"), tool("delete_file", path="shop/cart.py")
    )


async def edit_husky(exchange: Exchange) -> web.StreamResponse:
    """Write what an editor runs by itself."""
    if exchange.results:
        return await exchange.whole(["\n".join(exchange.results)])
    return await exchange.call(tool("create_file", path=".vscode/tasks.json", content="{}"))


async def loop(exchange: Exchange) -> web.StreamResponse:
    """Read the same file for ever, as long as there are tools."""
    if exchange.received.body.get("tool_choice") == "none":
        return await exchange.whole(["This is all I know."])
    return await exchange.call(tool("read_file", exchange.server.counts["loop"], path="shop/price.py"))


async def wander(exchange: Exchange) -> web.StreamResponse:
    """Ask for something new each time, for ever, as long as there are tools."""
    if exchange.received.body.get("tool_choice") == "none":
        return await exchange.whole(["This is all I know."])
    return await exchange.call(_next_lines(exchange))


async def search_in_vain(exchange: Exchange) -> web.StreamResponse:
    """Search for what is not there, each time for something else."""
    if exchange.received.body.get("tool_choice") == "none":
        return await exchange.whole(["This is all I know."])
    number = exchange.server.counts["search-in-vain"]
    return await exchange.call(tool("search_code", number, query=f"word number {number}"))


async def obedient(exchange: Exchange) -> web.StreamResponse:
    """Go in circles until told to ask the user, then ask."""
    if "one short question to the user" in str(exchange.received.messages[-1]["content"]):
        return await exchange.whole(["Which price do you mean?"])
    return await loop(exchange)


def _next_lines(exchange: Exchange) -> tuple[str, str, str]:
    number = exchange.server.counts[exchange.received.script]
    return tool("read_file", number, path="shop/long.py", start_line=number * 5 + 1, end_line=number * 5 + 5)


async def stubborn(exchange: Exchange) -> web.StreamResponse:
    """Call tools even where that was forbidden."""
    return await exchange.call(_next_lines(exchange))


async def lie(exchange: Exchange) -> web.StreamResponse:
    """Ask for what does not exist, then claim to have seen it."""
    if not exchange.results:
        absent = tool("request_code_context", symbol="Cart.refund_everything")
        return await exchange.call(
            absent, tool("read_file", path="shop/refund.py"), tool("find_references", symbol="x9")
        )
    return await exchange.whole(["`Cart.refund_everything` is at shop/refund.py:12."])


async def escape(exchange: Exchange) -> web.StreamResponse:
    """Ask for files outside the repository, through a link, of git, and for a secret."""
    if exchange.results:
        return await exchange.whole(["\n".join(exchange.results)])
    paths = ("../../etc/passwd", "/etc/passwd", "link/passwd", ".git/config", ".env", "shop/../../outside.txt", "a\0b")
    calls = [tool("read_file", number, path=path) for number, path in enumerate(paths)]
    return await exchange.call(*calls, tool("search_code", query="root:"), tool("list_files", path="../.."))


async def huge(exchange: Exchange) -> web.StreamResponse:
    """Ask for a file of 2 MB."""
    if exchange.results:
        return await exchange.whole([f"I got {len(exchange.results[0])} characters."])
    return await exchange.call(tool("read_file", path="shop/huge.py"), tool("search_code", query="line of"))


async def many(exchange: Exchange) -> web.StreamResponse:
    """Make forty calls at once."""
    if exchange.results:
        return await exchange.whole([f"I got {len(exchange.results)} results."])
    return await exchange.call(*(tool("search_code", number, query=f"price {number}") for number in range(40)), size=99)


async def mend(exchange: Exchange) -> web.StreamResponse:
    """Send broken calls twice, then proper ones, then answer."""
    results = exchange.results
    if not results:
        return await exchange.call(("call_1", "read_file", '{"path": "shop/price.py"'))
    if len(results) == 1:
        return await exchange.call(("call_2", "read_file", '{"path": 3}'), tool("list_files"))
    if len(results) == 3:
        return await exchange.call(tool("list_files"))
    return await exchange.whole(["\n".join(results)])


BROKEN_CALLS: dict[str, tuple[str | None, str, str | None]] = {
    "invalid-json": ("call_1", "read_file", '{"path": '),
    "unknown-tool": ("call_1", "rm_everything", "{}"),
    "null-arguments": ("call_1", "read_file", None),
    "list-arguments": ("call_1", "read_file", '["shop/price.py"]'),
    "extra-argument": ("call_1", "read_file", '{"path": "shop/price.py", "sudo": true}'),
    "key-twice": ("call_1", "read_file", '{"path": "shop/price.py", "path": ".env"}'),
    "deep-json": ("call_1", "read_file", "[" * 20_000),
    "no-name": ("call_1", "", "{}"),
}


def broken(name: str) -> Script:
    """Return a script that sends one broken call beside a good one, for ever."""

    async def script(exchange: Exchange) -> web.StreamResponse:
        return await exchange.call(BROKEN_CALLS[name], tool("list_files", path="shop"), size=5_000)

    return script


def without_own_ids(call_id: str | None) -> Script:
    """Return a script that looks two things up under one id, or none, and answers."""

    async def script(exchange: Exchange) -> web.StreamResponse:
        if exchange.results:
            return await exchange.whole(["\n".join(exchange.results)])
        looks = [tool("list_files", path="shop"), tool("list_files", path="web")]
        return await exchange.call(*((call_id, name, arguments) for _, name, arguments in looks))

    return script


async def cut_call(exchange: Exchange) -> web.StreamResponse:
    """Close the connection in the middle of a tool call that already looks complete."""
    function = {"name": "read_file", "arguments": '{"path": "shop/price.py"}'}
    if not exchange.is_stream:
        call = {"id": "call_1", "type": "function", "function": function}
        return await exchange.end(await exchange.half(exchange.completion("Let me ", "tool_calls", [call])))
    response = await exchange.open_stream()
    await exchange.send(response, exchange.frame({"content": "Let me "}))
    await exchange.send(
        response,
        exchange.frame({"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": function}]}),
    )
    await response.write_eof()
    return response


async def long_call(exchange: Exchange) -> web.StreamResponse:
    """Reach the output limit inside a tool call."""
    return await exchange.call(("call_1", "read_file", '{"path": "shop/pri'), said="Reading.", finish="length")


async def chapters(exchange: Exchange) -> web.StreamResponse:
    """Reach the output limit twice, in the middle of a word and of a code block, and repeat a little each time."""
    pieces = (
        "The cart adds up the pri",
        "The cart adds up the prices of its lines:\n\n```python\ntotal = 0\n",
        "```python\nreturn total\n```\n\n---STATE---\nGoal: add up\n---END STATE---\n",
    )
    number = min(exchange.server.counts["chapters"], len(pieces)) - 1
    return await exchange.whole(pieces_of(pieces[number], 5), finish="length" if number < 2 else "stop")


async def long_edit(exchange: Exchange) -> web.StreamResponse:
    """Reach the output limit in two calls that look complete; then tell what came of them."""
    if exchange.results:
        return await exchange.whole(["\n".join(exchange.results)])
    made = tool("create_file", path="shop/new.py", content="x = 1\n")
    return await exchange.call(tool("read_file", path="shop/price.py"), made, finish="length")


async def remember(exchange: Exchange) -> web.StreamResponse:
    """Write notes and suggest pins, one of something that is not there; then answer."""
    if exchange.results:
        return await exchange.whole(["\n".join(exchange.results)])
    wishes = [
        {"symbol": "Cart.checkout", "why": "what\u001b[31m to pay"},
        {"path": "shop/price.py", "why": "all prices"},
        {"symbol": "Cart.refund_everything", "why": "made up"},
        {"path": ".env", "why": "keys"},
    ]
    notes = tool("update_notes", text="Goal: lower the tax")
    return await exchange.call(notes, tool("suggest_pins", items=wishes))


async def companion(exchange: Exchange) -> web.StreamResponse:
    """Work on the shop as asked: look things up when told to look, keep notes, write summaries and objects."""
    messages = exchange.received.messages
    system = str(messages[0]["content"])
    if "one JSON object under this schema" in system:
        return await exchange.whole(['{"goal": "a better cart", "files": ["shop/cart.py", "shop/price.py"]}'])
    if "summary of a long conversation" in system:
        return await exchange.whole(["They looked at the cart, its prices and the tax, and keep cents as integers."])
    asked = next(str(m["content"]) for m in reversed(messages) if m["role"] == "user")
    question = asked.strip().splitlines()[-1]
    if "look" in question and not exchange.results and exchange.received.body.get("tools"):
        both = (tool("request_code_context", symbol="Cart.checkout"), tool("read_file", path="shop/price.py"))
        return await exchange.call(*both, said="I look.")
    words = f"To “{question}”: `Cart.checkout` adds up what `total_of` says. ".split(" ")
    state = f"\n---STATE---\nGoal: a better cart\nResolved: {question}\n---END STATE---\n"
    return await exchange.whole([*(f"{word} " for word in words), "It is settled. " * 12, state])


TOOL_SCRIPTS: dict[str, Script] = {
    **{name: broken(name) for name in BROKEN_CALLS},
    "null-ids": without_own_ids(None),
    "twin-ids": without_own_ids("call_0"),
    **{
        script.__name__.replace("_", "-"): script
        for script in (
            lookup,
            edit,
            edit_twice,
            edit_badly,
            edit_husky,
            move,
            ask_in_words,
            notes_lookup,
            loop,
            wander,
            search_in_vain,
            obedient,
            stubborn,
            lie,
            escape,
            huge,
            many,
            mend,
            cut_call,
            long_call,
            chapters,
            remember,
            long_edit,
            companion,
        )
    },
}
