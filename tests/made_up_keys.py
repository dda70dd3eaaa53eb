"""Keys of every known shape, none of them real: put together here so that no file holds one."""

RANDOM = "q7Rv2LxT9mKd4WzB8nYc3HgP6sJf5VtAeUi1"
HEX = "9f3ac1e07b52d846f0c3b19a7d65e284"
PEM_LINES = ("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj", "MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3S")
PEM = "\n".join(["-----BEGIN " + "RSA PRIVATE KEY-----", *PEM_LINES, "aG9=", "-----END RSA PRIVATE " + "KEY-----"])
NUMBERED_PEM = "\n".join(f"{number:>5} {line}" for number, line in enumerate(PEM.split("\n"), start=98))
KEYS = {
    "PEM": PEM,
    "PEM with line numbers": NUMBERED_PEM.lstrip(" 98"),
    "PEM in one string": PEM.replace("\n", "\\n"),
    "PEM that is cut off": "\n".join(PEM.split("\n")[:3]),
    "age": "AGE-SECRET-" + "KEY-1" + "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7LQPZRY9X8GF2TVDW0S3",
    "AWS": "AK" + "IA2QWERT7YUIOPASDF",
    "Google": "AI" + "za" + RANDOM[:35],
    "GitHub": "gh" + "p_" + RANDOM,
    "GitHub, fine": "github" + "_pat_" + RANDOM,
    "GitLab": "gl" + "pat-" + RANDOM[:20],
    "Slack": "xo" + "xb-2153849-" + RANDOM[:24],
    "OpenAI": "s" + "k-proj-" + RANDOM,
    "Anthropic": "s" + "k-ant-api03-" + RANDOM,
    "Stripe": "sk" + "_live_" + RANDOM[:24],
    "npm": "np" + "m_" + RANDOM,
    "PyPI": "pyp" + "i-AgE" + RANDOM + RANDOM,
    "Hugging Face": "h" + "f_" + RANDOM[:34],
    "SendGrid": "S" + "G." + RANDOM[:22] + "." + RANDOM,
    "JSON web token": "ey" + "JhbGciOiJIUzI1NiJ9.ey" + "JpZCI6ImFubiJ9." + RANDOM,
    "Telegram": "7351926480:A" + "A" + RANDOM[:33],
}
"""What it is to an example."""
