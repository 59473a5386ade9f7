//! Binding: which nodes of the scene a skin's joints are, where it is used.
//!
//! In:  a skin, the roots of its skeleton, and the node tree.
//! Out: a node and a matrix for each joint; a joint that is not there is a note.

use glam::DAffine3;
use sinew_scene::JointId;

use super::graph::Graph;
use super::skin::SkinData;
use super::xml::{self, Tag, Xml};
use crate::NoteCode;
use crate::files::shorten;
use crate::open::Context;

/// A skin, the skeleton it is bound to, and the node that has it.
pub(super) struct Binding<'a, 'b> {
    pub(super) xml: &'b Xml<'a>,
    pub(super) graph: &'b Graph<'b>,
    pub(super) joint: JointId,
    /// The `<instance_controller>`.
    pub(super) tag: Tag<'a>,
    /// The `<skin>`.
    pub(super) skin: Tag<'a>,
}

impl Binding<'_, '_> {
    /// The skin's joints with their matrices. A joint that is not there leaves what it influences
    /// where the node puts it.
    pub(super) fn joints(
        &self,
        data: &SkinData,
        context: &mut Context<'_>,
    ) -> (Vec<JointId>, Vec<DAffine3>) {
        let roots: Vec<usize> = xml::children(self.tag, "skeleton")
            .filter_map(|tag| self.graph.root(&tag.text()))
            .collect();
        let words = self.words(data, &roots);
        let mut joints = Vec::new();
        let mut joint_from_mesh = Vec::new();
        for (at, word) in words.iter().enumerate() {
            match self.graph.joint(word, data.joints.are_ids, &roots) {
                Some(joint) => {
                    joints.push(joint);
                    let matrix = data.joint_from_bind.get(at).copied().unwrap_or_else(|| {
                        let text = "a joint without an inverse bind matrix has the identity";
                        let place = self.xml.place(self.skin);
                        context.notes.add_as(NoteCode::BindCount, place, text);
                        DAffine3::IDENTITY
                    });
                    joint_from_mesh.push(matrix * data.bind_from_mesh);
                }
                None => {
                    let text = format!("the joint \"{}\" is not in the scene", shorten(word));
                    let place = self.xml.place(self.skin);
                    context.notes.add_as(NoteCode::JointOutsideScene, place, text);
                    joints.push(self.joint);
                    joint_from_mesh.push(data.bind_from_mesh);
                }
            }
        }
        (joints, joint_from_mesh)
    }

    /// Names with spaces in them fall apart into several words: the longest that is a joint's
    /// name counts, so long as that gives as many names as the file says. Empty words keep the
    /// number of joints.
    fn words(&self, data: &SkinData, roots: &[usize]) -> Vec<String> {
        let words = &data.joints.words;
        let spare = words.len().saturating_sub(data.joints.declared).min(8);
        if spare == 0 {
            return words.clone();
        }
        let mut joined = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let longest = (2..=spare + 1)
                .rev()
                .filter(|count| at + count <= words.len())
                .find(|count| {
                    let name = words[at..at + count].join(" ");
                    self.graph.joint(&name, data.joints.are_ids, roots).is_some()
                })
                .unwrap_or(1);
            joined.push(words[at..at + longest].join(" "));
            at += longest;
        }
        if joined.len() != data.joints.declared {
            return words.clone();
        }
        joined.resize(words.len(), String::new());
        joined
    }
}
