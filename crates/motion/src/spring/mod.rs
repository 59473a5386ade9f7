//! Hair, tails, ears, straps: chains of joints that swing after what they hang on.
//!
//! In:  a pose, where the model stands in the world, and seconds.
//! Out: the same pose with the chain swung, and a state of flat numbers that goes from frame to frame.
//!
//! Each joint's tip is pulled by a damped spring to where the pose has it. Springs are solved exactly
//! ([`motion`](self)), in steps of at most 1/240 s between which everything that drives them moves
//! evenly: so 30 and 240 frames a second look the same, and no frame is too long.

mod collide;
mod motion;

use std::f32::consts::{PI, TAU};

use sinew_scene::glam::{Affine3A, Quat, Vec3, Vec3A};
use sinew_scene::{JointId, Skeleton};

pub use collide::Collider;
use motion::Step;

use crate::Pose;
use crate::ik::{Above, IkError, arc, part_of, path, rotation_of, unit_or};

/// Steps a second, and the most of them in one frame; in longer frames steps are longer.
const RATE: f32 = 240.0;
const MAX_STEPS: f32 = 32.0;
/// Numbers of a chain's state, and of each joint's.
const HEAD: usize = 4;
const EACH: usize = 12;

/// A chain of joints that swings after what it hangs on.
///
/// The state is in world space: a model that walks and turns leaves its hair behind.
#[derive(Clone, Debug, PartialEq)]
#[doc(alias = "spring bone")]
#[doc(alias = "jiggle")]
pub struct SpringChain {
    /// Swings a second without damping: stiffness. Held between 0.1 and 60.
    pub frequency: f32,
    /// 0 swings for ever, 1 just does not swing, more creeps. Held between 0 and 100.
    pub damping: f32,
    /// How much of the damping is by still air, 0 to 1: what moves on lags behind. The rest is inner.
    pub drag: f32,
    /// What pulls on it, in the world, in m/s²; a pose that already hangs wants little.
    pub gravity: Vec3,
    /// The most that a joint rotates from how the pose has it, seen from its parent, in radians.
    pub most: f32,
    /// How thick the tips are for colliders, in metres of the world.
    pub radius: f32,
    /// When the root moves further than this between two frames, in metres, the chain is carried
    /// along as it is and does not swing.
    pub teleport: f32,
    joints: Vec<JointId>,
    /// Where each joint's tip is: the joint itself and a place in its space.
    tips: Vec<(JointId, Vec3)>,
    links: Vec<Link>,
    /// From each joint to its tip as the pose has it now.
    posed: Vec<Vec3A>,
    /// Where the root was; nothing before the first frame.
    root: Option<Vec3A>,
}

/// One joint's tip, in the world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Link {
    place: Vec3A,
    speed: Vec3A,
    /// From the joint to its tip as the pose last had it.
    posed: Vec3A,
    /// Where the spring last pulled to.
    goal: Vec3A,
}

impl SpringChain {
    /// From `first` down to the parent of `end`, which is only the last tip. Soft: 2 swings a
    /// second that die away quickly.
    ///
    /// # Errors
    /// When `end` is not below `first`.
    pub fn new(skeleton: &Skeleton, first: JointId, end: JointId) -> Result<Self, IkError> {
        let mut joints = path(skeleton, first, end)?;
        let tips = joints.iter().skip(1).map(|&joint| (joint, Vec3::ZERO)).collect();
        joints.pop();
        Ok(Self::with(joints, tips))
    }

    /// From `first` down to `last`, whose tip is at `tip` in its own space.
    ///
    /// # Errors
    /// When `last` is neither `first` nor below it.
    pub fn with_tip(
        skeleton: &Skeleton,
        first: JointId,
        last: JointId,
        tip: Vec3,
    ) -> Result<Self, IkError> {
        let mut chain = if first == last {
            Self::with(Vec::new(), Vec::new())
        } else {
            Self::new(skeleton, first, last)?
        };
        chain.joints.push(last);
        chain.tips.push((last, tip));
        chain.links.push(Link::default());
        chain.posed.push(Vec3A::ZERO);
        Ok(chain)
    }

