//! Whether time grows with the text and no faster: `cargo bench -p parser-core --bench linear`.
//!
//! Each shape of text is read at some size and at four times that size. A ratio near 4 is linear; 16 would be quadratic.
//! With glibc, `GLIBC_TUNABLES=glibc.malloc.mmap_threshold=8589934592:glibc.malloc.trim_threshold=8589934592` leaves out what
//! the system takes for fresh pages, which large texts pay and small ones do not.
//! Words behind `--` choose shapes and functions by a part of their name: `cargo bench -p parser-core --bench linear -- plus`.

#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark reads its arguments and a clock, and prints"
)]

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

use parser_core::editor::{
    CompletionContext, complete, definition, hover, hover_column, semantic_tokens,
};
use parser_core::lex::Lexer;
use parser_core::validate::Zones;
use parser_core::wire;

/// How much larger the second text is.
const FACTOR: usize = 4;
/// Above this ratio a shape is marked: memory that no longer fits a cache costs something too.
const LINEAR: f64 = 7.0;
/// The better one of so many runs counts.
const RUNS: usize = 2;

/// A shape of text: its name, how to write `n` of its parts, and how many parts the first text has.
type Shape = (&'static str, fn(usize) -> String, usize);

const SHAPES: &[Shape] = &[
    ("one line of spaces", |n| " ".repeat(n), 2_500_000),
    (
        "one line comment",
        |n| format!("-- {}", "x".repeat(n)),
        2_500_000,
    ),
    (
        "one line of words",
        |n| format!("SELECT {}", "a ".repeat(n)),
        1_250_000,
    ),
    (
        "one annotation of words",
        |n| format!("-- materialize ducklake://a/b {}", "a ".repeat(n)),
        500_000,
    ),
    (
        "one annotation of options",
        |n| {
            format!(
                "-- on kafka {}",
                (0..n).fold(String::new(), |mut text, n| {
                    let _ = write!(text, "k{n}=v ");
                    text
                })
            )
        },
        25_000,
    ),
    (
        "one list of columns",
        |n| format!("-- materialize ducklake://a/b key={}", "a,".repeat(n)),
        100_000,
    ),
    (
        "one list with spaces",
        |n| format!("-- materialize ducklake://a/b key={}", "a, ".repeat(n)),
        25_000,
    ),
    (
        "one list of values",
        |n| format!("-- data_test accepted_values a = {}", "'x',".repeat(n)),
        25_000,
    ),
    (
        "annotations",
        |n| lines(n, |n| format!("-- on s3:///raw/{n}")),
        25_000,
    ),
    (
        "data tests",
        |n| lines(n, |n| format!("-- data_test unique column_{n}")),
        25_000,
    ),
    (
        "measures",
        |n| lines(n, |n| format!("-- measure m{n} = sum(a) where b > {n}")),
        25_000,
    ),
    (
        "declared columns",
        |n| {
            format!(
                "{}SELECT 1",
                lines(n, |n| format!(
                    "-- column c{n} <- ducklake://shop/orders.c{n}"
                ))
            )
        },
        25_000,
    ),
    (
        "one declared column",
        |n| {
            format!(
                "{}SELECT 1",
                lines(n, |n| format!("-- column c <- ducklake://shop/orders.c{n}"))
            )
        },
        25_000,
    ),
    (
        "annotations that nearly are",
        |n| lines(n, |n| format!("-- materialise ducklake://a/t{n}")),
        25_000,
    ),
    (
        "annotations with a wrong option",
        |n| lines(n, |n| format!("-- materialize ducklake://a/t{n} kex=id")),
        25_000,
    ),
    (
        "older lines",
        |n| {
            format!(
                "-- materialize ducklake://a/t\n{}",
                lines(n, |n| format!("-- unique_key id{n}"))
            )
        },
        25_000,
    ),
    (
        "annotations below the header",
        |n| format!("SELECT 1\n{}", lines(n, |n| format!("-- tag t{n}"))),
        25_000,
    ),
    (
        "header in CR line ends",
        |n| "-- remark\r".repeat(n),
        100_000,
    ),
    ("nested comments", |n| "/*".repeat(n), 125_000),
    (
        "nested comments, closed",
        |n| "/*".repeat(n) + &"*/".repeat(n),
        62_500,
    ),
    ("open round brackets", |n| "(".repeat(n), 250_000),
    (
        "open square brackets",
        |n| format!("SELECT {}", "[".repeat(n)),
        250_000,
    ),
    (
        "open curly brackets",
        |n| format!("SELECT {}", "{".repeat(n)),
        250_000,
    ),
    ("subqueries", |n| "SELECT * FROM (".repeat(n), 15_000),
    (
        "values of a PIVOT",
        |n| {
            format!(
                "PIVOT t ON a IN (1{}) USING sum(b) AS s{}",
                ", 2".repeat(n),
                ", sum(b) AS s".repeat(n)
            )
        },
        20_000,
    ),
    (
        "COLUMNS",
        |n| {
            format!(
                "WITH t AS (SELECT 1 AS a, 2 AS b) SELECT {} FROM t",
                "max(COLUMNS('a|b')), ".repeat(n)
            )
        },
        20_000,
    ),
    (
        "calls of macros",
        |n| {
            format!(
                "CREATE TEMP MACRO f({} x) AS x; SELECT f(1){}",
                "a, ".repeat(n),
                ", f(b)".repeat(n)
            )
        },
        40_000,
    ),
    (
        "closing brackets",
        |n| format!("SELECT {}", ")".repeat(n)),
        250_000,
    ),
    (
        "partition tokens",
        |n| format!("SELECT {}", "{partition} ".repeat(n)),
        20_000,
    ),
    (
        "partition tokens in one string",
        |n| format!("SELECT '{}'", "{partition}".repeat(n)),
        20_000,
    ),
    (
        "partition tokens in strings",
        |n| format!("SELECT {}", "'{partition}',".repeat(n)),
        20_000,
    ),
    (
        "partition tokens in dollar quotes",
        |n| format!("SELECT {}", "$${partition} x$$,".repeat(n)),
        20_000,
    ),
    (
        "statements",
        |n| lines(n, |n| format!("SELECT {n};")),
        25_000,
    ),
    ("semicolons", |n| ";".repeat(n), 250_000),
    (
        "temporary tables",
        |n| lines(n, |n| format!("CREATE TEMP TABLE t{n} AS FROM t{};", n / 2)),
        10_000,
    ),
    (
        "attachments",
        |n| lines(n, |n| format!("ATTACH 'ducklake://l{n}' AS a{n};")),
        10_000,
    ),
    (
        "attachments, used",
        |n| {
            lines(n, |n| {
                format!("ATTACH 'ducklake://l{n}' AS a{n}; FROM a{n}.t;")
            })
        },
        5_000,
    ),
    (
        "table references",
        |n| {
            format!(
                "SELECT * FROM x{}",
                (0..n).fold(String::new(), |mut text, n| {
                    let _ = write!(text, ", t{n}");
                    text
                })
            )
        },
        25_000,
    ),
    (
        "table references of one name",
        |n| format!("SELECT * FROM x{}", ", dl.t".repeat(n)),
        25_000,
    ),
    (
        "joins of common tables",
        |n| {
            let mut text = String::from("WITH c AS (SELECT 1)");
            for number in 0..n {
                let _ = write!(text, ", c{number} AS (FROM c JOIN t{number} USING (x))");
            }
            text + " SELECT * FROM c"
        },
        10_000,
    ),
    (
        "nested common tables",
        |n| "WITH a AS (SELECT * FROM t, ".repeat(n),
        10_000,
    ),
    (
        "unions",
        |n| format!("SELECT 1{}", " UNION ALL SELECT 1 FROM t".repeat(n)),
        10_000,
    ),
    (
        "arms of a recursive common table",
        |n| {
            format!(
                "WITH RECURSIVE r AS (FROM t{}) FROM r",
                " UNION ALL FROM r".repeat(n)
            )
        },
        25_000,
    ),
    (
        "nested recursive common tables",
        |n| {
            format!(
                "{}FROM r",
                "WITH RECURSIVE r AS (FROM r UNION FROM r, (".repeat(n)
            )
        },
        10_000,
    ),
    (
        "set operations in brackets",
        |n| {
            format!(
                "SELECT {}FROM t{}",
                "(".repeat(n),
                ") UNION FROM t".repeat(n)
            )
        },
        25_000,
    ),
    // A body as people write them: 10 KB, 100 KB, 1 MB, and each four times that; the last is 10 MB.
    ("body of 10 KB", body, 22),
    ("body of 100 KB", body, 220),
    ("body of 1 MB", body, 2_200),
    ("body of 2.5 MB", body, 5_500),
    (
        "plus signs",
        |n| format!("SELECT {}", "+".repeat(n)),
        10_000,
    ),
    (
        "minus and plus",
        |n| format!("SELECT {}", "-+".repeat(n)),
        10_000,
    ),
    (
        "operators",
        |n| format!("SELECT {}", "<=>".repeat(n)),
        10_000,
    ),
    (
        "open quotes",
        |n| format!("SELECT {}", "'\"".repeat(n)),
        250_000,
    ),
    (
        "open dollar quotes",
        |n| {
            (0..n).fold(String::from("SELECT "), |mut text, n| {
                let _ = write!(text, "$t{n}$ ");
                text
            })
        },
        25_000,
    ),
    (
        "dollars",
        |n| format!("SELECT {}", "$".repeat(2 * n + 1)),
        50_000,
    ),
    (
        "dollar words",
        |n| format!("SELECT {}", "$a".repeat(n)),
        25_000,
    ),
    (
        "literals that go on",
        |n| format!("SELECT E'a'{}", "\n'b'".repeat(n)),
        50_000,
    ),
    (
        "dots",
        |n| format!("SELECT * FROM a{}", ".b".repeat(n)),
        100_000,
    ),
    (
        "digits and underscores",
        |n| format!("SELECT {}", "1_".repeat(n)),
        100_000,
    ),
    (
        "NUL characters",
        |n| format!("SELECT {}", "\0".repeat(n)),
        250_000,
    ),
    (
        "ducks",
        |n| format!("-- {}\nSELECT {}", "🦆".repeat(n), "🦆 ".repeat(n)),
        100_000,
    ),
];

/// A function of a text and an offset in it.
type Function = (&'static str, fn(&str));

const FUNCTIONS: &[Function] = &[
    ("lex", |text| {
        black_box(Lexer::new(text, 0).count());
    }),
    ("parse", |text| {
        black_box(parser_core::parse(text));
    }),
    ("validate and wire", |text| {
        black_box(wire::validate_to_wire(text, &NoZone));
    }),
    ("plan", |text| {
        let options = wire::PlanOptions {
            partition: Some("2024-06-19".to_owned()),
            ..wire::PlanOptions::default()
        };
        black_box(wire::plan_to_wire(text, &options));
    }),
    ("complete", |text| {
        black_box(complete(text, text.len(), &CompletionContext::default()));
    }),
    ("hover", |text| {
        black_box(hover(text, text.len() / 2, &NoZone));
    }),
    ("column", |text| {
        let context = CompletionContext::default();
        black_box(hover_column(text, text.len() / 2, &context));
    }),
    ("definition", |text| {
        black_box(definition(text, text.len() / 2));
    }),
    ("tokens", |text| {
        black_box(semantic_tokens(text));
    }),
];

struct NoZone;

impl Zones for NoZone {
    fn is_known(&self, _: &str) -> bool {
        false
    }

    fn has_fold(&self, _: &str) -> bool {
        false
    }
}

/// Setup statements and queries of every kind, 450 bytes or so each time.
fn body(count: usize) -> String {
    lines(count, |n| {
        format!(
            "CREATE TEMP TABLE t{n} AS -- the {n}th
WITH RECURSIVE a AS (SELECT id, 'it''s' AS name FROM lake.orders o LEFT JOIN lake.people p USING (id) WHERE day = {{partition}}),
b(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM b WHERE n < 10)
SELECT a.*, (SELECT max(x) FROM lake.prices WHERE id = a.id) AS price, [y * 2 FOR y IN a.list IF y > 1.5] /* list */
FROM a, b, read_parquet('s3://raw/{{partition}}/{n}.parquet') r PIVOT (sum(v) FOR k IN (1, 2)) GROUP BY ALL;"
        )
    })
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, number| {
        let _ = writeln!(text, "{}", line(number));
        text
    })
}

fn time(function: fn(&str), text: &str) -> Duration {
    let runs = (0..RUNS).map(|_| {
        let (start, busy) = (Instant::now(), on_processor());
        function(text);
        match (busy, on_processor()) {
            (Some(before), Some(after)) => after.saturating_sub(before),
            (None, _) | (_, None) => start.elapsed(),
        }
    });
    runs.min().unwrap_or_default()
}

/// How long this thread has run on a processor so far, where the system tells: another program's turn is not ours.
fn on_processor() -> Option<Duration> {
    // The number is brought up to date when the thread is put aside.
    std::thread::yield_now();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = told.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with("--"))
        .collect();
    let is_chosen = |name: &str| words.iter().any(|word| name.contains(word.as_str()));
    println!(
        "{:34} {:18} {:>9} {:>10} {:>10} {:>6}",
        "shape", "function", "bytes", "ms", "ms at ×4", "ratio"
    );
    let mut marked = 0;
    for &(shape, write, size) in SHAPES {
        let (small, large) = (write(size), write(size * FACTOR));
        for &(name, function) in FUNCTIONS {
            if !words.is_empty() && !is_chosen(shape) && !is_chosen(name) {
                continue;
            }
            let (first, second) = (time(function, &small), time(function, &large));
            let ratio = second.as_secs_f64() / first.as_secs_f64().max(1e-9);
            // What takes no time has no ratio.
            let is_marked = ratio > LINEAR && second > Duration::from_millis(5);
            marked += usize::from(is_marked);
            println!(
                "{shape:34} {name:18} {:>9} {:>10.2} {:>10.2} {ratio:>6.1}{}",
                large.len(),
                milliseconds(first),
                milliseconds(second),
                if is_marked { " !" } else { "" }
            );
        }
    }
    println!("{marked} above {LINEAR}");
}
