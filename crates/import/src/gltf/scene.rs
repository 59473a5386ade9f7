//! Which scene is drawn.
//!
//! In:  the document and the person's choice. Out: for every node, whether the scene reaches it.

use super::buffer::no_such;
use super::json::Document;
use crate::open::Context;
use crate::{ImportError, Place};

/// Whether each of the document's nodes is drawn. The tree has been checked to be one.
pub(super) fn drawn(
    document: &Document<'_>,
    context: &mut Context<'_>,
) -> Result<Vec<bool>, ImportError> {
    let nodes = &document.nodes;
    let Some((scene, place)) = chosen(document, context)? else {
        if !nodes.is_empty() {
            context.notes.add(Place::Whole, "the file has no scene: all its nodes are drawn");
        }
        return Ok(vec![true; nodes.len()]);
    };
    let mut drawn = vec![false; nodes.len()];
    let mut next: Vec<usize> = Vec::new();
    for root in &document.scenes[scene].nodes {
        if root.0 >= nodes.len() {
            return Err(no_such("node", root.0, nodes.len(), &place));
        }
        next.push(root.0);
    }
    while let Some(node) = next.pop() {
        if !std::mem::replace(&mut drawn[node], true) {
            next.extend(nodes[node].children.iter().map(|child| child.0));
        }
    }
    Ok(drawn)
}

fn chosen(
    document: &Document<'_>,
    context: &mut Context<'_>,
) -> Result<Option<(usize, Place)>, ImportError> {
    let count = document.scenes.len();
    let wanted = context.options.scene;
    let preferred = document.scene.map(|scene| scene.0);
    if count == 0 && wanted.is_none() && preferred.is_none_or(|scene| scene == 0) {
        return Ok(None);
    }
    let scene = wanted.or(preferred).unwrap_or(0);
    if scene >= count {
        return Err(no_such("scene", scene, count, &Place::part("scene")));
    }
    if count > 1 && wanted.is_none() {
        let others = document.scenes.iter().enumerate().filter(|(at, _)| *at != scene);
        let names: Vec<String> = others
            .take(8)
            .map(|(at, other)| match &other.name {
                Some(name) => format!("{at} \"{}\"", crate::files::shorten(name)),
                None => at.to_string(),
            })
            .collect();
        let more = if count > 9 { " and more" } else { "" };
        let text = format!(
            "scene {scene} is drawn; there are {} others: {}{more}",
            count - 1,
            names.join(", ")
        );
        context.notes.add(Place::part("scenes"), text);
    }
    Ok(Some((scene, Place::part(format!("scenes[{scene}]")))))
}
