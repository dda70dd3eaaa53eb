"""What a request really cost, beside what was planned."""

from ctxcode.model.chat import ReplyEnd
from ctxcode.model.conversation import ModelInfo, Usage


def usage_of(estimated_tokens: int, end: ReplyEnd | None) -> Usage:
    """Return the estimate with what the provider counted; None stands for what it did not report."""
    if end is None:
        return Usage(estimated=estimated_tokens)
    return Usage(estimated=estimated_tokens, prompt=end.prompt_tokens, completion=end.completion_tokens, cost=end.cost)


def prompt_cost(model: ModelInfo, prompt_tokens: int) -> float | None:
    """Return the price of a prompt in US dollars; None when the model's price is not known."""
    if model.is_offline:
        return 0.0
    if model.input_cost_per_token is None:
        return None
    return model.input_cost_per_token * prompt_tokens
