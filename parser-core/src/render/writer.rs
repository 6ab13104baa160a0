use crate::partition::timestamp_text;
use crate::plan::sql::{Ident, Literal, Piece, TableRef, UserSql};

/// SQL text, ready for the engine, and where its user parts come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rendered {
    /// One statement, without a final `;`.
    sql: String,
    /// Stretches copied from the script, in order: offset in `sql`, length, offset in the script.
    copied: Vec<(usize, usize, usize)>,
}

impl Rendered {
    /// The SQL text: one statement, without a final `;`.
    #[must_use]
    pub fn sql(&self) -> &str {
        &self.sql
    }

    /// The byte of the script that byte `at` of the SQL was copied from; `None` for generated text.
    #[must_use]
    pub fn to_source(&self, at: usize) -> Option<usize> {
        let next = self.copied.partition_point(|&(start, _, _)| start <= at);
        let (start, len, source) = *self.copied.get(next.checked_sub(1)?)?;
        (at <= start + len).then(|| source + (at - start))
    }
}

/// Writes SQL text.
#[derive(Default)]
pub(super) struct Sql {
    out: Rendered,
}

impl Sql {
    pub(super) fn finish(self) -> Rendered {
        self.out
    }

    /// Text of our own: keywords, punctuation, function names.
    pub(super) fn raw(&mut self, text: &str) -> &mut Self {
        self.out.sql.push_str(text);
        self
    }

    /// A quoted identifier.
    pub(super) fn ident(&mut self, ident: &Ident) -> &mut Self {
        self.out.sql.push('"');
        self.out.sql.push_str(&ident.0.replace('"', "\"\""));
        self.out.sql.push('"');
        self
    }

    /// `"catalog"."schema"."table"`
    pub(super) fn table(&mut self, table: &TableRef) -> &mut Self {
        self.ident(&table.catalog)
            .raw(".")
            .ident(&table.schema)
            .raw(".")
            .ident(&table.table)
    }

    /// A value.
    pub(super) fn literal(&mut self, literal: &Literal) -> &mut Self {
        match literal {
            Literal::Null => self.raw("NULL"),
            Literal::Text(text) => self.text(text),
            Literal::Integer(number) => self.raw(&number.to_string()),
            Literal::Bool(value) => self.raw(if *value { "true" } else { "false" }),
            Literal::Timestamp(at) => self.raw("TIMESTAMP ").text(&timestamp_text(*at)),
        }
    }

    /// `'…'`
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        self.out.sql.push('\'');
        self.out.sql.push_str(&text.replace('\'', "''"));
        self.out.sql.push('\'');
        self
    }

    /// Items with `separator` between them.
    pub(super) fn list<T>(
        &mut self,
        items: &[T],
        separator: &str,
        mut write: impl FnMut(&mut Self, &T),
    ) -> &mut Self {
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.raw(separator);
            }
            write(self, item);
        }
        self
    }

    /// SQL of the script, verbatim.
    pub(super) fn user(&mut self, user: &UserSql) -> &mut Self {
        for piece in &user.pieces {
            match piece {
                Piece::Source { span, text } => {
                    self.out
                        .copied
                        .push((self.out.sql.len(), text.len(), span.start));
                    self.out.sql.push_str(text);
                }
                Piece::Substituted { text, .. } => {
                    self.out.sql.push_str(text);
                }
            }
        }
        self
    }

    /// The script's SELECT as a relation. The line break keeps a comment on its last line from
    /// eating the parenthesis.
    pub(super) fn subquery(&mut self, user: &UserSql) -> &mut Self {
        self.raw("(\n").user(user).raw("\n)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;

    #[test]
    fn a_name_never_becomes_sql() {
        let mut sql = Sql::default();
        sql.ident(&Ident::new("a\"; DROP TABLE x; --"))
            .raw(" ")
            .text("it's");
        assert_eq!(sql.finish().sql(), "\"a\"\"; DROP TABLE x; --\" 'it''s'");
    }

    #[test]
    fn offsets_lead_back_to_the_script() {
        let mut sql = Sql::default();
        let piece = |start: usize, text: &str| Piece::Source {
            span: Span::new(start, start + text.len()),
            text: text.to_owned(),
        };
        let user = UserSql {
            span: Span::new(40, 60),
            pieces: vec![
                piece(40, "SELECT "),
                Piece::Substituted {
                    span: Span::new(47, 58),
                    text: "'x'".to_owned(),
                },
                piece(58, " a"),
            ],
        };
        sql.raw("ABC ").subquery(&user);
        let rendered = sql.finish();
        assert_eq!(rendered.sql(), "ABC (\nSELECT 'x' a\n)");
        assert_eq!(rendered.to_source(0), None);
        assert_eq!(rendered.to_source(6), Some(40));
        assert_eq!(
            rendered.to_source(rendered.sql().find('a').unwrap()),
            Some(59)
        );
    }
}
