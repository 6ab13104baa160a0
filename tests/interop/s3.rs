//! An S3 server in a temporary folder. It checks signatures.

use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::free_port;

/// One that runs until it is dropped, with a bucket `lake`.
pub(crate) struct S3Server {
    server: Child,
    folder: tempfile::TempDir,
    port: u16,
}

pub(crate) const KEY_ID: &str = "AKLAKEMILL";
/// It must not appear anywhere.
pub(crate) const SECRET: &str = "battery-staple-of-s3";

impl S3Server {
    pub(crate) fn start() -> Self {
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.toolchain/bin/s3s-fs");
        assert!(
            program.is_file(),
            "s3s-fs is not installed: run `cargo xtask setup test`"
        );
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("lake")).unwrap();
        let port = free_port();
        let server = Command::new(program)
            .args(["--host", "127.0.0.1", "--port", &port.to_string()])
            .args(["--access-key", KEY_ID, "--secret-key", SECRET])
            .arg(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let started = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(started.elapsed() < Duration::from_secs(30), "no S3 server");
            std::thread::sleep(Duration::from_millis(20));
        }
        Self {
            server,
            folder,
            port,
        }
    }

    pub(crate) fn endpoint(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Whether the bucket has this object.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.folder.path().join("lake").join(key).is_file()
    }
}

impl Drop for S3Server {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
