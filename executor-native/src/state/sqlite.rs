//! The state store in a SQLite file: the embedded default.

use std::fs::File;
use std::path::Path;
use std::time::Duration;

use sqlx::Row as _;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteRow,
    SqliteSynchronous,
};
use tokio::runtime::Runtime;

use super::{
    AssetKey, Begin, End, LEASE_MS, RunRecord, SchemaRecord, SliceRecord, StateError, StateStore,
    Status, WORKSPACE,
};

static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!("migrations/sqlite");

/// Writes take the lock at once: a transaction that reads first and writes later could not wait for another writer.
const BEGIN: &str = "BEGIN IMMEDIATE";

/// A state store in a SQLite file.
#[derive(Debug)]
pub struct SqliteState {
    pool: SqlitePool,
    runtime: Runtime,
}

impl SqliteState {
    /// Opens `file`, making and migrating it under a file lock: several processes may start at once.
    ///
    /// # Errors
    /// [`StateError::Open`], [`StateError::Newer`], [`StateError::Lock`].
    pub fn open(file: &Path) -> Result<Self, StateError> {
        let fail = |reason: String| StateError::Open {
            path: file.to_path_buf(),
            reason,
        };
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).map_err(|error| fail(error.to_string()))?;
        }
        let lock_path = file.with_extension("lock");
        let lock = File::create(&lock_path)
            .and_then(|lock| lock.lock().map(|()| lock))
            .map_err(|source| StateError::Lock {
                path: lock_path,
                source,
            })?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| fail(error.to_string()))?;
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // A record that says `materialized` must not be lost when the machine stops.
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(Duration::from_secs(30));
        let pool = runtime.block_on(async {
            let pool = SqlitePoolOptions::new()
                .max_connections(1)
                .idle_timeout(None)
                .max_lifetime(None)
                .connect_with(options)
                .await
                .map_err(|error| fail(error.to_string()))?;
            match MIGRATIONS.run(&pool).await {
                Ok(()) => Ok(pool),
                Err(sqlx::migrate::MigrateError::VersionMissing(_)) => {
                    Err(StateError::Newer(file.to_path_buf()))
                }
                Err(error) => Err(fail(error.to_string())),
            }
        })?;
        drop(lock);
        Ok(Self { pool, runtime })
    }
}

