//! Commands that only look: they make nothing, and need nothing that they could write.

use std::path::Path;

use crate::project::Project;

const SCRIPT: &str = "-- partitioned daily start=2024-01-01\n-- materialize ducklake://shop/t\n-- data_test unique n\n\
     SELECT 1 AS n WHERE {partition} IS NOT NULL";

/// Commands that look at a project which has run [`SCRIPT`].
const LOOKING: [&[&str]; 9] = [
    &["check"],
    &["plan", "t", "--partition", "2024-01-01"],
    &["test", "t"],
    &["status", "--json"],
    &["history", "shop/t"],
    &["preview", "shop/t"],
    &["partitions", "shop/t"],
    &["lineage", "shop/t"],
    &["parse", "t"],
];

/// Paths below a folder.
fn listing(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        found.push(path.display().to_string());
        if path.is_dir() {
            found.extend(listing(&path));
        }
    }
    found.sort();
    found
}

#[test]
fn looking_makes_nothing() {
    for configuration in ["", "[state]\nurl = 'sqlite:records/state.sqlite'\n"] {
        let project = Project::new(&[("t", SCRIPT)]);
        project.write("lakemill.toml", configuration);
        let before = listing(project.root());
        for command in LOOKING {
            project.run(command);
            assert_eq!(listing(project.root()), before, "{command:?}");
        }
        project
            .run(&["status"])
            .ok()
            .says("nothing has been materialised yet");
        let history = project.run(&["status", "--json"]).ok().json();
        assert_eq!(history, serde_json::json!([]));
        project.run(&["doctor"]).ok();
        assert_eq!(listing(project.root()), before);
    }
}

#[cfg(unix)]
mod read_only {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;

    use super::*;
    use crate::project::Done;

    /// Takes from everybody, or gives to the owner, the right to write.
    fn protect(folder: &Path, is_protected: bool) {
        let right = |path: &Path| {
            let is_folder = path.is_dir();
            let mode = match (is_protected, is_folder) {
                (true, true) => 0o555,
                (true, false) => 0o444,
                (false, true) => 0o755,
                (false, false) => 0o644,
            };
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
        };
        for path in listing(folder) {
            right(Path::new(&path));
        }
        right(folder);
    }

    /// Runs a command as somebody to whom rights apply.
    fn run(project: &Project, arguments: &[&str]) -> Done {
        const NOBODY: u32 = 65534;
        let mut command = project.command(arguments);
        if std::fs::metadata(project.root()).unwrap().uid() == 0 {
            command.uid(NOBODY).gid(NOBODY);
        }
        Done::of(&mut command)
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_looked_at() {
        let project = Project::new(&[("t", SCRIPT)]);
        project
            .run(&[
                "run",
                "--partition",
                "2024-01-01",
                "--partition",
                "2024-01-02",
            ])
            .ok();
        let said: Vec<String> = LOOKING
            .map(|command| project.run(command).ok().stdout)
            .into();
        protect(project.root(), true);
        let before = listing(project.root());
        for (command, said) in LOOKING.iter().zip(said) {
            let done = run(&project, command).ok();
            assert_eq!(done.stdout, said, "{command:?}");
        }
        run(&project, &["run"]).fails(1);
        assert_eq!(listing(project.root()), before);
        protect(project.root(), false);
    }
}
