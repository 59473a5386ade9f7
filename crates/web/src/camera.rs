//! A camera that goes around its target, as model-viewer's does.
//!
//! In:  angles in radians, a distance in metres or as a share of the one that shows all, a target, a field of view.
//! Out: a [`Camera`]. It comes to a new place smoothly, in the same way however many frames there are.

use std::f32::consts::PI;

use sinew::Bounds;
use sinew::glam::{Vec2, Vec3};
use sinew::render::Camera;
use wasm_bindgen::prelude::*;

use crate::Viewer;

/// Seconds in which half of the way to a new place is done.
const HALF_LIFE: f32 = 0.06;
/// A camera this near its goal, as a share of its distance, is there.
const THERE: f32 = 1e-4;
/// The vertical angle where nobody chose one.
const FOV: f32 = PI / 6.0;
/// How near to straight up or down the camera goes.
const POLE: f32 = 0.02;

/// A distance from the target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Radius {
    Metres(f32),
    /// Of the distance that just shows everything.
    Share(f32),
}

/// Where a camera is.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Place {
    theta: f32,
    phi: f32,
    radius: Radius,
    target: Vec3,
    fov: f32,
}

/// A camera that goes around.
#[derive(Debug)]
pub(crate) struct Orbit {
    bounds: Bounds,
    goal: Place,
    now: Place,
    /// How far a turntable has gone.
    turned: f32,
    aspect: f32,
    /// The file's own camera, by number.
    own: Option<usize>,
}

impl Orbit {
    /// From the front and a little above, with everything in the image.
    pub(crate) fn around(bounds: Bounds) -> Self {
        let bounds = if bounds.is_empty() || !bounds.size().is_finite() {
            Bounds { min: Vec3::splat(-0.5), max: Vec3::splat(0.5) }
        } else {
            bounds
        };
        let place = Place {
            theta: 0.0,
            phi: 75_f32.to_radians(),
            radius: Radius::Share(1.05),
            target: bounds.center(),
            fov: FOV,
        };
        Self { bounds, goal: place, now: place, turned: 0.0, aspect: 1.0, own: None }
    }

    pub(crate) fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// The distance from which everything is seen, whichever side is in front.
    fn ideal(&self, place: &Place, aspect: f32) -> f32 {
        let size = self.bounds.size() * 0.5;
        let whole = size.length().max(1e-4);
        let around = Vec2::new(size.x, size.z).length().max(1e-4);
        let tall = (place.fov * 0.5).tan();
        let wide = (tall * aspect.max(1e-3)).atan();
        (whole / (place.fov * 0.5).sin()).max(around / wide.sin())
    }

    fn metres(&self, place: &Place, aspect: f32) -> f32 {
        match place.radius {
            Radius::Metres(metres) => metres,
            Radius::Share(share) => share * self.ideal(place, aspect),
        }
    }

    /// The camera for an image of this shape.
    pub(crate) fn camera(&self, aspect: f32) -> Camera {
        let place = self.now;
        let theta = place.theta + self.turned;
        let out = Vec3::new(
            place.phi.sin() * theta.sin(),
            place.phi.cos(),
            place.phi.sin() * theta.cos(),
        );
        let metres = self.metres(&place, aspect);
        Camera::look_at(place.target + out * metres, place.target, place.fov)
    }

    /// Goes towards its goal; whether it has moved.
    fn advance(&mut self, seconds: f32) -> bool {
        if self.now == self.goal {
            return false;
        }
        let share = 1.0 - 0.5_f32.powf(seconds.max(0.0) / HALF_LIFE);
        let (from, to) = (self.now, self.goal);
        let [near, far] = [from, to].map(|place| self.metres(&place, self.aspect));
        let mix = |a: f32, b: f32| a + (b - a) * share;
        self.now = Place {
            theta: mix(from.theta, to.theta),
            phi: mix(from.phi, to.phi),
            radius: Radius::Metres(mix(near, far)),
            target: from.target.lerp(to.target, share),
            fov: mix(from.fov, to.fov),
        };
        let left = (to.theta - self.now.theta).abs()
            + (to.phi - self.now.phi).abs()
            + (far - mix(near, far)).abs() / far.max(1e-6)
            + to.target.distance(self.now.target) / far.max(1e-6)
            + (to.fov - self.now.fov).abs();
        if left < THERE {
            self.now = self.goal;
        }
        true
    }
}

