//! `partitioned …`

use super::annotation::{Comment, dropped};
use super::keyword::Keyword;
use super::options::{Accepted, Options, shortened};
use super::spelling::nearest;
use crate::diagnostic::{Code, Diagnostic};
use crate::script::{Grain, Partitioned, TimePartition};

const KINDS: [&str; 5] = ["hourly", "daily", "weekly", "monthly", "dynamic"];
const TIME: Accepted = Accepted::names(&["tz", "format", "start"]);
const DYNAMIC: Accepted = Accepted::names(&["key"]);

/// What follows `partitioned`.
pub(super) fn read(comment: Comment<'_>, out: &mut Vec<Diagnostic>) -> Option<Partitioned> {
    let (kind, more) = comment.rest.word();
    let grain = match kind.text() {
        "hourly" => Grain::Hourly,
        "daily" => Grain::Daily,
        "weekly" => Grain::Weekly,
        "monthly" => Grain::Monthly,
        "dynamic" => {
            let options = Options::read(comment, more, &DYNAMIC, out);
            let key = options.text("key");
            if key.is_none() {
                out.push(
                    dropped(
                        Code::LM003,
                        Keyword::Partitioned,
                        comment.span,
                        "`dynamic` has no `key=`",
                    )
                    .hint("write `partitioned dynamic key=<path>`, such as `key=$.tenant`"),
                );
            }
            return key.map(|key| Partitioned::Dynamic { key });
        }
        "" => {
            out.push(dropped(
                Code::LM003,
                Keyword::Partitioned,
                comment.span,
                "the grain is missing",
            ));
            return None;
        }
        other => {
            let found = dropped(
                Code::LM003,
                Keyword::Partitioned,
                kind.span(),
                &format!("`{}` is no grain", shortened(other)),
            );
            // `partitioned by day`
            let unit = if other == "by" { more.word().0 } else { kind };
            let meant = match unit.text() {
                "hour" => Some("hourly"),
                "day" => Some("daily"),
                "week" => Some("weekly"),
                "month" => Some("monthly"),
                grain if other == "by" => KINDS[..4].iter().copied().find(|kind| *kind == grain),
                other => nearest(other, &KINDS),
            };
            out.push(match meant {
                Some(near) => found.change(kind.through(unit), near),
                None => found,
            });
            return None;
        }
    };
    let options = Options::read(comment, more, &TIME, out);
    Some(Partitioned::Time(TimePartition {
        grain,
        tz: options.text("tz"),
        format: options.text("format"),
        start: options.text("start"),
    }))
}
