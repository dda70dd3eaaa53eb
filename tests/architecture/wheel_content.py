"""Checks a built wheel: everything the product needs at run time is in it, and nothing else. Exits 1 when not."""

import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def missing_and_foreign(wheel: Path) -> tuple[list[str], list[str]]:
    """Return what the wheel lacks and what it should not hold."""
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if not name.endswith("/")}
    wanted = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "ctxcode").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    wanted |= {f"ctxcode/_data/themes/{path.name}" for path in (ROOT / "themes").glob("*.toml")}
    foreign = [name for name in held if name not in wanted and ".dist-info/" not in name]
    return sorted(wanted - held), sorted(foreign)


def main() -> int:
    """Check the wheel named on the command line."""
    missing, foreign = missing_and_foreign(Path(sys.argv[1]))
    sys.stdout.writelines(f"missing: {name}\n" for name in missing)
    sys.stdout.writelines(f"foreign: {name}\n" for name in foreign)
    sys.stdout.write(f"{sys.argv[1]}: {'ok' if not missing + foreign else 'wrong'}\n")
    return 1 if missing + foreign else 0


if __name__ == "__main__":
    sys.exit(main())
