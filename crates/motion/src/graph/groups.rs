//! Which clips go in step with which.
//!
//! A group has a name of its own, or is that of the clips directly under a blend or blend space.

use sinew_scene::Scene;

use super::compile::{GraphError, Order, at_node};
use super::compiled::{ClipWork, SyncWork};
use super::data::{Graph, Node};
use crate::{SyncGroup, SyncMember};

pub(crate) fn groups(
    graph: &Graph,
    order: &Order<'_>,
    clips: &mut [ClipWork],
    scene: &Scene,
) -> Result<Vec<SyncWork>, GraphError> {
    let mut groups: Vec<(Vec<&str>, Vec<usize>)> = Vec::new();
    let known: Vec<&String> = graph.sync.keys().collect();
    for markers in graph.sync.values() {
        groups.push((markers.iter().map(|name| &name[..]).collect(), Vec::new()));
    }
    for (at, clip) in clips.iter().enumerate() {
        let name = order.names[clip.node];
        if let Node::Clip { sync: Some(group), .. } = &graph.nodes[name] {
            let found = known.iter().position(|known| *known == group).ok_or_else(|| {
                at_node(name, format!("there is no sync \"{group}\": there are {known:?}"))
            })?;
            groups[found].1.push(at);
        }
    }
    for &name in &order.names {
        let node = &graph.nodes[name];
        let in_step = matches!(
            node,
            Node::Blend { in_step: true, .. } | Node::BlendSpace { in_step: true, .. }
        );
        if in_step {
            let inputs: Vec<usize> =
                node.inputs().into_iter().map(|input| order.at[input]).collect();
            let alone = |clip: &ClipWork| {
                let name = order.names[clip.node];
                matches!(graph.nodes[name], Node::Clip { sync: None, .. })
            };
            let members = clips.iter().enumerate();
            let members = members.filter(|(_, clip)| inputs.contains(&clip.node) && alone(clip));
            groups.push((Vec::new(), members.map(|(at, _)| at).collect()));
        }
    }
    groups.retain(|(_, members)| !members.is_empty());
    let mut out = Vec::with_capacity(groups.len());
    for (group, (markers, members)) in groups.into_iter().enumerate() {
        let looped = clips[members[0]].looped;
        let name = |member: usize| order.names[clips[members[member]].node];
        if let Some(other) = members.iter().position(|&clip| clips[clip].looped != looped) {
            let message =
                format!("it goes in step with \"{}\": expected both to loop or neither", name(0));
            return Err(at_node(name(other), message));
        }
        let parts: Vec<SyncMember<'_>> = members
            .iter()
            .map(|&at| SyncMember {
                duration: scene.clips[clips[at].clip].duration,
                markers: &clips[at].markers,
            })
            .collect();
        let start = SyncGroup::new(&parts, &markers, looped)
            .map_err(|error| at_node(name(error.member), error.message))?;
        for (member, &clip) in members.iter().enumerate() {
            clips[clip].sync = Some((group, member));
        }
        out.push(SyncWork { start, members });
    }
    Ok(out)
}
