-- The event journal: the only record of what happened. Everything else about a session is read from it.
CREATE TABLE event (
  id INTEGER PRIMARY KEY,
  session TEXT NOT NULL,
  kind TEXT NOT NULL,
  version INTEGER NOT NULL,
  at REAL NOT NULL,
  body BLOB NOT NULL
) STRICT;

-- Covers the session list, which so never reads the bodies.
CREATE INDEX event_by_session ON event (session, id, kind, at);

-- Long texts by the hash of their bytes, once.
CREATE TABLE text (
  hash TEXT PRIMARY KEY,
  is_compressed INTEGER NOT NULL CHECK (is_compressed IN (0, 1)),
  body BLOB NOT NULL
) STRICT;

CREATE TABLE retrieval (
  id TEXT PRIMARY KEY,
  body BLOB NOT NULL
) STRICT;

CREATE TABLE plan (
  id TEXT PRIMARY KEY,
  created_at REAL NOT NULL,
  session TEXT,
  prompt TEXT NOT NULL,
  mode TEXT NOT NULL,
  model TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  retrieval_id TEXT REFERENCES retrieval (id),
  payload_hash TEXT REFERENCES text (hash),
  body BLOB NOT NULL
) STRICT;

CREATE INDEX plan_by_time ON plan (created_at);
