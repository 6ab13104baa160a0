//! The state store on a PostgreSQL server, which several machines share: the tables of the schema `lakemill`.
//!
//! An owner of runs is alive while a session of the server holds its advisory lock: the server frees it when the process
//! ends, however it ends, and within [`KEEPALIVE`] when its machine vanishes. A lock may be free for a moment although the
//! owner lives, because its connection broke or the server started again; so a run is given up only when its lease is over,
//! too. Both together may still be wrong about a machine that was cut off for long. Such a run finds out before it
//! publishes ([`StateStore::is_running`]) and fails: no record ever differs from the lake.

use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgConnection, Postgres};
use sqlx::{ConnectOptions, Connection, Executor};
use tokio::runtime::Runtime;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep, timeout};

use super::tables::{Dialect, Fault, Tables};
use super::{
    AssetKey, Begin, End, RunRecord, SchemaRecord, SliceRecord, StateError, StateStore, millis,
    now_ms,
};
use crate::config::{Secret, StateSource};
use crate::lake::advisory_key;

static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!("migrations/postgres");

/// A server that does not answer for so long is taken to be gone.
const ANSWER: Duration = Duration::from_secs(10);

/// How long one that starts again may take.
const RESTART: Duration = Duration::from_secs(5);

/// How soon the server finds out that the machine at the other end has vanished: 25 s. It refuses some of them where the
/// system cannot do them, or where the connection is a local socket, and then falls back to its own.
const KEEPALIVE: [&str; 3] = [
    "SET tcp_keepalives_idle = 10",
    "SET tcp_keepalives_interval = 5",
    "SET tcp_keepalives_count = 3",
];

impl Dialect for Postgres {
    const BEGIN: &'static str = "BEGIN ISOLATION LEVEL READ COMMITTED";
    const PATH: &'static str = "lower(asset_path)";
    const LOCK_SCHEMA: Option<&'static str> =
        Some("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))");
}

/// A state store on a PostgreSQL server.
#[derive(Debug)]
pub struct PostgresState {
    session: Mutex<Session>,
    runtime: Runtime,
    options: PgConnectOptions,
    place: String,
    workspace: String,
    lease: Duration,
}

/// The one connection of a process. What it holds on the server, it holds for as long as it stands.
#[derive(Debug, Default)]
struct Session {
    /// `None` after an error.
    connection: Option<PgConnection>,
    /// Whose lock is to be held.
    owner: Option<String>,
    /// Milliseconds that the server's clock is ahead of this machine's: leases are in the server's time.
    ahead_ms: i64,
    /// Whether the last attempt to connect failed: then the next is not repeated for long.
    is_gone: bool,
}

impl PostgresState {
    /// Connects to the server at `url`, making and migrating the schema `lakemill` of its database.
    ///
    /// # Errors
    /// [`StateError::Unreachable`], [`StateError::Open`], [`StateError::Newer`].
    pub fn open(url: &Secret, source: &StateSource) -> Result<Self, StateError> {
        let options: PgConnectOptions = url.expose().parse().map_err(|_| StateError::Open {
            store: "on PostgreSQL".to_owned(),
            reason:
                "its address does not read: write postgres://user:password@host:port/database, \
                     with %XX for characters that mean something there"
                    .to_owned(),
        })?;
        let options = options.application_name("lakemill");
        let place = place(&options);
        let runtime = super::runtime().map_err(|error| StateError::Open {
            store: place.clone(),
            reason: error.to_string(),
        })?;
        let session = runtime.block_on(async {
            let mut connection = connect(&options)
                .await
                .map_err(|error| StateError::opening(&place, &error))?;
            prepare(&mut connection, &place).await?;
            let ahead_ms = ahead_ms(&mut connection)
                .await
                .map_err(|error| StateError::opening(&place, &error))?;
            Ok::<_, StateError>(Session {
                connection: Some(connection),
                ahead_ms,
                ..Session::default()
            })
        })?;
        Ok(Self {
            session: Mutex::new(session),
            runtime,
            options,
            place,
            workspace: source.workspace.clone(),
            lease: source.lease,
        })
    }

