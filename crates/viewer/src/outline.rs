//! The scene tree as rows: what is seen of it now.
//!
//! In:  models, what is folded, what is searched for.
//! Out: one row for each line of the panel, parents before their children.
//!
//! During a search, nothing is folded: rows are what matches, and its parents.

use std::collections::HashSet;

use sinew::{InstanceId, JointId};

use crate::model::Model;

/// What a row is, in a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Item {
    Model,
    Joint(JointId),
    Mesh(InstanceId),
}

/// One line of the tree.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    /// Which model.
    pub(crate) model: usize,
    pub(crate) item: Item,
    pub(crate) depth: usize,
    pub(crate) name: String,
    /// `None` where nothing is below it.
    pub(crate) open: Option<bool>,
    /// The name holds what is searched for.
    pub(crate) found: bool,
}

/// What is folded, by the model's title, which outlives a reload.
pub(crate) type Folded = HashSet<(usize, Item)>;

/// The rows of all models.
pub(crate) fn rows(models: &[Model], folded: &Folded, search: &str) -> Vec<Row> {
    let search = search.trim().to_lowercase();
    let mut all = Vec::new();
    for (index, model) in models.iter().enumerate() {
        of_model(index, model, folded, &search, &mut all);
    }
    if !search.is_empty() {
        keep_found(&mut all);
    }
    all
}

fn of_model(index: usize, model: &Model, folded: &Folded, search: &str, all: &mut Vec<Row>) {
    let searching = !search.is_empty();
    let mut push = |item: Item, depth: usize, name: String, has_children: bool| {
        let open = searching || !folded.contains(&(index, item));
        let found = searching && name.to_lowercase().contains(search);
        let row =
            Row { model: index, item, depth, name, open: has_children.then_some(open), found };
        all.push(row);
        open
    };
    let skeleton = model.scene().skeleton();
    if !push(Item::Model, 0, model.title.clone(), !skeleton.is_empty()) {
        return;
    }
    // Own stack: a file may nest deeper than ours goes.
    let roots = skeleton.ids().filter(|joint| skeleton.parents()[joint.index()].is_none());
    let mut waiting: Vec<(JointId, usize)> = roots.rev().map(|joint| (joint, 1)).collect();
    while let Some((joint, depth)) = waiting.pop() {
        let children = &model.facts.children[joint.index()];
        let meshes = &model.facts.meshes[joint.index()];
        let has_children = !children.is_empty() || !meshes.is_empty();
        if push(Item::Joint(joint), depth, model.name_of(joint), has_children) {
            for mesh in meshes {
                push(Item::Mesh(*mesh), depth + 1, model.name_of_mesh(*mesh), false);
            }
            waiting.extend(children.iter().rev().map(|child| (*child, depth + 1)));
        }
    }
}

/// Drops rows that neither match nor lead to a match.
fn keep_found(rows: &mut Vec<Row>) {
    let mut kept = vec![false; rows.len()];
    // From the end: a row leads to a match when a deeper one after it, before its next sibling, is kept.
    let mut wanted = 0;
    for (index, row) in rows.iter().enumerate().rev() {
        let leads = wanted > row.depth;
        kept[index] = row.found || leads;
        if kept[index] {
            wanted = row.depth;
        } else {
            wanted = wanted.min(row.depth);
        }
    }
    let mut kept = kept.into_iter();
    rows.retain(|_| kept.next().unwrap_or(false));
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::scene::{Node, SceneParts};
    use sinew::{Scene, Transform};

    /// hips ─ spine ─ head, hips ─ leg.L ─ foot.L, hips ─ leg.R
    fn person() -> Model {
        let node = |name: &str, parent: Option<usize>| {
            Node::new(name, parent.map(JointId::new), Transform::IDENTITY)
        };
        let nodes = vec![
            node("hips", None),
            node("spine", Some(0)),
            node("leg.L", Some(0)),
            node("leg.R", Some(0)),
            node("head", Some(1)),
            node("foot.L", Some(2)),
        ];
        let scene = Scene::new(SceneParts { nodes, ..SceneParts::default() });
        Model::built_in("person", scene.expect("a good tree"))
    }

    fn names(rows: &[Row]) -> Vec<String> {
        rows.iter().map(|row| format!("{}{}", "  ".repeat(row.depth), row.name)).collect()
    }

    #[test]
    fn children_stand_under_their_parents_in_the_files_order() {
        let rows = rows(&[person()], &Folded::new(), "");
        let expected = [
            "person",
            "  hips",
            "    spine",
            "      head",
            "    leg.L",
            "      foot.L",
            "    leg.R",
        ];
        assert_eq!(names(&rows), expected);
    }

    #[test]
    fn what_is_folded_hides_what_is_below_it() {
        let folded = Folded::from([(0, Item::Joint(JointId::new(2)))]);
        let rows = rows(&[person()], &folded, "");
        assert!(!names(&rows).contains(&"      foot.L".to_owned()));
        assert_eq!(
            rows.iter().find(|row| row.name == "leg.L").and_then(|row| row.open),
            Some(false)
        );
    }

    #[test]
    fn a_search_shows_matches_and_their_parents_also_where_they_were_folded() {
        let folded = Folded::from([(0, Item::Model)]);
        let found = rows(&[person()], &folded, " FOOT ");
        assert_eq!(names(&found), ["person", "  hips", "    leg.L", "      foot.L"]);
        assert_eq!(found.iter().filter(|row| row.found).count(), 1);
        assert_eq!(
            names(&rows(&[person()], &folded, "leg")),
            ["person", "  hips", "    leg.L", "    leg.R"]
        );
        assert!(rows(&[person()], &folded, "tail").is_empty());
    }

    #[test]
    fn a_chain_of_a_hundred_thousand_nodes_is_walked() {
        let node = |index: usize| {
            let parent = index.checked_sub(1).map(JointId::new);
            Node::new("link", parent, Transform::IDENTITY)
        };
        let nodes = (0..100_000).map(node).collect();
        let scene = Scene::new(SceneParts { nodes, ..SceneParts::default() });
        let model = Model::built_in("chain", scene.expect("a good tree"));
        assert_eq!(rows(&[model], &Folded::new(), "").len(), 100_001);
    }
}