impl StateStore for SqliteState {
    fn begin(&self, run: &Begin, owner: &str, now_ms: i64) -> Result<(), StateError> {
        self.runtime.block_on(async {
            let mut tx = self.pool.begin_with(BEGIN).await?;
            sqlx::query(
                "INSERT INTO job (id, workspace, kind, script, \"partition\", state, attempts, owner, lease_expires_at,
                                  parent, created_at)
                 VALUES (?1, ?2, 'run', ?3, ?4, 'running', 1, ?5, ?6, ?7, ?8)",
            )
            .bind(&run.job)
            .bind(WORKSPACE)
            .bind(&run.script)
            .bind(&run.partition)
            .bind(owner)
            .bind(now_ms + LEASE_MS)
            .bind(&run.parent)
            .bind(now_ms)
            .execute(&mut *tx)
            .await?;
            sqlx::query(
                "INSERT INTO materialization (job_id, workspace, asset_kind, asset_path, \"partition\", script,
                        content_hash, strategy, status, run_trigger, owner, lease_expires_at, started_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'running', ?9, ?10, ?11, ?12)",
            )
            .bind(&run.job)
            .bind(WORKSPACE)
            .bind(&run.asset.kind)
            .bind(&run.asset.path)
            .bind(&run.partition)
            .bind(&run.script)
            .bind(&run.content_hash)
            .bind(&run.strategy)
            .bind(&run.trigger)
            .bind(owner)
            .bind(now_ms + LEASE_MS)
            .bind(now_ms)
            .execute(&mut *tx)
            .await?;
            sqlx::query(
                "INSERT INTO materialized_partition (workspace, asset_kind, asset_path, \"partition\", status, job_id,
                        updated_at)
                 VALUES (?1, ?2, ?3, ?4, 'running', ?5, ?6)
                 ON CONFLICT (workspace, asset_kind, asset_path, \"partition\")
                 DO UPDATE SET status = 'running', job_id = excluded.job_id, error = NULL, updated_at = excluded.updated_at",
            )
            .bind(WORKSPACE)
            .bind(&run.asset.kind)
            .bind(&run.asset.path)
            .bind(&run.partition)
            .bind(&run.job)
            .bind(now_ms)
            .execute(&mut *tx)
            .await?;
            tx.commit().await?;
            Ok(())
        })
    }

    fn end(&self, job: &str, end: &End, now_ms: i64) -> Result<bool, StateError> {
        self.runtime.block_on(async {
            let mut tx = self.pool.begin_with(BEGIN).await?;
            let done = sqlx::query(
                "UPDATE materialization SET status = ?2, finished_at = ?3, snapshot_id = ?4, changed = ?5, row_count = ?6,
                        rows_inserted = ?7, rows_deleted = ?8, timings = ?9, data_tests = ?10, error = ?11, upstream_snapshots = ?12
                 WHERE job_id = ?1 AND status = 'running'
                 RETURNING asset_kind, asset_path, \"partition\"",
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
            .bind(&end.error)
            .bind(end.upstream_snapshots.as_ref().map(ToString::to_string))
            .fetch_optional(&mut *tx)
            .await?;
            let Some(row) = done else {
                return Ok(false);
            };
            let asset = AssetKey {
                kind: row.try_get(0)?,
                path: row.try_get(1)?,
            };
            let partition: String = row.try_get(2)?;
            sqlx::query("UPDATE job SET state = ?2, finished_at = ?3 WHERE id = ?1")
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
            sqlx::query(
                // Runs of one slice may overlap: the row belongs to the one that began last, and its numbers to the newest
                // snapshot. A snapshot recorded before this run began is older whatever its number: lakes can be made anew.
                "WITH this AS (
                     SELECT started_at FROM materialization WHERE job_id = ?5
                 )
                 UPDATE materialized_partition SET
                     status = CASE WHEN job_id = ?5 OR status <> 'running' THEN ?6 ELSE status END,
                     error = CASE WHEN job_id = ?5 OR status <> 'running' THEN ?7 ELSE error END,
                     updated_at = ?8,
                     row_count = CASE WHEN ?10 AND (?9 IS NULL OR snapshot_id IS NULL OR ?9 > snapshot_id
                             OR coalesce(materialized_at, 0) < (SELECT started_at FROM this))
                         THEN coalesce(?11, row_count) ELSE row_count END,
                     materialized_at = CASE WHEN ?10 THEN ?8 ELSE materialized_at END,
                     snapshot_id = CASE WHEN ?9 IS NOT NULL AND (snapshot_id IS NULL OR ?9 > snapshot_id
                             OR coalesce(materialized_at, 0) < (SELECT started_at FROM this))
                         THEN ?9 ELSE snapshot_id END
                 WHERE workspace = ?1 AND asset_kind = ?2 AND asset_path = ?3 AND \"partition\" = ?4
                     AND (job_id = ?5 OR (?9 IS NOT NULL AND (snapshot_id IS NULL OR ?9 > snapshot_id)))",
            )
            .bind(WORKSPACE)
            .bind(&asset.kind)
            .bind(&asset.path)
            .bind(&partition)
            .bind(job)
            .bind(end.status.as_str())
            .bind(&end.error)
            .bind(now_ms)
            .bind(end.snapshot)
            .bind(committed)
            .bind(end.rows)
            .execute(&mut *tx)
            .await?;
            if let (Status::Materialized, Some(columns)) = (end.status, &end.columns) {
                let columns: Vec<_> = columns
                    .iter()
                    .map(|column| serde_json::json!({ "name": column.name, "type": column.data_type }))
                    .collect();
                record_schema(&mut tx, &asset, &serde_json::to_string(&columns)?, job, end.snapshot, now_ms).await?;
            }
            tx.commit().await?;
            Ok(true)
        })
    }

    fn renew(&self, owner: &str, now_ms: i64) -> Result<(), StateError> {
        self.runtime.block_on(async {
            let mut tx = self.pool.begin_with(BEGIN).await?;
            for sql in [
                "UPDATE materialization SET lease_expires_at = ?2 WHERE owner = ?1 AND status = 'running'",
                "UPDATE job SET lease_expires_at = ?2 WHERE owner = ?1 AND state = 'running'",
            ] {
                sqlx::query(sql)
                    .bind(owner)
                    .bind(now_ms + LEASE_MS)
                    .execute(&mut *tx)
                    .await?;
            }
            tx.commit().await?;
            Ok(())
        })
    }

    fn running(&self) -> Result<Vec<RunRecord>, StateError> {
        self.fetch_runs(
            "SELECT * FROM materialization WHERE workspace = ?1 AND status = 'running' ORDER BY started_at, job_id",
            &[WORKSPACE],
            None,
        )
    }

    fn slices(&self, asset: Option<&AssetKey>) -> Result<Vec<SliceRecord>, StateError> {
        self.runtime.block_on(async {
            let rows = sqlx::query(
                "SELECT asset_kind, asset_path, \"partition\", status, job_id, snapshot_id, row_count, materialized_at,
                        error, updated_at
                 FROM materialized_partition
                 WHERE workspace = ?1 AND (?2 IS NULL OR (asset_kind = ?2 AND asset_path = ?3))
                 ORDER BY asset_kind, asset_path, \"partition\"",
            )
            .bind(WORKSPACE)
            .bind(asset.map(|asset| &asset.kind))
            .bind(asset.map(|asset| &asset.path))
            .fetch_all(&self.pool)
            .await?;
            rows.iter()
                .map(|row| {
                    Ok(SliceRecord {
                        asset: AssetKey {
                            kind: row.try_get(0)?,
                            path: row.try_get(1)?,
                        },
                        partition: row.try_get(2)?,
                        status: status(row, 3)?,
                        job: row.try_get(4)?,
                        snapshot: row.try_get(5)?,
                        rows: row.try_get(6)?,
                        materialized_at: row.try_get(7)?,
                        error: row.try_get(8)?,
                        updated_at: row.try_get(9)?,
                    })
                })
                .collect()
        })
    }

    fn runs(&self, asset: &AssetKey, limit: u32) -> Result<Vec<RunRecord>, StateError> {
        self.fetch_runs(
            "SELECT * FROM materialization WHERE workspace = ?1 AND asset_kind = ?2 AND asset_path = ?3
             ORDER BY started_at DESC, job_id DESC LIMIT ?4",
            &[WORKSPACE, &asset.kind, &asset.path],
            Some(limit),
        )
    }

    fn schemas(&self, asset: &AssetKey) -> Result<Vec<SchemaRecord>, StateError> {
        self.runtime.block_on(async {
            let rows = sqlx::query(
                "SELECT version, columns, job_id, snapshot_id, recorded_at FROM materialized_asset_schema
                 WHERE workspace = ?1 AND asset_kind = ?2 AND asset_path = ?3 ORDER BY version",
            )
            .bind(WORKSPACE)
            .bind(&asset.kind)
            .bind(&asset.path)
            .fetch_all(&self.pool)
            .await?;
            rows.iter()
                .map(|row| {
                    Ok(SchemaRecord {
                        version: row.try_get(0)?,
                        columns: serde_json::from_str(row.try_get(1)?)?,
                        job: row.try_get(2)?,
                        snapshot: row.try_get(3)?,
                        recorded_at: row.try_get(4)?,
                    })
                })
                .collect()
        })
    }
}

