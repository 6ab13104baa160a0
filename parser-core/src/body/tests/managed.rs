use super::body;
use crate::body::managed;
use crate::diagnostic::Code;

fn findings(text: &str) -> Vec<(Code, &str)> {
    let body = body(text);
    managed::check(text, &body)
        .into_iter()
        .map(|finding| (finding.code, finding.span.slice(text)))
        .collect()
}

#[test]
fn setup_then_one_output_is_fine() {
    for text in [
        "SELECT 1",
        "SELECT 1;\n\n-- the end\n;",
        "ATTACH 'ducklake' AS dl; USE dl; SET threads = 1; LOAD json; FROM t",
        "CREATE TEMP TABLE a AS SELECT 1; INSERT INTO a VALUES (2); WITH b AS (FROM a) FROM b;",
        "PRAGMA enable_progress_bar; (SELECT 1)",
    ] {
        assert_eq!(findings(text), [], "{text}");
        assert!(managed::output(&body(text)).is_some(), "{text}");
    }
}

#[test]
fn each_rejection_has_its_code_and_place() {
    for (text, expected) in [
        ("", vec![(Code::LM210, "")]),
        (" -- nothing\n;", vec![(Code::LM210, "")]),
        ("SET a = 1; USE b", vec![(Code::LM211, "USE b")]),
        ("SELECT 1; SELECT 2", vec![(Code::LM212, "SELECT 2")]),
        (
            "SELECT 1; FROM t; SET a = 1; SELECT 2",
            vec![(Code::LM212, "SELECT 2")],
        ),
        (
            "SELECT 1; SET a = 1; USE b",
            vec![(Code::LM213, "SET a = 1")],
        ),
        (
            "DELETE FROM t; SELECT 1",
            vec![(Code::LM214, "DELETE FROM t")],
        ),
        ("CALL f(); SELECT 1", vec![(Code::LM215, "CALL f()")]),
        ("SELECT 1; COMMIT", vec![(Code::LM216, "COMMIT")]),
        (
            "SELECT 1; DROP TABLE t",
            vec![(Code::LM214, "DROP TABLE t")],
        ),
        ("DESCRIBE t", vec![(Code::LM215, "DESCRIBE t")]),
        (
            "DROP TABLE t",
            vec![(Code::LM211, "DROP TABLE t"), (Code::LM214, "DROP TABLE t")],
        ),
        (
            "WITH a AS (SELECT 1) INSERT INTO t FROM a; SELECT 1",
            vec![(Code::LM214, "WITH a AS (SELECT 1) INSERT INTO t FROM a")],
        ),
    ] {
        assert_eq!(findings(text), expected, "{text}");
    }
}

#[test]
fn texts_tell_how_many_and_quote_a_little() {
    let text = "SELECT 1; SELECT 2; SELECT 3";
    let finding = &managed::check(text, &body(text))[0];
    assert_eq!(
        finding.message,
        "3 statements return rows; managed mode writes those of one"
    );
    assert_eq!(finding.related.len(), 2);

    let text = format!("CALL f('{}');\nSELECT 1", "é".repeat(100));
    let finding = &managed::check(&text, &body(&text))[0];
    let quoted = finding.message.split('`').nth(1).unwrap();
    assert_eq!(quoted.chars().count(), 40);
    assert!(
        finding
            .hint
            .as_ref()
            .is_some_and(|hint| hint.contains("materialize manual"))
    );

    let text = "CREATE TEMP SECRET s (TYPE s3); SELECT 1";
    assert!(
        managed::check(text, &body(text))[0]
            .hint
            .as_ref()
            .is_some_and(|hint| hint.contains("TEMPORARY"))
    );
}
