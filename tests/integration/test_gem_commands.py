"""The map begins with the commands that a gem installs."""

from pathlib import Path

import pytest
from command import run_here

FILES = {
    "bin/shop": "#!/usr/bin/env ruby\nShop::CLI.new.run\n",
    "bin/shopctl": "#!/usr/bin/env ruby\nShop::CLI.new.stop\n",
    "bin/console": "#!/usr/bin/env ruby\nputs Shop\n",
    "tool/x/shop": "#!/usr/bin/env ruby\nShop::CLI.new.run\n",
    "lib/shop.rb": "module Shop\n  class CLI; def run; end; def stop; end; end\nend\n",
}


@pytest.mark.parametrize(
    ("said", "commands"),
    [
        (
            's.executables = ["shop", "shopctl"]\n  s.bindir = "bin"',
            {"bin.shop": "runs as shop", "bin.shopctl": "runs as shopctl"},
        ),
        ("s.executables = %w[shop shopctl]", {"bin.shop": "runs as shop", "bin.shopctl": "runs as shopctl"}),
        ("s.executables << 'shopctl'", {"bin.shopctl": "runs as shopctl"}),
        (
            "s.bindir = './tool/x'\n  s.executables = s.files.grep(%r{^tool/}) { |f| f }",
            {"tool.x.shop": "runs as shop"},
        ),
        ("s.name = 'shop'", {}),
        ("s.executables = ['missing']", {}),
        (f"s.executables = [{'[' * 100_000}", {}),
    ],
)
def test_a_gem_says_which_commands_it_installs(tmp_path: Path, said: str, commands: dict[str, str]) -> None:
    repository = tmp_path / "shop"
    for path, text in {**FILES, "shop.gemspec": f"Gem::Specification.new do |s|\n  {said}\nend\n"}.items():
        (repository / path).parent.mkdir(parents=True, exist_ok=True)
        (repository / path).write_text(text)
    words = ("map", "--mode", "heavy", "--format", "json", "--repo", str(repository))
    items = run_here(tmp_path, *words).json()["items"]
    assert commands == {
        item["symbol"]: reason["detail"]
        for item in items
        for reason in item["reasons"]
        if reason["detail"].startswith("runs as")
    }
