//! The store's tables: the same statements for each database that keeps them.

use parser_core::plan::Strategy;
use sqlx::{
    ColumnIndex, Connection, Database, Decode, Encode, Executor, IntoArguments, Row, Transaction,
    Type,
};

use super::{AssetKey, Begin, End, Leaves, RunRecord, SchemaRecord, SliceRecord, Status};

/// In what databases differ.
pub(super) trait Dialect: Database {
    /// Begins a transaction that writes.
    const BEGIN: &'static str;
    /// An asset's path where it is compared with one in lower case.
    const PATH: &'static str;
    /// Waits until no other transaction records columns of the asset `$1`; `None` where writers take turns anyway.
    const LOCK_SCHEMA: Option<&'static str>;
}

/// What may go wrong with a statement; the store adds where.
#[derive(Debug)]
pub(super) enum Fault {
    Sql(sqlx::Error),
    Json(serde_json::Error),
}

impl From<sqlx::Error> for Fault {
    fn from(error: sqlx::Error) -> Self {
        Self::Sql(error)
    }
}

impl From<serde_json::Error> for Fault {
    fn from(error: serde_json::Error) -> Self {
        Self::Json(error)
    }
}

/// The tables of a workspace, through a connection.
pub(super) struct Tables<'c, DB: Dialect> {
    pub(super) connection: &'c mut DB::Connection,
    pub(super) workspace: &'c str,
    /// How long a record is trusted without a sign of life.
    pub(super) lease_ms: i64,
}