impl SqliteState {
    fn fetch_runs(
        &self,
        sql: &'static str,
        texts: &[&str],
        limit: Option<u32>,
    ) -> Result<Vec<RunRecord>, StateError> {
        self.runtime.block_on(async {
            let mut query = sqlx::query(sql);
            for text in texts {
                query = query.bind((*text).to_owned());
            }
            if let Some(limit) = limit {
                query = query.bind(limit);
            }
            let rows = query.fetch_all(&self.pool).await?;
            rows.iter().map(run_record).collect()
        })
    }
}

async fn record_schema(
    tx: &mut sqlx::Transaction<'_, sqlx::Sqlite>,
    asset: &AssetKey,
    columns: &str,
    job: &str,
    snapshot: Option<i64>,
    now_ms: i64,
) -> Result<(), StateError> {
    sqlx::query(
        "INSERT INTO materialized_asset_schema (workspace, asset_kind, asset_path, version, columns, job_id, snapshot_id,
                recorded_at)
         SELECT ?1, ?2, ?3, coalesce(max(version), 0) + 1, ?4, ?5, ?6, ?7
         FROM materialized_asset_schema WHERE workspace = ?1 AND asset_kind = ?2 AND asset_path = ?3
         HAVING coalesce((SELECT columns FROM materialized_asset_schema
                          WHERE workspace = ?1 AND asset_kind = ?2 AND asset_path = ?3
                          ORDER BY version DESC LIMIT 1), '') <> ?4",
    )
    .bind(WORKSPACE)
    .bind(&asset.kind)
    .bind(&asset.path)
    .bind(columns)
    .bind(job)
    .bind(snapshot)
    .bind(now_ms)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

fn status(row: &SqliteRow, column: usize) -> Result<Status, sqlx::Error> {
    let name: String = row.try_get(column)?;
    Status::from_name(&name)
        .ok_or_else(|| sqlx::Error::Decode(format!("unknown status `{name}`").into()))
}

fn run_record(row: &SqliteRow) -> Result<RunRecord, StateError> {
    let name: String = row.try_get("status")?;
    let tests: Option<String> = row.try_get("data_tests")?;
    Ok(RunRecord {
        job: row.try_get("job_id")?,
        asset: AssetKey {
            kind: row.try_get("asset_kind")?,
            path: row.try_get("asset_path")?,
        },
        partition: row.try_get("partition")?,
        script: row.try_get("script")?,
        strategy: row.try_get("strategy")?,
        status: Status::from_name(&name)
            .ok_or_else(|| sqlx::Error::Decode(format!("unknown status `{name}`").into()))?,
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