    /// How messages name it: its address without the password.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.place
    }

    /// Does `work` on the connection, made anew when it broke. With an `owner`, that is known to be alive from here on.
    fn with<T>(
        &self,
        owner: Option<&str>,
        work: impl AsyncFnOnce(Tables<'_, Postgres>, i64) -> Result<T, Fault>,
    ) -> Result<T, StateError> {
        let done = self.runtime.block_on(async {
            let session = &mut *self.session.lock().await;
            let mut connection = self.connection(session).await?;
            if let Some(owner) = owner
                && session.owner.as_deref() != Some(owner)
            {
                connection
                    .execute("SELECT pg_advisory_unlock_all()")
                    .await?;
                hold(&mut connection, owner).await?;
                session.owner = Some(owner.to_owned());
            }
            let tables = Tables {
                connection: &mut connection,
                workspace: &self.workspace,
                lease_ms: millis(self.lease),
            };
            let done = timeout(3 * ANSWER, work(tables, session.ahead_ms))
                .await
                .map_err(|_| silent())??;
            // After an error it is not used again: it may have broken, or be in the middle of an exchange.
            session.connection = Some(connection);
            Ok(done)
        });
        done.map_err(|fault| StateError::during(&self.place, fault))
    }

    /// The connection out of `session`, once it is known to work.
    async fn connection(&self, session: &mut Session) -> Result<PgConnection, sqlx::Error> {
        if let Some(mut connection) = session.connection.take()
            && let Ok(Ok(())) = timeout(ANSWER, connection.ping()).await
        {
            return Ok(connection);
        }
        let patience = if session.is_gone {
            Duration::ZERO
        } else {
            RESTART
        };
        let deadline = Instant::now() + patience;
        loop {
            match self.reconnect(session).await {
                Err(error) if super::is_lost(&error) && Instant::now() < deadline => {
                    sleep(Duration::from_millis(200)).await;
                }
                result => {
                    session.is_gone = result.is_err();
                    return result;
                }
            }
        }
    }

    async fn reconnect(&self, session: &mut Session) -> Result<PgConnection, sqlx::Error> {
        let mut connection = connect(&self.options).await?;
        enter(&mut connection).await?;
        session.ahead_ms = ahead_ms(&mut connection).await?;
        if let Some(owner) = &session.owner {
            hold(&mut connection, owner).await?;
        }
        Ok(connection)
    }
}

/// A connection on which nothing was asked yet.
async fn connect(options: &PgConnectOptions) -> Result<PgConnection, sqlx::Error> {
    let mut connection = timeout(ANSWER, options.connect())
        .await
        .map_err(|_| silent())??;
    for setting in KEEPALIVE {
        // One that is refused is the server's own then; a broken connection fails the next statement.
        let _ = connection.execute(setting).await;
    }
    Ok(connection)
}

async fn enter(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    connection.execute("SET search_path TO lakemill").await?;
    Ok(())
}

/// Makes and migrates the schema; several processes may start at once.
async fn prepare(connection: &mut PgConnection, place: &str) -> Result<(), StateError> {
    let make = async |connection: &mut PgConnection| {
        sqlx::query("SELECT pg_advisory_lock($1)")
            .bind(advisory_key("lakemill state store"))
            .execute(&mut *connection)
            .await?;
        // Asked first: `IF NOT EXISTS` wants the right to make one even where it is there.
        let is_there: bool = sqlx::query_scalar("SELECT to_regnamespace('lakemill') IS NOT NULL")
            .fetch_one(&mut *connection)
            .await?;
        if !is_there {
            connection.execute("CREATE SCHEMA lakemill").await?;
        }
        enter(connection).await
    };
    make(connection)
        .await
        .map_err(|error| StateError::opening(place, &error))?;
    super::migrated(MIGRATIONS.run(&mut *connection).await, place)?;
    connection
        .execute("SELECT pg_advisory_unlock_all()")
        .await
        .map_err(|error| StateError::opening(place, &error))?;
    Ok(())
}

