//! Sorting, once for all types of things: the standard library's sort is compiled anew for each, and weighs in the browser's
//! module.

/// Sorts by the numbers of each thing; those with the same stay in their order.
pub(crate) fn by<T>(list: &mut [T], numbers: impl Fn(&T) -> [usize; 3]) {
    let mut order: Vec<([usize; 3], usize)> = Vec::with_capacity(list.len());
    order.extend(list.iter().map(numbers).zip(0..));
    if order.is_sorted() {
        return;
    }
    order.sort_unstable();
    arrange(list, order.iter().map(|&(_, place)| place).collect());
}

/// Sorts by a text of each thing; those with the same stay in their order.
pub(crate) fn by_text<T>(list: &mut [T], text: impl Fn(&T) -> &str) {
    let texts: Vec<&str> = list.iter().map(text).collect();
    let order = order_of(&texts);
    arrange(list, order);
}

/// The places of texts in their order.
pub(crate) fn order_of(texts: &[&str]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..texts.len()).collect();
    order.sort_by_key(|&place| texts[place]);
    order
}

/// Puts at each place what was at the place that `order` says, one cycle of places after the other.
fn arrange<T>(list: &mut [T], mut order: Vec<usize>) {
    for start in 0..order.len() {
        let mut at = start;
        loop {
            let next = std::mem::replace(&mut order[at], at);
            if next == start {
                break;
            }
            list.swap(at, next);
            at = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{by, by_text};

    #[test]
    fn sorts_and_keeps_what_is_alike_in_order() {
        let mut list: Vec<(usize, String)> = (0..200)
            .map(|at| (at, format!("{}", at * 7919 % 61)))
            .collect();
        let mut sorted = list.clone();
        sorted.sort_by(|one, other| one.1.cmp(&other.1));
        by_text(&mut list, |(_, text)| text);
        assert_eq!(list, sorted);
        sorted.sort_by_key(|(at, text)| (text.len(), at % 5));
        by(&mut list, |(at, text)| [text.len(), at % 5, 0]);
        assert_eq!(list, sorted);
    }
}
