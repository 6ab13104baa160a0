//! Sorting, once for all types of things: the standard library's sort is compiled anew for each, and weighs in the browser's
//! module.

/// Sorts by the numbers of each thing; those with the same stay in their order.
pub(crate) fn by<T>(list: &mut Vec<T>, numbers: impl Fn(&T) -> [usize; 3]) {
    let mut order: Vec<([usize; 3], usize)> = Vec::with_capacity(list.len());
    order.extend(list.iter().map(numbers).zip(0..));
    if order.is_sorted() {
        return;
    }
    order.sort_unstable();
    let mut things: Vec<Option<T>> = list.drain(..).map(Some).collect();
    list.extend(order.iter().filter_map(|&(_, place)| things[place].take()));
}
