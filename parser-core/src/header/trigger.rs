//! `on …` and `mute …`

use super::annotation::{Comment, dropped, dropping};
use super::keyword::Keyword;
use super::options::{Accepted, Options, shortened};
use super::piece::Piece;
use super::reference::{Bare, asset};
use super::schedule::duration_or_report;
use super::spelling::nearest;
use super::token::{Token, tokens};
use crate::diagnostic::{Code, Diagnostic};
use crate::script::{Mute, NativeTrigger, Trigger};

const ASSET: Accepted = Accepted::names(&["debounce"]);
const NATIVE: Accepted = Accepted {
    names: None,
    lists: &[],
    flags: &[],
};

/// `on <asset> [debounce=]` and `on <native>`
pub(super) fn on(comment: Comment<'_>, out: &mut Vec<Diagnostic>) -> Option<Trigger> {
    let (source, more) = comment.rest.word();
    if source.is_empty() {
        out.push(dropped(
            Code::LM005,
            Keyword::On,
            comment.span,
            "the trigger is missing",
        ));
        return None;
    }
    if let Some(kind) = NativeTrigger::ALL
        .into_iter()
        .find(|kind| kind.as_str() == source.text())
    {
        return native(kind, more, comment, out);
    }
    match asset(source, Bare::Refused, Code::LM005) {
        Ok(asset) => {
            let options = Options::read(comment, more, &ASSET, out);
            let debounce = options
                .get("debounce")
                .and_then(|text| duration_or_report(text, out));
            Some(Trigger::Asset { asset, debounce })
        }
        Err(found) => {
            let natives = NativeTrigger::ALL.map(NativeTrigger::as_str);
            let mut found = match nearest(source.text(), &natives) {
                Some(near) if found.fix.is_none() => found
                    .hint(format!("the native trigger is spelled `{near}`"))
                    .change(source.span(), near),
                Some(_) | None => found,
            };
            dropping(&mut found, Keyword::On);
            out.push(found);
            None
        }
    }
}

/// A trigger from outside: only `name=value` may follow its kind.
fn native(
    kind: NativeTrigger,
    more: Piece<'_>,
    comment: Comment<'_>,
    out: &mut Vec<Diagnostic>,
) -> Option<Trigger> {
    let odd = tokens(more).find(|token| match token {
        Token::Pair(_) => false,
        Token::Word(_) | Token::Quoted { .. } => true,
    });
    if let Some(odd) = odd {
        out.push(
            dropped(
                Code::LM005,
                Keyword::On,
                odd.whole().span(),
                &format!(
                    "`{}` is no option of `{}`",
                    shortened(odd.whole().text()),
                    kind.as_str()
                ),
            )
            .hint(format!(
                "write `on {}`, with nothing but `name=value` options behind it",
                kind.as_str()
            ))
            .related(comment.span, "this line"),
        );
        return None;
    }
    let options = Options::read(comment, more, &NATIVE, out);
    if let Some(text) = options.get("debounce") {
        duration_or_report(text, out);
    }
    Some(Trigger::Native {
        kind,
        options: options.pairs().collect(),
    })
}

/// `mute <asset>` and `mute all`
pub(super) fn mute(comment: Comment<'_>, out: &mut Vec<Diagnostic>) -> Option<Mute> {
    let (source, more) = comment.rest.word();
    let mute = match source.text() {
        "" => {
            out.push(dropped(
                Code::LM006,
                Keyword::Mute,
                comment.span,
                "what to mute is missing",
            ));
            return None;
        }
        "all" => Mute::All,
        _ => match asset(source, Bare::Refused, Code::LM006) {
            Ok(asset) => Mute::Asset(asset.value),
            Err(mut found) => {
                dropping(&mut found, Keyword::Mute);
                out.push(match nearest(source.text(), &["all"]) {
                    Some(all) => found.change(source.span(), all),
                    None => found,
                });
                return None;
            }
        },
    };
    Options::read(comment, more, &Accepted::NOTHING, out);
    Some(mute)
}