    fn with(joints: Vec<JointId>, tips: Vec<(JointId, Vec3)>) -> Self {
        Self {
            frequency: 2.0,
            damping: 0.3,
            drag: 0.5,
            gravity: Vec3::ZERO,
            most: 1.5,
            radius: 0.0,
            teleport: 2.0,
            links: vec![Link::default(); joints.len()],
            posed: vec![Vec3A::ZERO; joints.len()],
            joints,
            tips,
            root: None,
        }
    }

    /// The joints that swing, parents before children.
    #[must_use]
    pub fn joints(&self) -> &[JointId] {
        &self.joints
    }

    /// Forgets all swing: the next frame begins with how the pose has it.
    pub fn reset(&mut self) {
        self.root = None;
    }

    /// How many numbers the state has.
    #[must_use]
    pub fn state_len(&self) -> usize {
        HEAD + EACH * self.links.len()
    }

    /// Writes the state as flat numbers.
    ///
    /// # Panics
    /// When `out` is not [`state_len`](Self::state_len) long.
    pub fn save(&self, out: &mut [f32]) {
        assert_eq!(out.len(), self.state_len(), "the numbers of one state");
        let root = self.root.unwrap_or_default();
        out[..3].copy_from_slice(&root.to_array());
        out[3] = if self.root.is_some() { 1.0 } else { 0.0 };
        for (link, out) in self.links.iter().zip(out[HEAD..].chunks_exact_mut(EACH)) {
            let parts = [link.place, link.speed, link.posed, link.goal];
            for (part, out) in parts.iter().zip(out.chunks_exact_mut(3)) {
                out.copy_from_slice(&part.to_array());
            }
        }
    }

    /// Takes a state that [`save`](Self::save) wrote. Numbers that are not finite are as
    /// [`reset`](Self::reset).
    ///
    /// # Panics
    /// When `state` is not [`state_len`](Self::state_len) long.
    pub fn load(&mut self, state: &[f32]) {
        assert_eq!(state.len(), self.state_len(), "the numbers of one state");
        let vector = |numbers: &[f32]| Vec3A::new(numbers[0], numbers[1], numbers[2]);
        for (link, state) in self.links.iter_mut().zip(state[HEAD..].chunks_exact(EACH)) {
            *link = Link {
                place: vector(state),
                speed: vector(&state[3..]),
                posed: vector(&state[6..]),
                goal: vector(&state[9..]),
            };
        }
        let sound = state[3] == 1.0 && state.iter().all(|number| number.is_finite());
        self.root = sound.then(|| vector(state));
    }

    /// Lets the chain swing for so many seconds and rotates its joints; all below the first is up to
    /// date then.
    ///
    /// The first frame, and any in which something is not finite, leaves the pose as it is and starts
    /// anew. Seconds that are negative or not a number are none; more than ten are ten.
    pub fn apply(
        &mut self,
        pose: &mut Pose,
        skeleton: &Skeleton,
        world_from_model: &Affine3A,
        colliders: &[Collider],
        seconds: f32,
    ) {
        let seconds = if seconds.is_nan() { 0.0 } else { seconds.clamp(0.0, 10.0) };
        let root = world_from_model
            .transform_point3a(pose.model_from_joint()[self.joints[0].index()].translation);
        for index in 0..self.links.len() {
            self.posed[index] = self.posed(pose, world_from_model, index);
        }
        let known = self.root.filter(|_| self.sound());
        let (Some(last), true) = (known, root.length_squared() < 1e30) else {
            return self.begin(root);
        };
        let last = self.follow_teleport(last, root);
        if seconds > 0.0 {
            let count = (seconds * RATE).ceil().clamp(1.0, MAX_STEPS);
            let frame = Frame {
                springs: self.springs(seconds / count),
                pose,
                world_from_model,
                colliders,
                step: seconds / count,
                root,
                least_cosine: if self.most < PI { self.most.max(0.0).cos() } else { -2.0 },
                speed: (root - last) / seconds,
            };
            for step in 1..=count as u32 {
                let fraction = step as f32 / count;
                self.step(&frame, last.lerp(root, fraction), 1.0 / (count - step as f32 + 1.0));
            }
        }
        self.root = Some(root);
        if self.sound() {
            self.rotate_joints(pose, skeleton, world_from_model);
        } else {
            self.begin(root);
        }
    }