#[wasm_bindgen]
impl Viewer {
    /// Angles in radians, distance in metres or, with `share`, of the one that shows all. What is not a number goes
    /// back to the model's own.
    #[wasm_bindgen(js_name = setOrbit)]
    pub fn set_orbit(&mut self, theta: f32, phi: f32, radius: f32, share: bool) {
        let plain = Orbit::around(self.orbit.bounds).goal;
        let or = |value: f32, other: f32| if value.is_finite() { value } else { other };
        let goal = &mut self.orbit.goal;
        goal.theta = or(theta, plain.theta);
        goal.phi = or(phi, plain.phi).clamp(POLE, PI - POLE);
        goal.radius = match radius {
            radius if !radius.is_finite() => plain.radius,
            radius if share => Radius::Share(radius.max(1e-3)),
            radius => Radius::Metres(radius.max(1e-4)),
        };
    }

    /// In metres; what is not a number goes back to the model's middle.
    #[wasm_bindgen(js_name = setTarget)]
    pub fn set_target(&mut self, x: f32, y: f32, z: f32) {
        let middle = self.orbit.bounds.center();
        let or = |value: f32, other: f32| if value.is_finite() { value } else { other };
        self.orbit.goal.target = Vec3::new(or(x, middle.x), or(y, middle.y), or(z, middle.z));
    }

    /// The vertical angle in radians; what is not a number goes back to 30°.
    #[wasm_bindgen(js_name = setFov)]
    pub fn set_fov(&mut self, fov: f32) {
        self.orbit.goal.fov = if fov.is_finite() { fov.clamp(0.01, 3.0) } else { FOV };
    }

    /// Goes to its goal at once.
    #[wasm_bindgen(js_name = jumpToGoal)]
    pub fn jump_to_goal(&mut self) {
        self.orbit.now = self.orbit.goal;
    }

    /// Goes around by these angles.
    pub fn rotate(&mut self, theta: f32, phi: f32) {
        self.orbit.own = None;
        let goal = &mut self.orbit.goal;
        goal.theta += theta;
        goal.phi = (goal.phi + phi).clamp(POLE, PI - POLE);
    }

    /// Goes nearer, by a factor below one, or away.
    pub fn zoom(&mut self, factor: f32) {
        self.orbit.own = None;
        let goal = self.orbit.goal;
        let ideal = self.orbit.ideal(&goal, self.orbit.aspect);
        let metres = self.orbit.metres(&goal, self.orbit.aspect) * factor;
        self.orbit.goal.radius = Radius::Metres(metres.clamp(ideal * 0.05, ideal * 8.0));
    }

    /// Moves the target in the image's plane, by shares of the image's height.
    pub fn pan(&mut self, right: f32, up: f32) {
        let camera = self.orbit.camera(self.orbit.aspect);
        let [side, above, _] = camera.axes();
        let metres = self.orbit.metres(&self.orbit.goal, self.orbit.aspect);
        let tall = 2.0 * (self.orbit.goal.fov * 0.5).tan() * metres;
        self.orbit.goal.target += (side * right + above * up) * tall;
    }

    /// Goes around as on a turntable, beside what was asked for.
    #[wasm_bindgen(js_name = turnBy)]
    pub fn turn_by(&mut self, angle: f32) {
        self.orbit.turned = (self.orbit.turned + angle) % (2.0 * PI);
    }

    /// How far the turntable has gone.
    pub fn turned(&self) -> f32 {
        self.orbit.turned
    }

    /// Lets the camera come nearer to its goal; whether it has moved.
    #[wasm_bindgen(js_name = advanceCamera)]
    pub fn advance_camera(&mut self, seconds: f32) -> bool {
        self.orbit.advance(seconds)
    }

    /// Looks through a camera of the file; what is no number goes back to one's own.
    #[wasm_bindgen(js_name = setOwnCamera)]
    pub fn set_own_camera(&mut self, index: Option<usize>) {
        let cameras = self.actor().scene().cameras.len();
        self.orbit.own = index.filter(|index| *index < cameras);
    }

    /// Where the camera is now: two angles, distance and field of view, then what it looks at.
    #[wasm_bindgen(js_name = cameraNow)]
    pub fn camera_now(&self) -> Vec<f32> {
        let place = &self.orbit.now;
        let Vec3 { x, y, z } = place.target;
        let radius = self.orbit.metres(place, self.orbit.aspect);
        vec![place.theta, place.phi, radius, place.fov, x, y, z]
    }
}

impl Viewer {
    pub(crate) fn camera(&mut self, aspect: f32) -> Camera {
        self.orbit.aspect = aspect;
        let actor = self.actor();
        let own = self.orbit.own.and_then(|index| actor.scene().cameras.get(index));
        if let Some(camera) = own {
            let node = actor.pose().model_from_joint()[camera.joint.index()];
            return Camera::from_scene(camera, actor.world_from_model() * node);
        }
        self.orbit.camera(aspect)
    }
}
