//! The node tree of the visual scene, with everything instanced in its place.
//!
//! In:  the visual scene, and which transforms are driven.
//! Out: nodes, parents before children; a whole subtree is one range of them. A node whose
//! transforms do not fit in one gets parents of its own, see [`stack`](super::stack).
//!
//! The walk keeps its own list of what to visit, so no depth of nesting overflows a stack.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use sinew_scene::{JointId, Node};

use super::animation::Channels;
use super::stack::{self, Group};
use super::step;
use super::track;
use super::trs::single;
use super::xml::{self, ElementId, Tag, Xml};
use crate::files::shorten;
use crate::open::Context;
use crate::{ImportError, Place};

/// A node that some clip animates.
#[derive(Clone, Debug)]
pub(super) struct Moving {
    pub(super) joint: JointId,
    groups: Rc<Vec<Group>>,
    group: usize,
}

impl Moving {
    pub(super) fn group(&self) -> &Group {
        &self.groups[self.group]
    }
}

/// Joints by a word, in order.
type Words<'a> = HashMap<&'a str, Vec<usize>>;

#[derive(Default)]
pub(super) struct Graph<'a> {
    pub(super) nodes: Vec<Node>,
    pub(super) moving: Vec<Moving>,
    /// Meshes, lights and cameras, and the node that has each.
    pub(super) uses: Vec<(JointId, Tag<'a>)>,
    /// Where each node's subtree ends in `nodes`.
    ends: Vec<usize>,
    by_sid: Words<'a>,
    by_id: Words<'a>,
    by_name: Words<'a>,
}

enum Visit<'a> {
    Enter(Tag<'a>, Option<JointId>),
    Leave(Tag<'a>, usize),
}

pub(super) fn read<'a>(
    xml: &Xml<'a>,
    channels: &Channels,
    context: &mut Context<'_>,
) -> Result<Graph<'a>, ImportError> {
    let mut walk = Walk { xml, channels, graph: Graph::default(), stacks: HashMap::new() };
    let mut visits: Vec<Visit<'a>> = roots(xml, context);
    visits.reverse();
    let mut open: HashSet<ElementId> = HashSet::new();
    while let Some(visit) = visits.pop() {
        match visit {
            Visit::Leave(tag, joint) => {
                open.remove(&tag.id());
                walk.graph.ends[joint] = walk.graph.nodes.len();
            }
            Visit::Enter(tag, _) if !open.insert(tag.id()) => {
                let text = format!("the node \"{}\" holds itself", shorten(xml::label(tag)));
                context.notes.add(xml.place(tag), text);
                // The one that is open is still to be left.
            }
            Visit::Enter(tag, parent) => {
                let joint = walk.enter(tag, parent, context)?;
                visits.push(Visit::Leave(tag, joint.index()));
                let from = visits.len();
                walk.children(tag, joint, &mut visits, context);
                visits[from..].reverse();
            }
        }
    }
    Ok(walk.graph)
}

/// The nodes of the scene that is shown, or of what else there is.
fn roots<'a>(xml: &Xml<'a>, context: &mut Context<'_>) -> Vec<Visit<'a>> {
    let shown = xml::descend(xml.root, &["scene", "instance_visual_scene"]);
    let named = shown.and_then(|tag| xml.follow(tag, "url", "visual_scene", &mut context.notes));
    let first = || xml::descend(xml.root, &["library_visual_scenes", "visual_scene"]);
    let scene = named.or_else(first).or_else(|| {
        context.notes.add(xml.place(xml.root), "there is no scene; the library's nodes are shown");
        xml::child(xml.root, "library_nodes")
    });
    let nodes = scene.into_iter().flat_map(|scene| xml::children(scene, "node"));
    nodes.map(|node| Visit::Enter(node, None)).collect()
}

struct Walk<'a, 'b> {
    xml: &'b Xml<'a>,
    channels: &'b Channels,
    graph: Graph<'a>,
    /// Each element's groups, made once however often it is instanced.
    stacks: HashMap<ElementId, Rc<Vec<Group>>>,
}

