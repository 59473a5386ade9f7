//! A body: which joints of a skeleton are its parts, and how sure that is.
//!
//! A slot that holds nothing is a part that the skeleton does not have. Hips, thighs and shins are
//! always there: [`Body::find`](crate::Body::find) and map files see to it.

use std::collections::BTreeMap;

use sinew_scene::JointId;

use crate::slot::{BodyPart, Side, Slot};

/// How a joint was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// By the shape of the tree alone.
    Shape,
    /// By its place between two joints that were found.
    Place,
    /// By its name.
    Name,
    /// By name and shape, which agree.
    Both,
    /// A person said so.
    Given,
}

impl Why {
    /// How sure it is, from 0 to 1.
    #[must_use]
    pub fn confidence(self) -> f32 {
        match self {
            Self::Shape => 0.6,
            Self::Place => 0.8,
            Self::Name => 0.85,
            Self::Both => 0.98,
            Self::Given => 1.0,
        }
    }

    /// In words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Shape => "by shape",
            Self::Place => "by place",
            Self::Name => "by name",
            Self::Both => "by name and shape",
            Self::Given => "given",
        }
    }
}

/// The parts of a body in one skeleton.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body {
    joints: BTreeMap<Slot, (Vec<JointId>, Why)>,
    /// Left and right are named the other way round than the body has them.
    pub(crate) sides_swapped: bool,
}

impl Body {
    /// The joints of a slot: none, one, or a chain from the middle of the body outward.
    #[must_use]
    pub fn joints(&self, slot: Slot) -> &[JointId] {
        self.joints.get(&slot).map_or(&[], |entry| &entry.0)
    }

    /// The only joint of a slot, or the first of its chain.
    #[must_use]
    pub fn joint(&self, slot: Slot) -> Option<JointId> {
        self.joints(slot).first().copied()
    }

    /// How the joints of a slot were found; `None` where there are none.
    #[must_use]
    pub fn why(&self, slot: Slot) -> Option<Why> {
        self.joints.get(&slot).map(|entry| entry.1)
    }

    /// Puts joints into a slot, in place of what was there.
    pub fn set(&mut self, slot: Slot, joints: Vec<JointId>, why: Why) {
        if joints.is_empty() {
            self.joints.remove(&slot);
        } else {
            self.joints.insert(slot, (joints, why));
        }
    }

    /// Every slot that holds something, in order.
    pub fn slots(&self) -> impl Iterator<Item = Slot> + use<'_> {
        Slot::all().filter(|slot| self.joints.contains_key(slot))
    }

    /// How many joints the body has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.joints.values().map(|entry| entry.0.len()).sum()
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// The hips; a body has them.
    pub(crate) fn hips(&self) -> JointId {
        self.joint(Slot::middle(BodyPart::Hips)).unwrap_or(JointId::new(0))
    }

    pub(crate) fn on(&self, side: Side, part: BodyPart) -> Option<JointId> {
        self.joint(Slot::of(side, part))
    }

    /// What carries the shoulders: the last of the spine, or the hips.
    pub(crate) fn chest(&self) -> JointId {
        self.joints(Slot::middle(BodyPart::Spine)).last().copied().unwrap_or(self.hips())
    }

    /// Makes left of right.
    pub(crate) fn swap_sides(&mut self) {
        self.sides_swapped = !self.sides_swapped;
        let swap = |slot: Slot| Slot { side: slot.side.map(Side::other), ..slot };
        let joints = std::mem::take(&mut self.joints);
        self.joints = joints.into_iter().map(|(slot, entry)| (swap(slot), entry)).collect();
    }

    /// The first part that a body cannot do without and this one lacks.
    pub(crate) fn lacks(&self) -> Option<Slot> {
        let legs = Side::BOTH.into_iter().flat_map(|side| {
            [BodyPart::Thigh, BodyPart::Shin, BodyPart::Foot].map(|part| Slot::of(side, part))
        });
        std::iter::once(Slot::middle(BodyPart::Hips))
            .chain(legs)
            .find(|&slot| self.joint(slot).is_none())
    }
}
