"""Models of providers with a protocol of their own, as they look on the wire; they read ``sample_repository``."""

import json
from typing import Any

from aiohttp import web
from scripted_exchange import Received, ScriptedServer

SIGNATURE = "c2lnbmVk" * 200
"""Of a model's thoughts: Gemini takes a call back only with it."""
READ = {"path": "shop/price.py", "end_line": 3}


async def _sent(request: web.Request, events: list[str]) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    for event in events:
        await response.write(event.encode())
    await response.write_eof()
    return response


def _gemini_events(parts: list[dict[str, Any]], finish: str | None) -> list[str]:
    """Return pieces as Gemini sends them: counted each time, the reason to end with the last."""
    counted = {"promptTokenCount": 1_000, "candidatesTokenCount": 20, "totalTokenCount": 1_020}
    rows: list[dict[str, Any]] = [{"content": {"role": "model", "parts": [part]}, "index": 0} for part in parts]
    if finish is not None:
        rows.append({"content": {"role": "model", "parts": [{"text": ""}]}, "finishReason": finish, "index": 0})
    return [f"data: {json.dumps({'candidates': [row], 'usageMetadata': counted})}\r\n\r\n" for row in rows]


async def gemini(server: ScriptedServer, request: web.Request) -> web.StreamResponse:
    """Read a file and tell of it; a name with ``safety``, ``malformed``, ``blocked`` or ``cut`` in it goes wrong so."""
    body = await request.json()
    name = request.match_info["name"]
    server.requests.append(Received(request.path, dict(request.headers), body))
    parts = [part for content in body["contents"] for part in content["parts"]]
    calls = [part for part in parts if "functionCall" in part or "function_call" in part]
    results = [part for part in parts if "functionResponse" in part or "function_response" in part]
    if "blocked" in name:
        said = {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}
        return await _sent(request, [f"data: {json.dumps(said)}\r\n\r\n"])
    if "safety" in name:
        return await _sent(request, _gemini_events([{"text": "I would"}], "SAFETY"))
    if "cut" in name:
        return await _sent(request, _gemini_events([{"text": "I would"}], None))
    if results:
        signed = [part.get("thoughtSignature", part.get("thought_signature")) for part in calls]
        said_so = "unsigned" if SIGNATURE not in signed else "signed"
        return await _sent(request, _gemini_events([{"text": f"It is {said_so}: "}, {"text": str(results[0])}], "STOP"))
    if "malformed" in name:
        return await _sent(request, _gemini_events([], "MALFORMED_FUNCTION_CALL"))
    call = {"functionCall": {"name": "read_file", "args": READ}, "thoughtSignature": SIGNATURE}
    return await _sent(request, _gemini_events([{"text": "I look.", "thought": True}, call], "STOP"))


async def anthropic(server: ScriptedServer, request: web.Request) -> web.StreamResponse:
    """Think, say a word and read a file; then tell of it."""
    body = await request.json()
    server.requests.append(Received(request.path, dict(request.headers), body))
    blocks = [
        block for message in body["messages"] if isinstance(message["content"], list) for block in message["content"]
    ]
    results = [block for block in blocks if block.get("type") == "tool_result"]
    if "busy" in body["model"]:
        error = {"type": "overloaded_error", "message": "Overloaded"}
        return web.json_response({"type": "error", "error": error}, status=529)
    text: dict[str, Any] = {"type": "text", "text": ""}
    if results:
        made = [(text, [{"type": "text_delta", "text": f"It says: {results[0]['content']}"}])]
        return await _sent(request, _anthropic_events(made, "end_turn"))
    thinking: dict[str, Any] = {"type": "thinking", "thinking": "", "signature": ""}
    use: dict[str, Any] = {"type": "tool_use", "id": "toolu_1", "name": "read_file", "input": {}}
    half, rest = json.dumps(READ)[:7], json.dumps(READ)[7:]
    made = [
        (thinking, [{"type": "thinking_delta", "thinking": "Hm."}, {"type": "signature_delta", "signature": "c2ln"}]),
        (text, [{"type": "text_delta", "text": "I look."}]),
        (use, [{"type": "input_json_delta", "partial_json": piece} for piece in (half, rest)]),
    ]
    return await _sent(request, _anthropic_events(made, "tool_use"))


def _anthropic_events(blocks: list[tuple[dict[str, Any], list[dict[str, Any]]]], stop: str) -> list[str]:
    message: dict[str, Any] = {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [],
        "stop_reason": None,
    }
    rows: list[dict[str, Any]] = [{"type": "message_start", "message": {**message, "usage": {"input_tokens": 1_000}}}]
    for index, (begun, deltas) in enumerate(blocks):
        rows.append({"type": "content_block_start", "index": index, "content_block": begun})
        rows += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        rows.append({"type": "content_block_stop", "index": index})
    rows.append({"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": 20}})
    rows.append({"type": "message_stop"})
    return [f"event: {row['type']}\ndata: {json.dumps(row)}\n\n" for row in rows]
