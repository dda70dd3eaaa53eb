"""``ctxcode context``: the plan for a question."""

import json
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ctxcode.bootstrap.application import Application, Use
from ctxcode.cli.arguments import Arguments
from ctxcode.cli.complaint import complain
from ctxcode.cli.opening import opened
from ctxcode.cli.progress import refresh_with_progress
from ctxcode.context.candidates import MESSAGE
from ctxcode.context.strategies.sliding_window import SlidingWindow
from ctxcode.model.engine.strategy import StrategySetting
from ctxcode.model.plan import Detail
from ctxcode.session.assemble import Ask, Assembler
from ctxcode.session.report import candidate_object, over_budget_sentence, plan_object

if TYPE_CHECKING:
    from ctxcode.bootstrap.index.ahead import EarlyCheck
    from ctxcode.context.strategies.port import ContextStrategy


def context(arguments: Arguments, environment: Mapping[str, str], check: "EarlyCheck | None") -> int:
    """Assemble, store and print the context for a question."""
    application = opened(arguments, environment, Use.ANSWER, check)
    adapters, settings = application.adapters, application.settings
    model = application.models.info(settings.model)
    counter = adapters.counter_for(model.tokenizer)
    counter.count("")
    started = time.perf_counter()
    report = refresh_with_progress(adapters.indexer)
    assembler = Assembler(
        adapters.workspace,
        adapters.graph,
        counter,
        secrets=adapters.secrets,
        semantic=adapters.semantic,
        capsules=adapters.journal.capsules,
    )
    planned, retrieved = assembler.assemble(
        Ask(
            prompt=arguments.query,
            mode=settings.mode,
            model=model,
            budget_tokens=settings.budget_tokens,
            is_budget_explicit=arguments.budget is not None,
            output_reserve_tokens=settings.output_reserve_tokens,
            shortens_prompt=True,
            strategy=_strategy(application),
        )
    )
    elapsed_ms = (time.perf_counter() - started) * 1000
    adapters.journal.save_plan(planned, retrieved, None, adapters.clock())
    texts = {str(key): text for key, text in planned.texts}
    candidates = retrieved.entries if retrieved is not None and arguments.explain else ()
    if arguments.format == "json":
        made = plan_object(planned.plan, elapsed_ms=elapsed_ms, texts=texts if arguments.with_text else None)
        if arguments.explain:
            made["candidates"] = [candidate_object(entry) for entry in candidates]
        print(json.dumps(made))
    elif arguments.format == "markdown":
        from ctxcode.cli.plan.markdown import plan_markdown

        print(plan_markdown(planned.plan, texts), end="")
    else:
        from ctxcode.tui.format import candidate_lines, plan_lines

        print("\n".join([*plan_lines(planned.plan), *candidate_lines(candidates)]))
    if not report.files:
        complain(
            "No file in a language ctxcode knows was found here: there is nothing to retrieve.",
            "Is it the right folder? `ctxcode index` says what was skipped; --repo PATH names another.",
        )
    if any(item.id == MESSAGE and item.detail is Detail.EXCERPT for item in planned.plan.included):
        complain("The question is longer than half the budget: its middle is not shown.", "Raise --budget to show it.")
    if planned.plan.over_budget:
        complain(over_budget_sentence(planned.plan), "Raise --budget, or ask a shorter question.")
        return 1
    return 0


def _strategy(application: Application) -> "ContextStrategy":
    """Return the strategy the settings name. Raises SettingsError or UsageError where they are wrong."""
    if application.settings.strategy == StrategySetting():
        return SlidingWindow()
    return application.adapters.strategies().open(application.settings.strategy.name)
