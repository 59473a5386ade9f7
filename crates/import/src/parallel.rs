//! Many parts of a file at once, on all cores.
//!
//! In:  a list, and how much work each entry is. Out: the results, in the list's order, so that nothing
//! depends on how many cores there are.

#[cfg(not(target_arch = "wasm32"))]
use rayon::prelude::*;

/// Below so much work in all, waking other threads costs more than they save.
#[cfg(not(target_arch = "wasm32"))]
const LEAST_WORK: usize = 1 << 14;

/// `each` of every entry of `list`. `weigh` gives its work, in vertices or indices or the like.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn map<T: Send, R: Send>(
    list: Vec<T>,
    weigh: impl Fn(&T) -> usize,
    each: impl Fn(T) -> R + Send + Sync,
) -> Vec<R> {
    let work = list.iter().map(weigh).fold(0, usize::saturating_add);
    // One thread alone would only do it in another's place, with memory of its own.
    if list.len() < 2 || work < LEAST_WORK || rayon::current_num_threads() < 2 {
        return list.into_iter().map(each).collect();
    }
    list.into_par_iter().with_max_len(1).map(each).collect()
}

/// The same in browsers, where there is one thread.
#[cfg(target_arch = "wasm32")]
pub(crate) fn map<T: Send, R: Send>(
    list: Vec<T>,
    _weigh: impl Fn(&T) -> usize,
    each: impl Fn(T) -> R + Send + Sync,
) -> Vec<R> {
    list.into_iter().map(each).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_list_however_much_work_they_are() {
        for work in [0, LEAST_WORK] {
            let found = map((0..100).collect(), |_| work, |number: usize| number * 2);
            assert_eq!(found, (0..100).map(|number| number * 2).collect::<Vec<_>>());
        }
    }
}