impl<DB: Dialect> Tables<'_, DB>
where
    for<'c> &'c mut DB::Connection: Executor<'c, Database = DB>,
    for<'q> DB::Arguments<'q>: IntoArguments<'q, DB>,
    for<'q> String: Encode<'q, DB> + Decode<'q, DB> + Type<DB>,
    for<'q> &'q str: Encode<'q, DB> + Type<DB>,
    for<'q> i64: Encode<'q, DB> + Decode<'q, DB> + Type<DB>,
    for<'q> bool: Encode<'q, DB> + Type<DB>,
    for<'q> Option<String>: Encode<'q, DB>,
    for<'q> Option<&'q str>: Encode<'q, DB>,
    for<'q> Option<i64>: Encode<'q, DB>,
    for<'q> Option<bool>: Encode<'q, DB>,
    for<'r> &'r str: ColumnIndex<DB::Row>,
{
    pub(super) async fn begin(self, run: &Begin, owner: &str, now_ms: i64) -> Result<(), Fault> {
        let mut tx = self.connection.begin_with(DB::BEGIN).await?;
        sqlx::query(
            "INSERT INTO job (id, workspace, kind, script, \"partition\", state, attempts, owner, lease_expires_at,
                              parent, created_at)
             VALUES ($1, $2, 'run', $3, $4, 'running', 1, $5, $6, $7, $8)",
        )
        .bind(run.job.as_str())
        .bind(self.workspace)
        .bind(run.script.as_str())
        .bind(run.partition.as_str())
        .bind(owner)
        .bind(now_ms + self.lease_ms)
        .bind(run.parent.as_deref())
        .bind(now_ms)
        .execute(&mut *tx)
        .await?;
        sqlx::query(
            "INSERT INTO materialization (job_id, workspace, asset_kind, asset_path, \"partition\", script,
                    content_hash, strategy, status, run_trigger, owner, lease_expires_at, started_at, data_tests)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'running', $9, $10, $11, $12, $13)",
        )
        .bind(run.job.as_str())
        .bind(self.workspace)
        .bind(run.asset.kind.as_str())
        .bind(run.asset.path.as_str())
        .bind(run.partition.as_str())
        .bind(run.script.as_str())
        .bind(run.content_hash.as_str())
        .bind(run.strategy.as_str())
        .bind(run.trigger.as_str())
        .bind(owner)
        .bind(now_ms + self.lease_ms)
        .bind(now_ms)
        // None has an outcome yet.
        .bind(run.tests_after_commit.then_some("[]"))
        .execute(&mut *tx)
        .await?;
        if !writes_own_slice(&run.strategy) {
            return Ok(tx.commit().await?);
        }
        let sql = format!(
            "INSERT INTO materialized_partition (workspace, asset_kind, asset_path, \"partition\", status, job_id,
                    updated_at)
             VALUES ($1, $2, $3, $4, 'running', $5, $6)
             ON CONFLICT (workspace, asset_kind, {}, \"partition\")
             DO UPDATE SET status = 'running', job_id = excluded.job_id, error = NULL, updated_at = excluded.updated_at",
            DB::PATH
        );
        sqlx::query(&sql)
            .bind(self.workspace)
            .bind(run.asset.kind.as_str())
            .bind(run.asset.path.as_str())
            .bind(run.partition.as_str())
            .bind(run.job.as_str())
            .bind(now_ms)
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(())
    }

    pub(super) async fn end(self, job: &str, end: &End, now_ms: i64) -> Result<bool, Fault> {
        let mut tx = self.connection.begin_with(DB::BEGIN).await?;
        let done = sqlx::query(
            "UPDATE materialization SET status = $2, finished_at = $3, snapshot_id = $4, changed = $5, row_count = $6,
                    rows_inserted = $7, rows_deleted = $8, timings = $9, data_tests = $10, error = $11, upstream_snapshots = $12
             WHERE job_id = $1 AND status = 'running'
             RETURNING asset_kind, asset_path, \"partition\", strategy, started_at",
        )
        .bind(job)
        .bind(end.status.as_str())
        .bind(now_ms)
        .bind(end.snapshot)
        .bind(end.changed)
        .bind(end.rows)
        .bind(end.inserted)
        .bind(end.deleted)
        .bind(end.timings.as_ref().map(ToString::to_string))
        .bind(end.data_tests.as_ref().map(ToString::to_string))
        .bind(end.error.as_deref())
        .bind(end.upstream_snapshots.as_ref().map(ToString::to_string))
        .fetch_optional(&mut *tx)
        .await?;
        let Some(row) = done else {
            return Ok(false);
        };
        let asset = AssetKey {
            kind: row.try_get("asset_kind")?,
            path: row.try_get("asset_path")?,
        };
        let partition: String = row.try_get("partition")?;
        let strategy: String = row.try_get("strategy")?;
        let started_at: i64 = row.try_get("started_at")?;
        sqlx::query("UPDATE job SET state = $2, finished_at = $3 WHERE id = $1")
            .bind(job)
            .bind(match end.status {
                Status::Running => "running",
                Status::Materialized => "succeeded",
                Status::Failed => "failed",
                Status::Cancelled => "cancelled",
            })
            .bind(now_ms)
            .execute(&mut *tx)
            .await?;
        // A commit stands even when a data test then failed the run: the slice's snapshot is the newest either way.
        let committed = end.snapshot.is_some() || end.status == Status::Materialized;
        let sql = writes_own_slice(&strategy).then(|| format!(
            // Runs of one slice may overlap: the row belongs to the one that began last, and its numbers to the newest
            // snapshot. A snapshot recorded before this run began is older whatever its number: lakes can be made anew.
            "WITH this AS (
                 SELECT started_at FROM materialization WHERE job_id = $5
             )
             UPDATE materialized_partition SET
                 status = CASE WHEN job_id = $5 OR status <> 'running' THEN $6 ELSE status END,
                 error = CASE WHEN job_id = $5 OR status <> 'running' THEN $7 ELSE error END,
                 updated_at = $8,
                 row_count = CASE WHEN $10 AND ($9 IS NULL OR snapshot_id IS NULL OR $9 > snapshot_id
                         OR coalesce(materialized_at, 0) < (SELECT started_at FROM this))
                     THEN coalesce($11, row_count) ELSE row_count END,
                 materialized_at = CASE WHEN $10 THEN $8 ELSE materialized_at END,
                 snapshot_id = CASE WHEN $9 IS NOT NULL AND (snapshot_id IS NULL OR $9 > snapshot_id
                         OR coalesce(materialized_at, 0) < (SELECT started_at FROM this))
                     THEN $9 ELSE snapshot_id END
             WHERE workspace = $1 AND asset_kind = $2 AND {} = $3 AND \"partition\" = $4
                 AND (job_id = $5 OR ($9 IS NOT NULL AND (snapshot_id IS NULL OR $9 > snapshot_id)))",
            DB::PATH
        ));
        if let Some(sql) = sql {
            sqlx::query(&sql)
                .bind(self.workspace)
                .bind(asset.kind.as_str())
                .bind(asset.path.to_ascii_lowercase())
                .bind(partition.as_str())
                .bind(job)
                .bind(end.status.as_str())
                .bind(end.error.as_deref())
                .bind(now_ms)
                .bind(end.snapshot)
                .bind(committed)
                .bind(end.rows)
                .execute(&mut *tx)
                .await?;
        }
        if let Some(snapshot) = end.snapshot {
            let commit = Commit {
                workspace: self.workspace,
                asset: &asset,
                job,
                snapshot,
                started_at,
            };
            Self::void(&mut tx, &commit, &partition, &end.leaves).await?;
            if let Leaves::Only(slices) = &end.leaves {
                Self::record_slices(&mut tx, &commit, slices, now_ms).await?;
            }
        }
        if let (Status::Materialized, Some(columns)) = (end.status, &end.columns) {
            let columns: Vec<_> = columns
                .iter()
                .map(|column| serde_json::json!({ "name": column.name, "type": column.data_type }))
                .collect();
            let schema = Schema {
                workspace: self.workspace,
                asset: &asset,
                columns: serde_json::to_string(&columns)?,
                job,
                snapshot: end.snapshot,
            };
            Self::record_schema(&mut tx, &schema, now_ms).await?;
        }
        tx.commit().await?;
        Ok(true)
    }

    /// Forgets what earlier commits wrote and a later one took away. Runs that are under way keep their records.
    async fn void(
        tx: &mut Transaction<'_, DB>,
        commit: &Commit<'_>,
        own: &str,
        leaves: &Leaves,
    ) -> Result<(), Fault> {
        let (own, only_whole) = match leaves {
            // A table that has slices is not written as a whole.
            Leaves::All => (Some(own), true),
            Leaves::Own => (Some(own), false),
            Leaves::Only(_) => (None, false),
        };
        for (what, running) in [
            ("DELETE FROM materialized_partition", "<>"),
            (
                "UPDATE materialized_partition SET snapshot_id = NULL, row_count = NULL, materialized_at = NULL",
                "=",
            ),
        ] {
            let sql = format!(
                "{what} WHERE workspace = $1 AND asset_kind = $2 AND {} = $3 AND status {running} 'running'
                     AND ($4 IS NULL OR \"partition\" <> $4) AND (NOT $5 OR \"partition\" = '')
                     AND (snapshot_id IS NULL OR snapshot_id < $6 OR coalesce(materialized_at, 0) < $7)",
                DB::PATH
            );
            sqlx::query(&sql)
                .bind(commit.workspace)
                .bind(commit.asset.kind.as_str())
                .bind(commit.asset.path.to_ascii_lowercase())
                .bind(own)
                .bind(only_whole)
                .bind(commit.snapshot)
                .bind(commit.started_at)
                .execute(&mut **tx)
                .await?;
        }
        Ok(())
    }

    /// Records the slices that a commit left, but for those that a later one has written since.
    async fn record_slices(
        tx: &mut Transaction<'_, DB>,
        commit: &Commit<'_>,
        slices: &[(String, i64)],
        now_ms: i64,
    ) -> Result<(), Fault> {
        let sql = format!(
            "INSERT INTO materialized_partition (workspace, asset_kind, asset_path, \"partition\", status, job_id,
                    snapshot_id, row_count, materialized_at, updated_at)
             VALUES ($1, $2, $3, $4, 'materialized', $5, $6, $7, $8, $8)
             ON CONFLICT (workspace, asset_kind, {}, \"partition\")
             DO UPDATE SET snapshot_id = excluded.snapshot_id, row_count = excluded.row_count,
                 materialized_at = excluded.materialized_at
             WHERE materialized_partition.snapshot_id IS NULL",
            DB::PATH
        );
        for (slice, rows) in slices {
            sqlx::query(&sql)
                .bind(commit.workspace)
                .bind(commit.asset.kind.as_str())
                .bind(commit.asset.path.as_str())
                .bind(slice.as_str())
                .bind(commit.job)
                .bind(commit.snapshot)
                .bind(*rows)
                .bind(now_ms)
                .execute(&mut **tx)
                .await?;
        }
        Ok(())
    }

    async fn record_schema(
        tx: &mut Transaction<'_, DB>,
        schema: &Schema<'_>,
        now_ms: i64,
    ) -> Result<(), Fault> {
        let path = schema.asset.path.to_ascii_lowercase();
        if let Some(lock) = DB::LOCK_SCHEMA {
            let name = format!(
                "lakemill schema {}/{}/{path}",
                schema.workspace, schema.asset.kind
            );
            sqlx::query(lock).bind(name).execute(&mut **tx).await?;
        }
        let sql = format!(
            "INSERT INTO materialized_asset_schema (workspace, asset_kind, asset_path, version, columns, job_id, snapshot_id,
                    recorded_at)
             SELECT $1, $2, $3, coalesce(max(version), 0) + 1, $5, $6, $7, $8
             FROM materialized_asset_schema WHERE workspace = $1 AND asset_kind = $2 AND {0} = $4
             HAVING coalesce((SELECT columns FROM materialized_asset_schema
                              WHERE workspace = $1 AND asset_kind = $2 AND {0} = $4
                              ORDER BY version DESC LIMIT 1), '') <> $5",
            DB::PATH
        );
        sqlx::query(&sql)
            .bind(schema.workspace)
            .bind(schema.asset.kind.as_str())
            .bind(schema.asset.path.as_str())
            .bind(path)
            .bind(schema.columns.as_str())
            .bind(schema.job)
            .bind(schema.snapshot)
            .bind(now_ms)
            .execute(&mut **tx)
            .await?;
        Ok(())
    }

    pub(super) async fn renew(self, owner: &str, now_ms: i64) -> Result<(), Fault> {
        let mut tx = self.connection.begin_with(DB::BEGIN).await?;
        for sql in [
            "UPDATE materialization SET lease_expires_at = $2 WHERE owner = $1 AND status = 'running'",
            "UPDATE job SET lease_expires_at = $2 WHERE owner = $1 AND state = 'running'",
        ] {
            sqlx::query(sql)
                .bind(owner)
                .bind(now_ms + self.lease_ms)
                .execute(&mut *tx)
                .await?;
        }
        tx.commit().await?;
        Ok(())
    }

    pub(super) async fn still_runs(self, job: &str) -> Result<bool, Fault> {
        let row = sqlx::query(
            "SELECT job_id FROM materialization WHERE job_id = $1 AND status = 'running'",
        )
        .bind(job)
        .fetch_optional(&mut *self.connection)
        .await?;
        Ok(row.is_some())
    }

    pub(super) async fn running(self) -> Result<Vec<RunRecord>, Fault> {
        let rows = sqlx::query(
            "SELECT * FROM materialization WHERE workspace = $1 AND status = 'running' ORDER BY started_at, job_id",
        )
        .bind(self.workspace)
        .fetch_all(&mut *self.connection)
        .await?;
        rows.iter().map(Self::run_record).collect()
    }

    pub(super) async fn runs(self, asset: &AssetKey, limit: u32) -> Result<Vec<RunRecord>, Fault> {
        let sql = format!(
            "SELECT * FROM materialization WHERE workspace = $1 AND asset_kind = $2 AND {} = $3
             ORDER BY started_at DESC, job_id DESC LIMIT $4",
            DB::PATH
        );
        let rows = sqlx::query(&sql)
            .bind(self.workspace)
            .bind(asset.kind.as_str())
            .bind(asset.path.to_ascii_lowercase())
            .bind(i64::from(limit))
            .fetch_all(&mut *self.connection)
            .await?;
        rows.iter().map(Self::run_record).collect()
    }

    pub(super) async fn slices(self, asset: Option<&AssetKey>) -> Result<Vec<SliceRecord>, Fault> {
        let sql = format!(
            "SELECT * FROM materialized_partition
             WHERE workspace = $1 AND ($2 IS NULL OR (asset_kind = $2 AND {0} = $3))
             ORDER BY asset_kind, {0}, \"partition\"",
            DB::PATH
        );
        let rows = sqlx::query(&sql)
            .bind(self.workspace)
            .bind(asset.map(|asset| asset.kind.as_str()))
            .bind(asset.map(|asset| asset.path.to_ascii_lowercase()))
            .fetch_all(&mut *self.connection)
            .await?;
        rows.iter()
            .map(|row| {
                Ok(SliceRecord {
                    asset: Self::asset(row)?,
                    partition: row.try_get("partition")?,
                    status: Self::status(row)?,
                    job: row.try_get("job_id")?,
                    snapshot: row.try_get("snapshot_id")?,
                    rows: row.try_get("row_count")?,
                    materialized_at: row.try_get("materialized_at")?,
                    error: row.try_get("error")?,
                    updated_at: row.try_get("updated_at")?,
                })
            })
            .collect()
    }

    pub(super) async fn schemas(self, asset: &AssetKey) -> Result<Vec<SchemaRecord>, Fault> {
        let sql = format!(
            "SELECT version, columns, job_id, snapshot_id, recorded_at FROM materialized_asset_schema
             WHERE workspace = $1 AND asset_kind = $2 AND {} = $3 ORDER BY version",
            DB::PATH
        );
        let rows = sqlx::query(&sql)
            .bind(self.workspace)
            .bind(asset.kind.as_str())
            .bind(asset.path.to_ascii_lowercase())
            .fetch_all(&mut *self.connection)
            .await?;
        rows.iter()
            .map(|row| {
                let columns: String = row.try_get("columns")?;
                Ok(SchemaRecord {
                    version: row.try_get("version")?,
                    columns: serde_json::from_str(&columns)?,
                    job: row.try_get("job_id")?,
                    snapshot: row.try_get("snapshot_id")?,
                    recorded_at: row.try_get("recorded_at")?,
                })
            })
            .collect()
    }

    fn asset(row: &DB::Row) -> Result<AssetKey, sqlx::Error> {
        Ok(AssetKey {
            kind: row.try_get("asset_kind")?,
            path: row.try_get("asset_path")?,
        })
    }

    fn status(row: &DB::Row) -> Result<Status, sqlx::Error> {
        let name: String = row.try_get("status")?;
        Status::from_name(&name)
            .ok_or_else(|| sqlx::Error::Decode(format!("unknown status `{name}`").into()))
    }

    fn run_record(row: &DB::Row) -> Result<RunRecord, Fault> {
        let tests: Option<String> = row.try_get("data_tests")?;
        Ok(RunRecord {
            job: row.try_get("job_id")?,
            asset: Self::asset(row)?,
            partition: row.try_get("partition")?,
            script: row.try_get("script")?,
            strategy: row.try_get("strategy")?,
            status: Self::status(row)?,
            trigger: row.try_get("run_trigger")?,
            started_at: row.try_get("started_at")?,
            finished_at: row.try_get("finished_at")?,
            snapshot: row.try_get("snapshot_id")?,
            rows: row.try_get("row_count")?,
            data_tests: tests.map(|text| serde_json::from_str(&text)).transpose()?,
            error: row.try_get("error")?,
            owner: row.try_get("owner")?,
            lease_expires_at: row.try_get("lease_expires_at")?,
        })
    }
}

/// Whether a run has a slice, or the whole table, of its own: a rebuild moves what others wrote.
fn writes_own_slice(strategy: &str) -> bool {
    strategy != Strategy::Rebuild.as_str()
}

/// A commit of a run.
struct Commit<'a> {
    workspace: &'a str,
    asset: &'a AssetKey,
    job: &'a str,
    snapshot: i64,
    started_at: i64,
}

/// Columns that a run left.
struct Schema<'a> {
    workspace: &'a str,
    asset: &'a AssetKey,
    /// As JSON.
    columns: String,
    job: &'a str,
    snapshot: Option<i64>,
}
