-- State of a workspace: what is materialised, by which run, and what became of each run. As in migrations/sqlite.
-- Times are UTC milliseconds since 1970; an unpartitioned asset has the partition ''.
-- Texts compare by their bytes, and asset paths without the case of ASCII letters, as DuckLake compares names: in the "C"
-- collation `lower` changes no other letter.

-- The latest of each slice. `snapshot_id`, `row_count` and `materialized_at` keep the last success while a newer run is
-- running or has failed.
CREATE TABLE materialized_partition (
    workspace         TEXT   NOT NULL,
    asset_kind        TEXT   NOT NULL,
    asset_path        TEXT   COLLATE "C" NOT NULL,
    "partition"       TEXT   COLLATE "C" NOT NULL,
    status            TEXT   NOT NULL CHECK (status IN ('running', 'materialized', 'failed', 'cancelled')),
    job_id            TEXT   NOT NULL,
    snapshot_id       BIGINT,
    row_count         BIGINT,
    materialized_at   BIGINT,
    error             TEXT,
    updated_at        BIGINT NOT NULL
);

CREATE UNIQUE INDEX materialized_partition_key
    ON materialized_partition (workspace, asset_kind, lower(asset_path), "partition");

-- One row per run of an asset, never removed.
CREATE TABLE materialization (
    job_id             TEXT   NOT NULL PRIMARY KEY,
    workspace          TEXT   NOT NULL,
    asset_kind         TEXT   NOT NULL,
    asset_path         TEXT   COLLATE "C" NOT NULL,
    "partition"        TEXT   COLLATE "C" NOT NULL,
    script             TEXT   NOT NULL,
    content_hash       TEXT   NOT NULL,
    strategy           TEXT   NOT NULL,
    status             TEXT   NOT NULL CHECK (status IN ('running', 'materialized', 'failed', 'cancelled')),
    run_trigger        TEXT   NOT NULL,
    owner              TEXT   NOT NULL,
    lease_expires_at   BIGINT NOT NULL,
    started_at         BIGINT NOT NULL,
    finished_at        BIGINT,
    snapshot_id        BIGINT,
    changed            BOOLEAN,
    row_count          BIGINT,
    rows_inserted      BIGINT,
    rows_deleted       BIGINT,
    timings            TEXT,
    upstream_snapshots TEXT,
    data_tests         TEXT,
    error              TEXT
);

CREATE INDEX materialization_by_asset ON materialization (workspace, asset_kind, lower(asset_path), started_at);
CREATE INDEX materialization_running ON materialization (workspace, owner) WHERE status = 'running';

-- A new version only when the ordered columns or their types differ from the last.
CREATE TABLE materialized_asset_schema (
    workspace   TEXT   NOT NULL,
    asset_kind  TEXT   NOT NULL,
    asset_path  TEXT   COLLATE "C" NOT NULL,
    version     BIGINT NOT NULL,
    columns     TEXT   NOT NULL,
    job_id      TEXT   NOT NULL,
    snapshot_id BIGINT,
    recorded_at BIGINT NOT NULL
);

CREATE UNIQUE INDEX materialized_asset_schema_key
    ON materialized_asset_schema (workspace, asset_kind, lower(asset_path), version);

CREATE TABLE job (
    id               TEXT   NOT NULL PRIMARY KEY,
    workspace        TEXT   NOT NULL,
    kind             TEXT   NOT NULL,
    script           TEXT   NOT NULL,
    "partition"      TEXT   NOT NULL,
    args             TEXT,
    state            TEXT   NOT NULL CHECK (state IN ('running', 'succeeded', 'failed', 'cancelled')),
    attempts         BIGINT NOT NULL,
    owner            TEXT   NOT NULL,
    lease_expires_at BIGINT NOT NULL,
    parent           TEXT,
    created_at       BIGINT NOT NULL,
    finished_at      BIGINT
);

CREATE INDEX job_running ON job (owner) WHERE state = 'running';
