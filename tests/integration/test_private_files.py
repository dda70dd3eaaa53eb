"""Files of a database are made private without getting in the way of who has them open."""

import sqlite3
import subprocess
import sys
from pathlib import Path

from ctxcode.store.disk import make_private

OTHER = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute('BEGIN EXCLUSIVE')"


def test_a_database_that_is_open_keeps_its_locks_when_its_file_is_made_private(tmp_path: Path) -> None:
    path = tmp_path / "rows.db"
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("CREATE TABLE row (id INTEGER)")
    connection.execute("BEGIN EXCLUSIVE")
    make_private(path)
    outcome = subprocess.run([sys.executable, "-c", OTHER, str(path)], capture_output=True, text=True, check=False)
    assert "database is locked" in outcome.stderr
    connection.close()


def test_a_file_that_is_there_is_made_private_and_one_that_is_not_is_created(tmp_path: Path) -> None:
    there, missing = tmp_path / "there.db", tmp_path / "inner" / "missing.db"
    there.write_text("rows")
    there.chmod(0o644)
    for path in (there, missing):
        make_private(path)
        assert 0o600 == path.stat().st_mode & 0o777
    assert "rows" == there.read_text()
    assert 0o700 == missing.parent.stat().st_mode & 0o777