    fn sound(&self) -> bool {
        self.links.iter().all(|link| link.place.is_finite() && link.speed.is_finite())
    }

    /// From a joint to its tip in the world, as the pose has them.
    fn posed(&self, pose: &Pose, world_from_model: &Affine3A, link: usize) -> Vec3A {
        let place = |joint: JointId, at: Vec3| {
            pose.model_from_joint()[joint.index()].transform_point3a(at.into())
        };
        let (joint, tip) = self.tips[link];
        let along = place(joint, tip) - place(self.joints[link], Vec3::ZERO);
        world_from_model.transform_vector3a(along)
    }

    fn begin(&mut self, root: Vec3A) {
        let mut place = root;
        for (link, &posed) in self.links.iter_mut().zip(&self.posed) {
            place += posed;
            *link = Link { place, speed: Vec3A::ZERO, posed, goal: place };
        }
        self.root = (root.length_squared() < 1e30 && self.sound()).then_some(root);
    }

    /// After a jump of the root everything is moved along; where the root was, so to speak.
    fn follow_teleport(&mut self, last: Vec3A, root: Vec3A) -> Vec3A {
        let jump = root - last;
        if jump.length() <= self.teleport.max(0.0) {
            return last;
        }
        for link in &mut self.links {
            link.place += jump;
            link.goal += jump;
        }
        root
    }

    fn springs(&self, seconds: f32) -> Springs {
        let clean = |value: f32, least: f32, most: f32| {
            if value.is_nan() { least } else { value.clamp(least, most) }
        };
        let omega = TAU * clean(self.frequency, 0.1, 60.0);
        let zeta = clean(self.damping, 0.0, 100.0);
        let gravity = Vec3A::from(self.gravity);
        let force = if gravity.length_squared() < 1e12 { gravity } else { Vec3A::ZERO };
        Springs {
            step: Step::new(seconds, omega, zeta),
            sag: force / (omega * omega),
            lag: 2.0 * zeta * clean(self.drag, 0.0, 1.0) / omega,
        }
    }

    /// One step of all links, from the root down. `share` of what is left of the frame passes.
    fn step(&mut self, frame: &Frame<'_>, root: Vec3A, share: f32) {
        let (mut base, mut base_speed, mut turned) = (root, frame.speed, Quat::IDENTITY);
        for index in 0..self.links.len() {
            let posed = self.posed[index];
            let mut link = self.links[index];
            let length = (link.posed.length() * (1.0 - share)) + posed.length() * share;
            link.posed = link.posed.lerp(posed, share);
            link.posed = link.posed.try_normalize().unwrap_or(Vec3A::Y) * length;
            let toward = turned * link.posed;
            link.follow(base + toward, frame);
            let mut along = self.held(toward, link.place - base, frame.least_cosine);
            link.place = base + along * length;
            for collider in frame.colliders {
                let matrix = frame.pose.model_from_joint()[collider.joint.index()];
                let mut matrix = *frame.world_from_model * matrix;
                // Colliders go with the root, step by step as the chain does.
                matrix.translation += root - frame.root;
                if let Some((direction, distance)) = collider.push(&matrix, link.place, self.radius)
                {
                    along =
                        (link.place + direction * distance - base).try_normalize().unwrap_or(along);
                    link.place = base + along * length;
                    link.speed -= direction * link.speed.dot(direction).min(0.0);
                }
            }
            // The bone does not stretch: what moves along it is only what its root does.
            link.speed -= along * (link.speed - base_speed).dot(along);
            if length > 1e-9 {
                let spare = toward.normalize_or(Vec3A::Y).any_orthonormal_vector();
                turned = unit_or(arc(toward, along, spare) * turned, turned);
            }
            (base, base_speed) = (link.place, link.speed);
            self.links[index] = link;
        }
    }

