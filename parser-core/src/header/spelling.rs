//! Near misses: words that are one edit away from a known one.

/// Whether one insertion, deletion, substitution or swap of neighbours turns `word` into `known`.
///
/// Equal words are not one edit apart.
pub(super) fn one_edit_apart(word: &str, known: &str) -> bool {
    // Known words are short ASCII; a word much longer in bytes cannot be near, however long the line.
    if word == known || word.len() > known.len() + 4 || known.len() > word.len() + 1 {
        return false;
    }
    let (word, known): (Vec<char>, Vec<char>) = (word.chars().collect(), known.chars().collect());
    let same_start = word.iter().zip(&known).take_while(|(a, b)| a == b).count();
    let (word, known) = (&word[same_start..], &known[same_start..]);
    match (word, known) {
        ([], [_]) | ([_], []) => true,
        ([a, b, word @ ..], [c, d, known @ ..]) if a == d && b == c && word == known => true,
        ([_, word_rest @ ..], [_, known_rest @ ..]) => {
            word_rest == known_rest || word == known_rest || word_rest == known
        }
        ([], _) | (_, []) => false,
    }
}

/// The known word that `word` was probably meant to be: one edit away, or the same in other case.
pub(super) fn nearest(word: &str, known: &[&'static str]) -> Option<&'static str> {
    known.iter().copied().find(|known| {
        word != *known && (word.eq_ignore_ascii_case(known) || one_edit_apart(word, known))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_edit_is_one_edit() {
        for near in [
            "materialise",
            "materialiez",
            "materializ",
            "materializes",
            "mmaterialize",
            "Materialize",
        ] {
            assert!(one_edit_apart(near, "materialize"), "{near}");
        }
        for far in [
            "materialize",
            "materialiss",
            "MATERIALIZE",
            "",
            "mat",
            "matérialisé",
        ] {
            assert!(!one_edit_apart(far, "materialize"), "{far}");
        }
        assert!(!one_edit_apart("né", "on"));
        assert!(one_edit_apart("o🦆", "on"));
    }
}
