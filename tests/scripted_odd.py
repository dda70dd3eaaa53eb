"""Scripts of models that mean well and say it otherwise than the protocol has it: thoughts alone, calls as text."""

import json
from typing import Any

from aiohttp import web
from scripted_exchange import Exchange, Script, pieces_of
from scripted_tools import tool

LOOK = tool("read_file", path="shop/price.py", end_line=3)


async def _said(exchange: Exchange, *deltas: dict[str, Any], finish: str = "stop") -> web.StreamResponse:
    """Send pieces as they are."""
    response = await exchange.open_stream()
    for delta in deltas:
        await exchange.send(response, exchange.frame(delta))
    await exchange.send(response, exchange.frame({}, finish))
    await exchange.send(response, b"[DONE]")
    await response.write_eof()
    return response


async def thinker(exchange: Exchange) -> web.StreamResponse:
    """Think, and then say nothing, each time."""
    return await _said(exchange, {"reasoning_content": "I wonder "}, {"reasoning_content": "about the cart."})


async def brooder(exchange: Exchange) -> web.StreamResponse:
    """Look something up, and from then on think only."""
    if not exchange.results:
        return await exchange.call(LOOK)
    return await _said(exchange, {"content": "<think>And what is the tax?</th"}, {"content": "ink>\n\n"})


async def hesitant(exchange: Exchange) -> web.StreamResponse:
    """Think at first, and answer when asked again."""
    if exchange.server.counts["hesitant"] == 1:
        return await _said(exchange, {"reasoning_content": "I wonder."})
    return await exchange.whole(["Here it is."])


async def strict_thinker(exchange: Exchange) -> web.StreamResponse:
    """Look something up, and take it back only with what was thought before."""
    said = [message for message in exchange.received.messages if message["role"] == "assistant"]
    if any(not message.get("reasoning_content") for message in said):
        words = "The `reasoning_content` in the thinking mode must be passed back to the API."
        return exchange.refuse(400, words)
    if exchange.results:
        return await exchange.whole(["It says: ", *exchange.results])
    return await exchange.call(LOOK)


async def writes_calls(exchange: Exchange) -> web.StreamResponse:
    """Look something up in its own notation, which the server does not know."""
    if len(exchange.results) > 1:
        return await exchange.whole(["It says: ", *exchange.results])
    call = json.dumps({"name": LOOK[1], "arguments": json.loads(LOOK[2])})
    return await exchange.whole(pieces_of(f"I look.\n\n<tool_call>\n{call}\n</tool_call>", 7))


async def half_thinker(exchange: Exchange) -> web.StreamResponse:
    """Think aloud in a thought whose beginning stands in the template, and then answer."""
    return await exchange.whole(["Okay, they want to know ", "where it is.\n</thi", "nk>\n\n", "It is in the cart."])


async def halves(exchange: Exchange) -> web.StreamResponse:
    """Spell a character in halves that come in two pieces, and then a half alone."""
    pieces = [b'"A \\ud83d"', b'"\\ude00 and "', b'"half of one: \\ud83d"', b'"."']
    response = await exchange.open_stream()
    for piece in pieces:
        raw = json.dumps(exchange.frame({"content": "MARK"})).encode().replace(b'"MARK"', piece)
        await exchange.send(response, raw)
    await exchange.send(response, exchange.frame({}, "stop"))
    await exchange.send(response, b"[DONE]")
    await response.write_eof()
    return response


ODD_SCRIPTS: dict[str, Script] = {
    script.__name__.replace("_", "-"): script
    for script in (thinker, brooder, hesitant, strict_thinker, writes_calls, half_thinker, halves)
}