/// Shows that `owner` is alive. Shared, so that a connection that broke unseen does not keep out the one after it.
async fn hold(connection: &mut PgConnection, owner: &str) -> Result<(), sqlx::Error> {
    sqlx::query("SELECT pg_advisory_lock_shared($1)")
        .bind(key(owner))
        .execute(connection)
        .await?;
    Ok(())
}

fn key(owner: &str) -> i64 {
    advisory_key(&format!("lakemill owner {owner}"))
}

async fn ahead_ms(connection: &mut PgConnection) -> Result<i64, sqlx::Error> {
    let server_ms: i64 =
        sqlx::query_scalar("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::BIGINT")
            .fetch_one(connection)
            .await?;
    Ok(server_ms - now_ms())
}

/// The address without what it keeps secret.
fn place(options: &PgConnectOptions) -> String {
    let host = options.get_socket().map_or_else(
        || options.get_host().to_owned(),
        |socket| socket.display().to_string(),
    );
    format!(
        "postgres://{}@{host}:{}/{}",
        options.get_username(),
        options.get_port(),
        options.get_database().unwrap_or_default()
    )
}

fn silent() -> sqlx::Error {
    sqlx::Error::Io(std::io::Error::new(
        std::io::ErrorKind::TimedOut,
        "the server did not answer in time",
    ))
}

impl StateStore for PostgresState {
    fn lease(&self) -> Duration {
        self.lease
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn begin(&self, run: &Begin, owner: &str, now_ms: i64) -> Result<(), StateError> {
        self.with(Some(owner), async |tables, ahead_ms| {
            tables.begin(run, owner, now_ms + ahead_ms).await
        })
    }

    fn end(&self, job: &str, end: &End, now_ms: i64) -> Result<bool, StateError> {
        self.with(None, async |tables, ahead_ms| {
            tables.end(job, end, now_ms + ahead_ms).await
        })
    }

    fn renew(&self, owner: &str, now_ms: i64) -> Result<(), StateError> {
        self.with(Some(owner), async |tables, ahead_ms| {
            tables.renew(owner, now_ms + ahead_ms).await
        })
    }

    fn is_running(&self, job: &str) -> Result<bool, StateError> {
        self.with(None, async |tables, _| tables.still_runs(job).await)
    }

    fn is_abandoned(&self, run: &RunRecord) -> Result<bool, StateError> {
        self.with(None, async |tables, _| {
            // A server that has just started knows no locks yet: their owners have a lease's time to come back.
            let is_over = sqlx::query_scalar(
                "WITH server AS (
                     SELECT (extract(epoch FROM clock_timestamp()) * 1000)::BIGINT AS now_ms,
                            (extract(epoch FROM pg_postmaster_start_time()) * 1000)::BIGINT AS started_ms
                 )
                 SELECT $2 < now_ms AND started_ms + $3 < now_ms AND NOT EXISTS (
                     SELECT 1 FROM pg_locks
                     WHERE locktype = 'advisory' AND objsubid = 1 AND granted
                         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                         AND classid::BIGINT = ($1 >> 32) & 4294967295 AND objid::BIGINT = $1 & 4294967295
                 )
                 FROM server",
            )
            .bind(key(&run.owner))
            .bind(run.lease_expires_at)
            .bind(tables.lease_ms)
            .fetch_one(tables.connection)
            .await?;
            Ok(is_over)
        })
    }

    fn running(&self) -> Result<Vec<RunRecord>, StateError> {
        self.with(None, async |tables, _| tables.running().await)
    }

    fn slices(&self, asset: Option<&AssetKey>) -> Result<Vec<SliceRecord>, StateError> {
        self.with(None, async |tables, _| tables.slices(asset).await)
    }

    fn runs(&self, asset: &AssetKey, limit: u32) -> Result<Vec<RunRecord>, StateError> {
        self.with(None, async |tables, _| tables.runs(asset, limit).await)
    }

    fn schemas(&self, asset: &AssetKey) -> Result<Vec<SchemaRecord>, StateError> {
        self.with(None, async |tables, _| tables.schemas(asset).await)
    }
}
