//! One character that plays a baked clip.
//!
//! In:  seconds as they pass.
//! Out: palettes as an [`Actor`](crate::Actor) would have them, read instead of worked out.
//!
//! Everything is made when the replay is made; a frame allocates nothing.

use std::sync::Arc;

use glam::{Affine3, Affine3A, Mat3A};
use sinew_deform::Bounds;
use sinew_motion::{LoopMode, Player, Pose, Progress};

use crate::Baked;

/// What is shown between two frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Between {
    /// The frame before, as films do: each pose is exact, at a rate of its own.
    Hold,
    /// Both, each by its share, number by number. Smooth, and exact at frames; half way between two that
    /// differ by a turn of `θ` things shrink by `1 - cos(θ/2)`: 0.4 % for ten degrees.
    #[default]
    Mix,
}

/// One character that plays a baked clip, looped.
#[derive(Clone, Debug)]
pub struct Replay {
    baked: Arc<Baked>,
    between: Between,
    player: Player,
    world_from_model: Affine3A,
    /// At rest, but for nodes that carry meshes.
    model_from_joint: Vec<Affine3A>,
    /// In the world, one list for each skin.
    palettes: Vec<Vec<Affine3A>>,
    weights: Vec<f32>,
    hidden: Vec<bool>,
    bounds: Bounds,
}

impl Replay {
    /// At the clip's start, at the origin.
    #[must_use]
    pub fn new(baked: Arc<Baked>) -> Self {
        let scene = baked.scene();
        let joints = scene.skins.iter().map(|skin| vec![Affine3A::IDENTITY; skin.joints.len()]);
        let mut replay = Self {
            between: Between::default(),
            player: Player::new(baked.duration(), LoopMode::Loop),
            world_from_model: Affine3A::IDENTITY,
            model_from_joint: Pose::new(scene).model_from_joint().to_vec(),
            palettes: joints.collect(),
            weights: vec![0.0; scene.weight_count()],
            hidden: vec![false; scene.instances.len()],
            bounds: Bounds::EMPTY,
            baked,
        };
        replay.update();
        replay
    }

    /// What it plays.
    #[must_use]
    pub fn baked(&self) -> &Arc<Baked> {
        &self.baked
    }

    /// The playhead, to change its speed or mode, pause or resume it.
    pub fn player_mut(&mut self) -> &mut Player {
        &mut self.player
    }

    /// Chooses what is shown between two frames.
    pub fn set_between(&mut self, between: Between) {
        self.between = between;
        self.update();
    }

    /// Lets `seconds` pass.
    pub fn advance(&mut self, seconds: f32) -> Progress {
        let progress = self.player.advance(seconds);
        self.update();
        progress
    }

    /// Jumps to a time in the clip.
    pub fn seek(&mut self, time: f32) {
        self.player.seek(time);
        self.update();
    }

    /// Puts the character elsewhere in the world.
    pub fn place(&mut self, world_from_model: Affine3A) {
        self.world_from_model = world_from_model;
        self.update();
    }

    /// `world_from_mesh` for each joint of a skin: what a shader reads.
    #[must_use]
    pub fn palette(&self, skin: usize) -> &[Affine3A] {
        &self.palettes[skin]
    }

    /// The morph weights of all instances, in order.
    #[must_use]
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// A box around the whole character as it is now, in world space; empty when nothing is drawn.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        self.bounds.moved(self.world_from_model)
    }

    /// As a renderer takes it.
    #[cfg(feature = "render")]
    #[must_use]
    pub fn view(&self) -> sinew_render::ActorView<'_> {
        let bounds = self.bounds();
        sinew_render::ActorView {
            model_from_joint: &self.model_from_joint,
            world_from_model: self.world_from_model,
            palettes: Some(&self.palettes),
            weights: &self.weights,
            hidden: &self.hidden,
            bounds: (!bounds.is_empty()).then_some(bounds),
            heat: None,
        }
    }

    fn update(&mut self) {
        let (frame, share) = self.baked.at(self.player.time());
        // The last frame is one whole share after the one before it.
        let (frame, share) = match self.between {
            Between::Mix => (frame, share),
            Between::Hold => (frame + usize::from(share >= 1.0), 0.0),
        };
        let next = if share > 0.0 { frame + 1 } else { frame };
        let pairs = self.baked.matrices(frame).iter().zip(self.baked.matrices(next));
        let mut pairs = pairs.map(|(a, b)| mix(a, b, share));
        for (matrix, mixed) in self.palettes.iter_mut().flatten().zip(&mut pairs) {
            *matrix = self.world_from_model * mixed;
        }
        for (drawn, mixed) in self.baked.scene().instances.iter().zip(pairs) {
            self.model_from_joint[drawn.joint.index()] = mixed;
        }
        let pairs = self.baked.weights(frame).iter().zip(self.baked.weights(next));
        for (weight, (a, b)) in self.weights.iter_mut().zip(pairs) {
            *weight = a + (b - a) * share;
        }
        self.hidden.copy_from_slice(self.baked.hidden(frame));
        // What lies between two boxes' contents lies in a box around both.
        self.bounds = self.baked.bounds(frame).union(self.baked.bounds(next));
    }
}

/// `a` at 0, `b` at 1.
fn mix(a: &Affine3, b: &Affine3, share: f32) -> Affine3A {
    let (a, b) = (Affine3A::from(*a), Affine3A::from(*b));
    if share == 0.0 {
        return a;
    }
    let [ax, bx] = [a.matrix3, b.matrix3];
    Affine3A {
        matrix3: Mat3A::from_cols(
            ax.x_axis.lerp(bx.x_axis, share),
            ax.y_axis.lerp(bx.y_axis, share),
            ax.z_axis.lerp(bx.z_axis, share),
        ),
        translation: a.translation.lerp(b.translation, share),
    }
}