    /// The direction of a tip, no further than allowed from where the pose wants it; unit.
    fn held(&self, toward: Vec3A, along: Vec3A, least_cosine: f32) -> Vec3A {
        let straight = toward.try_normalize().unwrap_or(Vec3A::Y);
        let along = along.try_normalize().unwrap_or(straight);
        // The angle itself is only worked out where it is too much.
        if straight.dot(along) >= least_cosine {
            return along;
        }
        let most = self.most.max(0.0);
        let rotation = arc(straight, along, straight.any_orthonormal_vector());
        let angle = 2.0 * f32::atan2(rotation.xyz().length(), rotation.w.abs());
        if angle <= most {
            return along;
        }
        (part_of(rotation, most / angle) * straight).normalize_or(straight)
    }

    /// Rotates the joints so that their tips are where they swung.
    fn rotate_joints(&self, pose: &mut Pose, skeleton: &Skeleton, world_from_model: &Affine3A) {
        let world = rotation_of(&world_from_model.matrix3).unwrap_or(Quat::IDENTITY);
        let (mut base, mut turned) = (self.root.unwrap_or_default(), Quat::IDENTITY);
        for (index, &joint) in self.joints.iter().enumerate() {
            let posed = self.posed[index];
            let (toward, along) = (turned * posed, self.links[index].place - base);
            base = self.links[index].place;
            if !(toward.length_squared() > 1e-18 && along.length_squared() > 1e-18) {
                continue;
            }
            let spare = toward.normalize_or(Vec3A::Y).any_orthonormal_vector();
            let next = unit_or(arc(toward, along, spare) * turned, turned);
            // What this joint adds to its parent, which is turned already, as the pose has both.
            let own = world.conjugate() * (turned.conjugate() * next) * world;
            turned = next;
            let parent = skeleton.parents()[joint.index()];
            let above = Above::new(parent.map(|up| &pose.model_from_joint()[up.index()]));
            let before = pose.rotation(joint);
            pose.set_rotation(joint, unit_or(above.seen(own) * before, before));
        }
        pose.to_model_from(skeleton, self.joints[0]);
    }
}

/// What holds for every link in one frame.
struct Frame<'a> {
    springs: Springs,
    pose: &'a Pose,
    world_from_model: &'a Affine3A,
    colliders: &'a [Collider],
    /// Seconds in a step.
    step: f32,
    /// Where the root is at the end of the frame.
    root: Vec3A,
    /// Of the most that a joint may rotate.
    least_cosine: f32,
    /// Of the root.
    speed: Vec3A,
}

struct Springs {
    step: Step,
    /// How far gravity pulls it from its goal.
    sag: Vec3A,
    /// Seconds that it stays behind a goal that moves on.
    lag: f32,
}

impl Link {
    /// Lets the spring act while its goal moves evenly to a new place.
    fn follow(&mut self, goal: Vec3A, frame: &Frame<'_>) {
        let Springs { step, sag, lag } = &frame.springs;
        let speed = (goal - self.goal) / frame.step;
        let still = *sag - speed * *lag;
        let (y, v) = (self.place - self.goal - still, self.speed - speed);
        self.place = goal + still + y * step.yy + v * step.yv;
        self.speed = speed + y * step.vy + v * step.vv;
        self.goal = goal;
    }
}
