//! A change of motion without the old motion: dead blending.
//!
//! In:  every pose that is shown, and the moment of a change.
//! Out: the new poses, mixed for a while with where the old ones were heading.
//!
//! Nothing of the old clip is evaluated after the change. The last two poses shown give a velocity
//! for every joint; from the last one on, the joint coasts with that velocity, which fades away,
//! while the new motion fades in. (After Daniel Holden, "Dead Blending", 2023.)

use sinew_scene::glam::{Quat, Vec3};
use sinew_scene::{JointId, Scene, Transform};

use crate::fade::whole;
use crate::{Ease, Fade, Pose};

/// Carries one character over changes of motion.
#[derive(Clone, Debug)]
#[doc(alias = "inertial blending")]
#[doc(alias = "dead blending")]
pub struct Inertialization {
    /// The pose shown last, and the one before it; how many of them are known; seconds between.
    pub(crate) last: Pose,
    pub(crate) before: Pose,
    pub(crate) known: u8,
    pub(crate) between: f32,
    /// Where the coasting begins.
    pub(crate) from: Pose,
    pub(crate) speeds: Vec<Speed>,
    pub(crate) weight_speeds: Vec<f32>,
    pub(crate) property_speeds: Vec<[f32; 4]>,
    pub(crate) coasted: f32,
    pub(crate) fade: Fade,
}

/// Of one joint, per second.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Speed {
    pub(crate) translation: Vec3,
    /// Axis times radians, in the parent's axes.
    pub(crate) rotation: Vec3,
    pub(crate) scale: Vec3,
}

/// Faster than any limb: what is above was a jump, not a motion. Metres and radians a second.
const FASTEST: f32 = 25.0;

/// The velocity falls to a third in this time, or in a third of the fade if that is shorter.
const COASTING: f32 = 0.1;

impl Inertialization {
    /// For poses of this scene; knows no pose yet.
    #[must_use]
    pub fn new(scene: &Scene) -> Self {
        let pose = Pose::new(scene);
        Self {
            speeds: vec![Speed::default(); pose.len()],
            weight_speeds: vec![0.0; pose.weights.len()],
            property_speeds: vec![[0.0; 4]; pose.properties.len()],
            before: pose.clone(),
            from: pose.clone(),
            last: pose,
            known: 0,
            between: 0.0,
            coasted: 0.0,
            fade: Fade::done(),
        }
    }

    /// The motion changes now: from the next pose on, fades from where the last ones were heading.
    /// Before any pose was shown there is nothing to fade from, and the new motion is shown as it is.
    pub fn start(&mut self, seconds: f32, ease: Ease) {
        if self.known == 0 {
            return;
        }
        self.from.copy_from(&self.last);
        self.fade = Fade::new(seconds, ease);
        self.coasted = 0.0;
        let rate = if self.known > 1 && self.between > 0.0 { 1.0 / self.between } else { 0.0 };
        for (index, speed) in self.speeds.iter_mut().enumerate() {
            let joint = JointId::new(index);
            *speed = speed_of(self.before.local(joint), self.last.local(joint), rate);
        }
        for (at, speed) in self.weight_speeds.iter_mut().enumerate() {
            *speed = bounded((self.last.weights[at] - self.before.weights[at]) * rate);
        }
        for (at, row) in self.property_speeds.iter_mut().enumerate() {
            for (place, speed) in row.iter_mut().enumerate() {
                let change = self.last.properties[at][place] - self.before.properties[at][place];
                *speed = bounded(change * rate);
            }
        }
    }

    /// Forgets what was shown: after a jump to another place, so that the jump is not taken for a motion.
    pub fn forget(&mut self) {
        self.known = 0;
        self.fade = Fade::done();
    }

    /// The share of the new motion in what was last shown: 1 when no change is under way.
    #[must_use]
    pub fn share(&self) -> f32 {
        self.fade.share()
    }

    /// Whether two poses have been shown, so that the velocity of the motion is known.
    #[must_use]
    pub fn knows_velocity(&self) -> bool {
        self.known > 1
    }

    /// Whether a change is still under way.
    #[must_use]
    pub fn is_active(&self) -> bool {
        !self.fade.is_done()
    }

    /// Takes the pose of the new motion, `seconds` after the last, and makes it what is to be shown.
    /// Call it with every pose, whether or not a change is under way.
    ///
    /// # Panics
    /// When the pose is of another scene.
    pub fn apply(&mut self, pose: &mut Pose, seconds: f32) {
        self.last.check_fit(pose);
        let seconds = whole(seconds);
        if self.is_active() {
            let share = self.fade.advance(seconds);
            self.coasted += seconds;
            if !self.fade.is_done() {
                self.mix(pose, share);
            }
        }
        if seconds > 0.0 || self.known == 0 {
            std::mem::swap(&mut self.before, &mut self.last);
            self.known = (self.known + 1).min(2);
            self.between = seconds;
        }
        self.last.copy_from(pose);
    }

    /// How many seconds at the first velocity the coasting so far makes: `h (1 - e^(-t/h))`.
    fn coasting_seconds(&self) -> f32 {
        let span = COASTING.min(self.fade.seconds / 3.0);
        span * -f32::exp_m1(-self.coasted / span)
    }

    fn mix(&self, pose: &mut Pose, share: f32) {
        let seconds = self.coasting_seconds();
        for (index, speed) in self.speeds.iter().enumerate() {
            let joint = JointId::new(index);
            let old = coast(self.from.local(joint), speed, seconds);
            pose.set_local(joint, between(old, pose.local(joint), share));
        }
        let mixed = |from: f32, speed: f32, to: f32| {
            let old = from + speed * seconds;
            old * (1.0 - share) + to * share
        };
        for (at, value) in pose.weights.iter_mut().enumerate() {
            *value = mixed(self.from.weights[at], self.weight_speeds[at], *value);
        }
        for (at, row) in pose.properties.iter_mut().enumerate() {
            for (place, value) in row.iter_mut().enumerate() {
                let speed = self.property_speeds[at][place];
                *value = mixed(self.from.properties[at][place], speed, *value);
            }
        }
    }
}

fn bounded(speed: f32) -> f32 {
    if speed.abs() <= FASTEST { speed } else { 0.0 }
}

fn bounded_vector(speed: Vec3) -> Vec3 {
    if speed.length() <= FASTEST { speed } else { Vec3::ZERO }
}

fn speed_of(before: Transform, last: Transform, rate: f32) -> Speed {
    let mut rotation = last.rotation * before.rotation.conjugate();
    if rotation.w < 0.0 {
        rotation = -rotation;
    }
    Speed {
        translation: bounded_vector((last.translation - before.translation) * rate),
        rotation: bounded_vector(rotation.to_scaled_axis() * rate),
        scale: bounded_vector((last.scale - before.scale) * rate),
    }
}

fn coast(from: Transform, speed: &Speed, seconds: f32) -> Transform {
    Transform {
        translation: from.translation + speed.translation * seconds,
        rotation: Quat::from_scaled_axis(speed.rotation * seconds) * from.rotation,
        scale: from.scale + speed.scale * seconds,
    }
}

/// Mixes along the shorter arc; two quaternions of which neither is further than a half turn never sum to nothing.
fn between(old: Transform, new: Transform, share: f32) -> Transform {
    let sign = if old.rotation.dot(new.rotation) < 0.0 { -1.0 } else { 1.0 };
    Transform {
        translation: old.translation * (1.0 - share) + new.translation * share,
        rotation: (old.rotation * (sign * (1.0 - share)) + new.rotation * share).normalize(),
        scale: old.scale * (1.0 - share) + new.scale * share,
    }
}
