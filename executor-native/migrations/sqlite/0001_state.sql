-- State of a workspace: what is materialised, by which run, and what became of each run.
-- Times are UTC milliseconds since 1970; an unpartitioned asset has the partition ''.

-- The latest of each slice. `snapshot_id`, `row_count` and `materialized_at` keep the last success while a newer run is
-- running or has failed.
CREATE TABLE materialized_partition (
    workspace         TEXT    NOT NULL,
    asset_kind        TEXT    NOT NULL,
    asset_path        TEXT    NOT NULL COLLATE NOCASE, -- as DuckLake compares names
    "partition"       TEXT    NOT NULL,
    status            TEXT    NOT NULL CHECK (status IN ('running', 'materialized', 'failed', 'cancelled')),
    job_id            TEXT    NOT NULL,
    snapshot_id       INTEGER,
    row_count         INTEGER,
    materialized_at   INTEGER,
    error             TEXT,
    updated_at        INTEGER NOT NULL,
    PRIMARY KEY (workspace, asset_kind, asset_path, "partition")
) STRICT;

-- One row per run of an asset, never removed.
CREATE TABLE materialization (
    job_id             TEXT    NOT NULL PRIMARY KEY,
    workspace          TEXT    NOT NULL,
    asset_kind         TEXT    NOT NULL,
    asset_path         TEXT    NOT NULL COLLATE NOCASE,
    "partition"        TEXT    NOT NULL,
    script             TEXT    NOT NULL,
    content_hash       TEXT    NOT NULL,
    strategy           TEXT    NOT NULL,
    status             TEXT    NOT NULL CHECK (status IN ('running', 'materialized', 'failed', 'cancelled')),
    run_trigger        TEXT    NOT NULL,
    owner              TEXT    NOT NULL,
    lease_expires_at   INTEGER NOT NULL,
    started_at         INTEGER NOT NULL,
    finished_at        INTEGER,
    snapshot_id        INTEGER,
    changed            INTEGER,
    row_count          INTEGER,
    rows_inserted      INTEGER,
    rows_deleted       INTEGER,
    timings            TEXT,
    upstream_snapshots TEXT,
    data_tests         TEXT,
    error              TEXT
) STRICT;

CREATE INDEX materialization_by_asset ON materialization (workspace, asset_kind, asset_path, started_at);
CREATE INDEX materialization_running ON materialization (workspace, owner) WHERE status = 'running';

-- A new version only when the ordered columns or their types differ from the last.
CREATE TABLE materialized_asset_schema (
    workspace   TEXT    NOT NULL,
    asset_kind  TEXT    NOT NULL,
    asset_path  TEXT    NOT NULL COLLATE NOCASE,
    version     INTEGER NOT NULL,
    columns     TEXT    NOT NULL,
    job_id      TEXT    NOT NULL,
    snapshot_id INTEGER,
    recorded_at INTEGER NOT NULL,
    PRIMARY KEY (workspace, asset_kind, asset_path, version)
) STRICT;

CREATE TABLE job (
    id               TEXT    NOT NULL PRIMARY KEY,
    workspace        TEXT    NOT NULL,
    kind             TEXT    NOT NULL,
    script           TEXT    NOT NULL,
    "partition"      TEXT    NOT NULL,
    args             TEXT,
    state            TEXT    NOT NULL CHECK (state IN ('running', 'succeeded', 'failed', 'cancelled')),
    attempts         INTEGER NOT NULL,
    owner            TEXT    NOT NULL,
    lease_expires_at INTEGER NOT NULL,
    parent           TEXT,
    created_at       INTEGER NOT NULL,
    finished_at      INTEGER
) STRICT;
