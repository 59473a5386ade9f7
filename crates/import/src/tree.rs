//! Parents before children, whatever the order in the file.
#![allow(dead_code, reason = "each format uses its own few of these")]

/// The order in which every parent comes before its children and all else stays as filed;
/// `None` when some node is its own ancestor or a parent is out of range.
pub(crate) fn parents_first(parents: &[Option<usize>]) -> Option<Vec<usize>> {
    let mut order = Vec::with_capacity(parents.len());
    let mut placed = vec![false; parents.len()];
    let mut waiting = Vec::new();
    for start in 0..parents.len() {
        let mut next = Some(start);
        while let Some(node) = next
            && !*placed.get(node)?
        {
            waiting.push(node);
            // A path up that is longer than there are nodes runs in a circle.
            if waiting.len() > parents.len() {
                return None;
            }
            next = parents[node];
        }
        while let Some(node) = waiting.pop() {
            placed[node] = true;
            order.push(node);
        }
    }
    Some(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_filed_before_its_parent_comes_after_it() {
        assert_eq!(parents_first(&[Some(2), None, Some(1), Some(0)]), Some(vec![1, 2, 0, 3]));
        assert_eq!(parents_first(&[None, Some(0), Some(0), None]), Some(vec![0, 1, 2, 3]));
    }

    #[test]
    fn a_circle_has_no_order() {
        assert_eq!(parents_first(&[Some(1), Some(0)]), None);
        assert_eq!(parents_first(&[Some(0)]), None);
        assert_eq!(parents_first(&[Some(7)]), None);
    }
}
