//! Someone writes into the lake who is no lakemill and knows no lock of ours.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)] // the stranger talks to DuckDB in its own way

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

fn stranger(folder: &Path) -> duckdb::Connection {
    let settings = duckdb::Config::default();
    let settings = match option_env!("LAKEMILL_TOOLCHAIN_EXTENSIONS") {
        Some(folder) => settings.with("extension_directory", folder).unwrap(),
        None => settings,
    };
    let connection = duckdb::Connection::open_in_memory_with_flags(settings).unwrap();
    let home = folder.join(".lakemill");
    connection
        .execute_batch(&format!(
            "LOAD ducklake; LOAD sqlite_scanner; ATTACH 'ducklake:sqlite:{0}/lakes/shop.sqlite' AS l
             (DATA_PATH '{0}/data/shop/', META_JOURNAL_MODE 'WAL', META_BUSY_TIMEOUT 20000)",
            home.display()
        ))
        .unwrap();
    connection
}

#[test]
fn rows_in_the_catalog_are_looked_at_for_slices_too() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("pipelines")).unwrap();
    let text =
        "-- materialize ducklake://shop/t\n-- partitioned daily\nSELECT {partition}::DATE AS day\n";
    std::fs::write(folder.path().join("pipelines/t.sql"), text).unwrap();
    let run = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lakemill"));
        command.arg("-C").arg(folder.path());
        command.args(["run", "--partition", "2024-01-01"]);
        command.output().unwrap()
    };
    assert!(run().status.success());
    // One row is not worth a file to it.
    stranger(folder.path())
        .execute_batch("INSERT INTO l.t VALUES (DATE '2024-01-02', '2024-W01')")
        .unwrap();
    let refused = run();
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        !refused.status.success() && told.contains("for example `2024-W01`"),
        "{told}"
    );
    stranger(folder.path())
        .execute_batch("DELETE FROM l.t WHERE _wm_partition = '2024-W01'")
        .unwrap();
    assert!(run().status.success());
}

#[test]
fn runs_are_published_again_until_they_stand() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("pipelines")).unwrap();
    std::fs::write(
        folder.path().join("pipelines/t.sql"),
        "-- materialize ducklake://shop/t append\nSELECT range AS n FROM range(1000)\n",
    )
    .unwrap();
    let run = || {
        let output = Command::new(env!("CARGO_BIN_EXE_lakemill"))
            .arg("-C")
            .arg(folder.path())
            .args(["run", "--json"])
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            output.status.success(),
            "{text}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let report: serde_json::Value = serde_json::from_str(&text).unwrap();
        report["runs"][0]["summary"].clone()
    };
    run();

    let stop = AtomicBool::new(false);
    let strange = AtomicU32::new(0);
    let mut attempts = 0;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let connection = stranger(folder.path());
            while !stop.load(Ordering::SeqCst) {
                let done = connection.execute_batch("CREATE TABLE IF NOT EXISTS l.noise (n INTEGER); INSERT INTO l.noise VALUES (1)");
                if done.is_ok() {
                    strange.fetch_add(1, Ordering::SeqCst);
                }
                std::thread::sleep(Duration::from_millis(60));
            }
        });
        for runs in 2..=6 {
            let summary = run();
            assert_eq!(summary["rows"], runs * 1000);
            attempts += summary["publishAttempts"].as_u64().unwrap();
        }
        stop.store(true, Ordering::SeqCst);
    });
    assert!(
        strange.load(Ordering::SeqCst) > 0,
        "the stranger never wrote"
    );
    // Shown with `--nocapture`: how often a publish had to be repeated.
    println!(
        "5 runs took {attempts} publishes beside {} foreign commits",
        strange.load(Ordering::SeqCst)
    );
}
