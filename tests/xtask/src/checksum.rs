//! SHA-256 of files, as lower-case hexadecimal digits.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::failure::Failure;

/// Whether a file is the one that the version table means.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The sum is the expected one.
    Verified,
    /// The table knows no sum for this platform; this is the file's.
    Unknown(String),
}

/// Compares a file with the expected sum.
///
/// # Errors
/// When the file cannot be read, or its sum is another one.
pub(crate) fn verify(path: &Path, expected: Option<&str>) -> Result<Verdict, Failure> {
    let actual = of_file(path)?;
    match expected {
        None => Ok(Verdict::Unknown(actual)),
        Some(sum) if sum == actual => Ok(Verdict::Verified),
        Some(sum) => Err(Failure::new(format!(
            "{} has the checksum {actual}, not {sum} as in tests/xtask/versions.toml",
            path.display()
        ))
        .mend(format!(
            "delete {} and run the command again",
            path.display()
        ))),
    }
}

fn of_file(path: &Path) -> Result<String, Failure> {
    let mut file = File::open(path).map_err(|error| Failure::file("open", path, &error))?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        let length = file
            .read(&mut buffer)
            .map_err(|error| Failure::file("read", path, &error))?;
        if length == 0 {
            break;
        }
        hasher.update(&buffer[..length]);
    }
    Ok(hasher
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUM_OF_ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn tells_a_known_file_from_a_changed_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "abc").unwrap();
        assert_eq!(verify(&path, Some(SUM_OF_ABC)).unwrap(), Verdict::Verified);
        assert_eq!(
            verify(&path, None).unwrap(),
            Verdict::Unknown(SUM_OF_ABC.to_owned())
        );
        std::fs::write(&path, "abd").unwrap();
        assert!(
            verify(&path, Some(SUM_OF_ABC))
                .unwrap_err()
                .to_string()
                .contains("delete")
        );
    }
}
