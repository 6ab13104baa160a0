//! The names that the engine makes up for columns: it spells their expressions anew, in a way of its own.

use std::cmp::Ordering;

use super::Tracer;
use crate::lex::{Bracket, Token, TokenKind};
use crate::source::search;

/// All words that the engine quotes when it spells a name: `duckdb_keywords()`, of every category, in order.
const KEYWORDS: &str = "\
    abort absolute access action add admin after aggregate all also alter always analyse analyze and anti any array as asc \
    asof assertion assignment asymmetric at attach attribute authorization backward before begin between bigint binary bit \
    boolean both by cache call called cascade cascaded case cast catalog centuries century chain char character \
    characteristics check checkpoint class close cluster coalesce collate collation column columns comment comments commit \
    committed compression concurrently configuration conflict connection constraint constraints content continue \
    conversion copy cost create cross csv cube current cursor cycle data database day days deallocate dec decade decades \
    decimal declare default defaults deferrable deferred definer delete delimiter delimiters depends desc describe detach \
    dictionary disable discard distinct do document domain double drop each else enable encoding encrypted end enum error \
    escape event except exclude excluding exclusive execute exists explain export export_state extension extensions \
    external extract false family fetch filter first float following for force foreign forward freeze from full function \
    functions generated glob global grant granted group grouping grouping_id groups handler having header hold hour hours \
    identity if ignore ilike immediate immutable implicit import in include including increment index indexes inherit \
    inherits initially inline inner inout input insensitive insert install instead int integer intersect interval into \
    invoker is isnull isolation join json key label lambda language large last lateral leading leakproof left level like \
    limit listen load local location lock locked logged macro map mapping match matched materialized maxvalue merge method \
    microsecond microseconds millennia millennium millisecond milliseconds minute minutes minvalue mode month months move \
    name names national natural nchar new next no none not nothing notify notnull nowait null nullif nulls numeric object \
    of off offset oids old on only operator option options or order ordinality others out outer over overlaps overlay \
    overriding owned owner parallel parser partial partition partitioned passing password percent persistent pivot \
    pivot_longer pivot_wider placing plans policy position positional pragma preceding precision prepare prepared preserve \
    primary prior privileges procedural procedure program publication qualify quarter quarters quote range read real \
    reassign recheck recursive ref references referencing refresh reindex relative release rename repeatable replace \
    replica reset respect restart restrict returning returns revoke right role rollback rollup row rows rule sample \
    savepoint schema schemas scope scroll search second seconds secret security select semi sequence sequences \
    serializable server session set setof sets share show similar simple skip smallint snapshot some sorted source sql \
    stable standalone start statement statistics stdin stdout storage stored strict strip struct subscription substring \
    summarize symmetric sysid system table tables tablesample tablespace target temp template temporary text then ties \
    time timestamp to trailing transaction transform treat trigger trim true truncate trusted try_cast type types \
    unbounded uncommitted unencrypted union unique unknown unlisten unlogged unpack unpivot until update use user using \
    vacuum valid validate validator value values varchar variable variadic varying verbose version view views virtual \
    volatile week weeks when where whitespace window with within without work wrapper write xml xmlattributes xmlconcat \
    xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable year years yes zone";

/// Functions that are spelled as they are called. Their names are no keywords, and nothing of them is rewritten.
const FUNCTIONS: &str = "abs any_value arg_max arg_min avg bool_and bool_or ceil concat count date_diff date_part date_trunc exp \
    floor greatest least length ln log lower lpad ltrim max md5 median min mod pow regexp_replace round rpad rtrim sqrt \
    starts_with stddev strftime string_agg substr sum upper";

/// Longer expressions get no name: each operator copies what it joins.
const MOST_TOKENS: usize = 200;

/// Digits of a number that the engine keeps as it is written.
const MOST_DIGITS: usize = 18;

/// Deeper brackets get no name.
const MOST_BRACKETS: usize = 20;

impl Tracer<'_> {
    /// The engine's spelling of the expression from `begin` to before `end`, where that is certain: `count_star()`,
    /// `sum((amount * 2))`.
    pub(super) fn spelling(&self, begin: usize, end: usize) -> Option<String> {
        if self.has_arguments() || end > begin + MOST_TOKENS {
            return None;
        }
        let mut speller = Speller {
            text: self.text,
            tokens: self.tokens.between(begin, end)?,
            depth: 0,
            is_made: false,
        };
        let spelled = speller.sum()?;
        (speller.is_made && speller.tokens.is_empty()).then_some(spelled)
    }
}

/// Reads expressions of columns, numbers, plain texts, sums, products, casts and calls off the front of the tokens; `None`
/// where anything else comes.
struct Speller<'t> {
    text: &'t str,
    tokens: &'t [Token],
    depth: usize,
    /// Something but brackets round a column or a value, which have names of another rule.
    is_made: bool,
}

impl<'t> Speller<'t> {
    /// Text and kind of the next token.
    fn next(&self) -> (&'t str, Option<TokenKind>) {
        match self.tokens.first() {
            Some(token) => (token.text(self.text), Some(token.kind)),
            None => ("", None),
        }
    }

    fn take(&mut self) -> Option<&'t str> {
        let (token, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        Some(token.text(self.text))
    }

    fn eat(&mut self, word: &str) -> Option<()> {
        let is = self.next().0.eq_ignore_ascii_case(word);
        if is {
            self.take();
        }
        is.then_some(())
    }

    fn sum(&mut self) -> Option<String> {
        self.operation(&["+", "-"], |speller| {
            speller.operation(&["*", "/", "//", "%"], Self::operand)
        })
    }