impl<'a> Walk<'a, '_> {
    /// Adds an element's nodes and gives the last, which has its name.
    fn enter(
        &mut self,
        tag: Tag<'a>,
        mut parent: Option<JointId>,
        context: &mut Context<'_>,
    ) -> Result<JointId, ImportError> {
        let groups = self.groups(tag, context)?;
        let name = xml::label(tag);
        let taken = context.budget.take(groups.len(), 400 + name.len(), &Place::Whole);
        taken.map_err(|error| ImportError { place: self.xml.place(tag), ..error })?;
        let graph = &mut self.graph;
        for (at, group) in groups.iter().enumerate() {
            let joint = JointId::new(graph.nodes.len());
            let is_last = at + 1 == groups.len();
            let name = if is_last { name.to_owned() } else { format!("{name} ({})", at + 1) };
            graph.nodes.push(match group {
                Group::Still(matrix) => Node::from_matrix(name, parent, single(*matrix)),
                moving => Node::new(name, parent, moving.rest().to_transform()),
            });
            graph.ends.push(graph.nodes.len());
            if !matches!(group, Group::Still(_)) {
                graph.moving.push(Moving { joint, groups: Rc::clone(&groups), group: at });
            }
            parent = Some(joint);
        }
        let joint = graph.nodes.len() - 1;
        for (words, attribute) in
            [(&mut graph.by_sid, "sid"), (&mut graph.by_id, "id"), (&mut graph.by_name, "name")]
        {
            if let Some(word) = tag.attribute(attribute) {
                words.entry(word).or_default().push(joint);
            }
        }
        Ok(JointId::new(joint))
    }

    fn groups(
        &mut self,
        tag: Tag<'a>,
        context: &mut Context<'_>,
    ) -> Result<Rc<Vec<Group>>, ImportError> {
        if let Some(known) = self.stacks.get(&tag.id()) {
            return Ok(Rc::clone(known));
        }
        let steps = step::read(self.xml, tag, &mut context.notes)?;
        let groups =
            stack::split(&steps, |step| step.tag.is_some_and(|tag| self.channels.drive(tag)));
        let groups: Vec<Group> = groups
            .into_iter()
            .flat_map(|group| match group {
                Group::Matrix(step) if track::is_sheared(&step, self.channels) => {
                    vec![Group::Outer(step.clone()), Group::Inner(step)]
                }
                other => vec![other],
            })
            .collect();
        let groups = Rc::new(groups);
        self.stacks.insert(tag.id(), Rc::clone(&groups));
        Ok(groups)
    }

    fn children(
        &mut self,
        tag: Tag<'a>,
        joint: JointId,
        visits: &mut Vec<Visit<'a>>,
        context: &mut Context<'_>,
    ) {
        for child in tag.children() {
            match xml::name(child) {
                "node" => visits.push(Visit::Enter(child, Some(joint))),
                "instance_node" => {
                    let node = self.xml.follow(child, "url", "node", &mut context.notes);
                    visits.extend(node.map(|node| Visit::Enter(node, Some(joint))));
                }
                "instance_geometry"
                | "instance_controller"
                | "instance_light"
                | "instance_camera" => self.graph.uses.push((joint, child)),
                _ => {}
            }
        }
    }
}

impl Graph<'_> {
    /// The joint that a skin means by a word: below one of the roots by its scoped id, else
    /// anywhere by scoped id, id or name. Ids come first where the file says that words are ids.
    pub(super) fn joint(&self, word: &str, are_ids: bool, roots: &[usize]) -> Option<JointId> {
        let (first, second) =
            if are_ids { (&self.by_id, &self.by_sid) } else { (&self.by_sid, &self.by_id) };
        let lists = [first, second, &self.by_name];
        let below = || lists.iter().find_map(|words| self.below(words.get(word)?, roots));
        let anywhere = || lists.iter().find_map(|words| words.get(word)?.first().copied());
        below().or_else(anywhere).map(JointId::new)
    }

    fn below(&self, joints: &[usize], roots: &[usize]) -> Option<usize> {
        roots.iter().find_map(|&root| {
            let at = joints.partition_point(|&joint| joint < root);
            joints.get(at).copied().filter(|&joint| joint < self.ends[root])
        })
    }

    /// The joint that a skeleton root such as `#id` means.
    pub(super) fn root(&self, reference: &str) -> Option<usize> {
        let reference = reference.trim();
        let word = reference.strip_prefix('#').unwrap_or(reference);
        self.joint(word, true, &[]).map(JointId::index)
    }
}
