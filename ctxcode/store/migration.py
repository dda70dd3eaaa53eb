"""Numbered schema steps, each applied in one transaction together with its number."""

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from ctxcode.model.errors import StoreError


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of a schema."""

    number: int
    """1-based; ``PRAGMA user_version`` after it."""
    name: str
    sql: str


def read_migrations(folder: Path) -> tuple[Migration, ...]:
    """Return the steps in ``NNNN_name.sql`` files, in order; their numbers run from 1 without a gap."""
    steps = []
    for number, file in enumerate(sorted(folder.glob("[0-9]*_*.sql")), start=1):
        prefix, _, name = file.stem.partition("_")
        if int(prefix) != number:
            raise StoreError(f"migration {file.name!r} should have number {number}", "Reinstall ctxcode.")
        steps.append(Migration(number, name, file.read_text(encoding="utf-8")))
    return tuple(steps)


def schema_version(connection: sqlite3.Connection) -> int:
    """Return the number of the last step a database went through."""
    row = connection.execute("PRAGMA user_version").fetchone()
    return int(row[0])


def refuse_newer(version: int, migrations: tuple[Migration, ...], path: Path) -> None:
    """Raise StoreError when a database has a schema this program does not know; it is left as it is."""
    if version > len(migrations):
        raise StoreError(
            f"{str(path)!r} was written by a newer ctxcode (schema {version}; this one knows {len(migrations)})",
            "Upgrade ctxcode; nothing was changed.",
        )


def refuse_foreign(connection: sqlite3.Connection, path: Path) -> None:
    """Raise StoreError when a database that went through no step holds tables all the same; it is left as it is."""
    # One statement: another process may be creating the tables.
    tables, version = connection.execute(
        "SELECT (SELECT count(*) FROM sqlite_schema), (SELECT user_version FROM pragma_user_version)"
    ).fetchone()
    if tables and not version:
        raise StoreError(f"{str(path)!r} is the database of another program", "Move it away; nothing was changed.")


def migrate(connection: sqlite3.Connection, migrations: tuple[Migration, ...], path: Path) -> None:
    """Apply the steps a database has not seen; two processes may do it at once."""
    while (version := schema_version(connection)) != len(migrations):
        refuse_newer(version, migrations, path)
        connection.execute("BEGIN IMMEDIATE")
        try:
            # Another process may have been faster.
            if schema_version(connection) == version:
                _apply(connection, migrations[version])
            connection.execute("COMMIT")
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")


def _apply(connection: sqlite3.Connection, migration: Migration) -> None:
    # executescript() would end the transaction.
    statement = ""
    for line in migration.sql.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            connection.execute(statement)
            statement = ""
    connection.execute(f"PRAGMA user_version = {migration.number:d}")