    /// `a - b - c` as `((a - b) - c)`
    fn operation(
        &mut self,
        operators: &[&str],
        operand: impl Fn(&mut Self) -> Option<String>,
    ) -> Option<String> {
        let mut left = operand(self)?;
        while operators.contains(&self.next().0) {
            let operator = self.take()?;
            let right = operand(self)?;
            self.is_made = true;
            left = ["(", &left, " ", operator, " ", &right, ")"].concat();
        }
        Some(left)
    }

    fn operand(&mut self) -> Option<String> {
        self.depth += 1;
        if self.depth > MOST_BRACKETS {
            return None;
        }
        let (text, kind) = self.next();
        let mut spelled = match kind? {
            TokenKind::Number => self.take().filter(|text| is_plain_number(text))?.to_owned(),
            TokenKind::String => self.take().filter(|text| is_plain_text(text))?.to_owned(),
            TokenKind::Open(Bracket::Round) => {
                self.take();
                let inner = self.sum()?;
                self.eat(")")?;
                inner
            }
            TokenKind::Word if self.tokens.get(1)?.kind == TokenKind::Open(Bracket::Round) => {
                self.is_made = true;
                self.call(&text.to_ascii_lowercase())?
            }
            TokenKind::Word => self.column()?,
            _ => return None,
        };
        while self.eat("::").is_some() {
            self.is_made = true;
            spelled = ["CAST(", &spelled, " AS ", &self.type_name()?, ")"].concat();
        }
        self.depth -= 1;
        Some(spelled)
    }

    /// `amount`, `orders.amount`
    fn column(&mut self) -> Option<String> {
        let mut spelled = String::new();
        loop {
            let word = self.take().filter(|word| is_plain_name(word))?;
            spelled.push_str(word);
            if self.eat(".").is_none() {
                return Some(spelled);
            }
            spelled.push('.');
        }
    }

    /// A call; its name in small letters.
    fn call(&mut self, function: &str) -> Option<String> {
        self.take();
        self.take();
        if function == "cast" || function == "try_cast" {
            let value = self.sum()?;
            self.eat("as")?;
            let type_name = self.type_name()?;
            self.eat(")")?;
            return Some(
                [
                    &function.to_ascii_uppercase(),
                    "(",
                    &value,
                    " AS ",
                    &type_name,
                    ")",
                ]
                .concat(),
            );
        }
        if function == "count" {
            self.eat("*");
            if self.eat(")").is_some() {
                return Some("count_star()".to_owned());
            }
        }
        let mut spelled = match function {
            "substring" => "main.\"substring\"".to_owned(),
            _ if is_among(FUNCTIONS, function) => function.to_owned(),
            _ => return None,
        };
        spelled.push('(');
        if self.eat("distinct").is_some() {
            spelled.push_str("DISTINCT ");
        }
        loop {
            spelled.push_str(&self.sum()?);
            if self.eat(",").is_none() {
                break;
            }
            spelled.push_str(", ");
        }
        self.eat(")")?;
        spelled.push(')');
        Some(spelled)
    }

    fn type_name(&mut self) -> Option<String> {
        let mut spelled = match self.take()?.to_ascii_lowercase().as_str() {
            "bigint" => "BIGINT",
            "boolean" => "BOOLEAN",
            "date" => "\"DATE\"",
            "decimal" | "numeric" => "DECIMAL",
            "double" => "\"DOUBLE\"",
            "int" | "integer" => "INTEGER",
            "text" | "varchar" => "VARCHAR",
            _ => return None,
        }
        .to_owned();
        if spelled == "DECIMAL" && self.eat("(").is_some() {
            spelled.push('(');
            spelled.push_str(self.take().filter(|text| is_plain_number(text))?);
            if self.eat(",").is_some() {
                spelled.push_str(", ");
                spelled.push_str(self.take().filter(|text| is_plain_number(text))?);
            }
            self.eat(")")?;
            spelled.push(')');
        }
        Some(spelled)
    }
}

/// Whether the engine neither quotes nor reads it as anything but a name.
fn is_plain_name(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    word.bytes()
        .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'))
        && !is_among(KEYWORDS, &word)
}

/// Whether it stands in a list of words, which are in order and between spaces each.
fn is_among(list: &str, word: &str) -> bool {
    let (mut from, mut to) = (0, list.len());
    loop {
        let middle = from + (to - from) / 2;
        let start = list[from..middle]
            .rfind(' ')
            .map_or(from, |at| from + at + 1);
        let end = list[middle..to].find(' ').map_or(to, |at| middle + at);
        match list[start..end].cmp(word) {
            Ordering::Equal => return start < end,
            _ if from >= to => return false,
            Ordering::Less => from = (end + 1).min(to),
            Ordering::Greater => to = start.saturating_sub(1).max(from),
        }
    }
}

/// `12`, `0.50`: neither a leading zero, nor an exponent, nor a dot at either end.
fn is_plain_number(text: &str) -> bool {
    let (whole, part) = search::split_once(text, ".").unwrap_or((text, "0"));
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_digits(whole)
        && is_digits(part)
        && text.len() <= MOST_DIGITS
        && (whole.len() == 1 || !whole.starts_with('0'))
}

/// Nothing in it that is written otherwise than it is meant, and no token of a partition.
fn is_plain_text(text: &str) -> bool {
    let inner = &text[1..text.len() - 1];
    inner
        .bytes()
        .all(|byte| matches!(byte, b' '..=b'~') && byte != b'\'' && byte != b'{')
}
