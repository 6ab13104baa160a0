//! Data tests that are an SQL expression: one condition on a row.
//!
//! The expression becomes a part of the one query that counts all tests. So what would reach out of its place, or stand for
//! several conditions there, is refused before the engine sees it.

use parser_core::lex::{Bracket, Lexer, TokenKind};

use crate::config::Project;
use crate::engine::confinement;

/// Tokens of a script that mean nothing in an expression.
const PARTITION_TOKENS: [&str; 3] = ["{partition}", "{partition_start}", "{partition_end}"];

/// Whether an expression could be run as a data test; else why not.
///
/// # Errors
/// The reason.
pub fn sound(project: &Project, text: &str) -> Result<(), String> {
    shape(text)?;
    if !project.config.engine.allow_local_files
        && let Some((_, what)) = confinement::called(text)
    {
        return Err(format!(
            "it has {what}, which is refused: {}",
            confinement::SETTING
        ));
    }
    Ok(())
}

/// One condition, whole in itself.
fn shape(text: &str) -> Result<(), String> {
    if let Some(token) = PARTITION_TOKENS.iter().find(|token| text.contains(**token)) {
        return Err(format!(
            "`{token}` is for scripts: the test looks at the rows of the slice alone; `data_test <path of a script>` can name it"
        ));
    }
    let tokens: Vec<_> = Lexer::new(text, 0)
        .filter(|token| !token.kind.is_trivia())
        .collect();
    let mut open: Vec<Bracket> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Open(bracket) => open.push(bracket),
            TokenKind::Close(bracket) if open.pop() != Some(bracket) => {
                return Err(format!(
                    "`{}` closes nothing that the expression opens",
                    token.text(text)
                ));
            }
            TokenKind::Semicolon => {
                return Err("it holds a `;`: an expression is one condition".to_owned());
            }
            TokenKind::Word
                if token.is_word(text, "columns")
                    && tokens
                        .get(at + 1)
                        .is_some_and(|next| next.kind == TokenKind::Open(Bracket::Round)) =>
            {
                return Err(
                    "`COLUMNS(…)` stands for several conditions: write one test for each column"
                        .to_owned(),
                );
            }
            _ => {}
        }
    }
    if open.is_empty() {
        Ok(())
    } else {
        Err("a bracket is never closed".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::shape;

    #[test]
    fn one_condition_is_whole_in_itself() {
        for text in [
            "amount >= 0",
            "a IN (1, 2) AND (b OR c[1] = 'x)')",
            "s <> ';' -- a comment )",
            "columns > 1",
        ] {
            assert_eq!(shape(text), Ok(()), "{text}");
        }
        for (text, why) in [
            ("amt >= 0) AND (id > 0", "`)` closes nothing"),
            ("(a", "never closed"),
            ("(a]", "`]` closes nothing"),
            ("true; DROP TABLE t", "`;`"),
            ("COLUMNS(*) IS NOT NULL", "one test for each"),
            ("s <> '{partition}'", "`{partition}` is for scripts"),
        ] {
            assert!(shape(text).unwrap_err().contains(why), "{text}");
        }
    }
}
