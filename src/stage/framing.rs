//! Where a camera is for a [`Shot`]: the one place that decides how an image is framed.
//!
//! In:  a stage, what is to be shown, and at which times.
//! Out: a [`Framing`]: a camera for each of those times, of one size throughout.
//!
//! All points of all times are gathered relative to a smooth path through the subject. One camera that just has them
//! all, carried along that path, keeps the subject's size and never cuts it.

use glam::{Quat, Vec3};
use sinew_deform::Bounds;
use sinew_render::{Background, Camera};
use sinew_scene::LightKind;

use super::outline::Outline;
use super::subject::{Part, parts_of};
use super::{Follow, Shot, ShotError, Stage, Subject};

/// Seconds over which the path of a camera is evened out.
const SMOOTH: f64 = 0.35;
/// A camera goes along where it would have to stand this much farther off otherwise.
const FAR: f32 = 1.2;
/// Heights of a path below this share of the subject's size are not followed: nobody wants the floor to jump.
const LEVEL: f32 = 0.6;
/// Moments whose path is looked at, at most.
const PATH: usize = 600;
/// A shadow counts up to this share of the subject's height.
const SHADOW: f32 = 0.4;

/// A camera for each time of a film, or for one image.
#[derive(Clone, Debug)]
pub struct Framing {
    /// Relative to the path.
    camera: Camera,
    /// Times and places, evenly apart.
    path: Vec<(f64, Vec3)>,
    bounds: Bounds,
}

impl Framing {
    /// The camera at a time, gone around its target by an angle in radians.
    #[must_use]
    pub fn camera(&self, time: f64, turn: f32) -> Camera {
        let way = self.place(time);
        let turn = Quat::from_rotation_y(turn);
        let target = self.camera.target;
        Camera {
            position: target + turn * (self.camera.position - target) + way,
            target: target + way,
            up: turn * self.camera.up,
            ..self.camera
        }
    }

    /// A box around everything at all times, in the world.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Whether the camera goes along.
    #[must_use]
    pub fn follows(&self) -> bool {
        self.path.len() > 1
    }

    /// Where on its path it is.
    fn place(&self, time: f64) -> Vec3 {
        let after = self.path.partition_point(|(at, _)| *at <= time);
        match (after.checked_sub(1).map(|before| self.path[before]), self.path.get(after)) {
            (Some((_, before)), None) => before,
            (None, Some((_, after))) => *after,
            (Some((from, before)), Some((to, after))) => {
                before.lerp(*after, ((time - from) / (to - from)) as f32)
            }
            (None, None) => Vec3::ZERO,
        }
    }
}

/// What was seen at one time.
struct Look {
    time: f64,
    outline: Outline,
    shadow: Outline,
    /// Of everyone.
    bounds: Bounds,
}

impl Stage {
    /// Works out where a camera is at each of these times, for a shot in an image of this aspect. Time stays as it is.
    ///
    /// ```
    /// use sinew::stage::{Shot, Stage};
    /// let mut stage = Stage::of(sinew::ossi());
    /// let times: Vec<f64> = (0..30).map(|frame| f64::from(frame) / 30.0).collect();
    /// let framing = stage.frame_shot(&Shot::default(), &times, 16.0 / 9.0)?;
    /// let camera = framing.camera(0.5, 0.0);
    /// # Ok::<(), sinew::stage::ShotError>(())
    /// ```
    ///
    /// # Errors
    /// When the joint or part that is to be shown is not there.
    pub fn frame_shot(
        &mut self,
        shot: &Shot,
        times: &[f64],
        aspect: f32,
    ) -> Result<Framing, ShotError> {
        let parts = parts_of(self, &shot.subject)?;
        let now = self.time();
        let times = if times.is_empty() { &[now] } else { times };
        let (path, facing) = self.walk(&parts, times);
        let direction = shot.view.direction_of(facing);
        let towards = if direction.y.abs() > 0.99 { -facing } else { direction };
        self.surroundings.face(towards);
        let looks = self.looks(&parts, times);
        self.seek(now);
        let fixed = Framing::over(&looks, shot, direction, aspect, Vec::new());
        if shot.follow == Follow::None && shot.subject == Subject::Full {
            return Ok(fixed);
        }
        let size = looks.first().map_or(1.0, |look| look.outline.size());
        let path = smooth(path, size, shot.subject == Subject::Full);
        let along = Framing::over(&looks, shot, direction, aspect, path);
        let gap = |framing: &Framing| framing.camera.position.distance(framing.camera.target);
        let worth = gap(&fixed) > FAR * gap(&along) || shot.turntable;
        let goes = shot.follow == Follow::Hips || (shot.follow == Follow::Auto && worth);
        Ok(if goes { along } else { fixed })
    }

    /// The same for one image of everyone as they are now.
    #[must_use]
    pub fn camera_now(&mut self, aspect: f32) -> Camera {
        let now = self.time();
        let shot = self.shot();
        match self.camera_setup {
            Some(super::CameraSetup::Exact { position, look_at, fov_y }) => {
                Camera::look_at(position, look_at, fov_y)
            }
            _ => self.frame_shot(&shot, &[now], aspect).map_or_else(
                |_| Camera::frame(self.bounds(), shot.view.direction(), shot.fov_y, aspect),
                |framing| framing.camera(now, 0.0),
            ),
        }
    }

    /// The points of the subject at some of the times: as many as are worth it.
    fn looks(&mut self, parts: &[Part], times: &[f64]) -> Vec<Look> {
        let count = self.look_count().min(times.len());
        let floor_of = |bounds: Bounds| if bounds.is_empty() { 0.0 } else { bounds.min.y };
        let mut looks: Vec<Look> = Vec::with_capacity(count);
        for index in 0..count {
            let time = times[index * (times.len() - 1) / (count - 1).max(1)];
            self.seek(time);
            let outline = self.outline_now(parts, count == 1);
            let bounds = match parts.iter().all(|part| part.joints.is_none()) {
                true => outline.bounds(),
                false => self.bounds(),
            };
            looks.push(Look { time, outline, shadow: Outline::default(), bounds });
        }
        if parts.iter().all(|part| part.joints.is_none())
            && let Some(sun) = self.shadow_direction()
        {
            let all = looks.iter().map(|look| look.outline.bounds());
            let floor = floor_of(all.fold(Bounds::EMPTY, Bounds::union));
            for look in &mut looks {
                let reach = SHADOW * look.outline.bounds().size().y;
                look.shadow = look.outline.shadow(sun, floor, reach);
            }
        }
        looks
    }

    /// Where the first directional light goes, where there is a floor that takes shadows.
    fn shadow_direction(&self) -> Option<Vec3> {
        let around = &self.surroundings;
        let sun = around.lights.iter().find(|light| light.kind == LightKind::Directional);
        let floor = around.background != Background::Transparent
            && around.shadow_strength > 0.0
            && around.floor.is_none_or(|floor| floor.shadow);
        sun.filter(|_| floor).map(|sun| sun.direction).filter(|direction| direction.y < -0.05)
    }

    /// Where the subject is at each time, and where it faces on average.
    fn walk(&mut self, parts: &[Part], times: &[f64]) -> (Vec<(f64, Vec3)>, Vec3) {
        let count = times.len().min(PATH);
        let mut path = Vec::with_capacity(count);
        let mut facing = Vec3::ZERO;
        for index in 0..count {
            let time = times[index * (times.len() - 1) / (count - 1).max(1)];
            self.seek(time);
            let places: Vec<Vec3> =
                parts.iter().map(|part| part.anchor(&self.members[part.member])).collect();
            let middle = places.iter().sum::<Vec3>() / places.len().max(1) as f32;
            path.push((time, middle));
            let faces =
                self.members.iter().filter(|m| !m.scenery).filter_map(super::Member::facing);
            facing += faces.sum::<Vec3>();
        }
        let facing = facing.with_y(0.0).try_normalize().unwrap_or(Vec3::Z);
        (path, super::landmarks::steadied(facing))
    }
}

impl Framing {
    /// One camera that has every look in the image, each moved back along the path.
    fn over(
        looks: &[Look],
        shot: &Shot,
        direction: Vec3,
        aspect: f32,
        path: Vec<(f64, Vec3)>,
    ) -> Self {
        let framing = Self {
            camera: Camera::look_at(Vec3::Z, Vec3::ZERO, shot.fov_y),
            path,
            bounds: Bounds::EMPTY,
        };
        let mut all = Outline::default();
        let mut shadow = Outline::default();
        let mut bounds = Bounds::EMPTY;
        for look in looks {
            let way = framing.place(look.time);
            all.extend(&look.outline, -way);
            shadow.extend(&look.shadow, -way);
            bounds = bounds.union(look.bounds);
        }
        let camera = if shot.turntable {
            let axis = if framing.follows() { Some(Vec3::ZERO) } else { None };
            all.seen_around(direction, shot.fov_y, aspect, axis)
        } else {
            all.seen_with(&shadow, direction, shot.fov_y, aspect)
        };
        Self { camera, bounds, ..framing }
    }
}

/// A path without the small shakes of a body, and level unless it climbs.
fn smooth(mut path: Vec<(f64, Vec3)>, size: f32, level: bool) -> Vec<(f64, Vec3)> {
    let places: Vec<Vec3> = path.iter().map(|(_, place)| *place).collect();
    let (low, high) = places
        .iter()
        .fold((f32::MAX, f32::MIN), |(low, high), place| (low.min(place.y), high.max(place.y)));
    let flat = level && high - low < LEVEL * size;
    let last = places.len().saturating_sub(1) as isize;
    // Beyond its ends a path goes on as it came: mirrored about the end.
    let place = |index: isize| match index {
        before if before < 0 => 2.0 * places[0] - places[(-before).min(last) as usize],
        after if after > last => {
            2.0 * places[last as usize] - places[(2 * last - after).max(0) as usize]
        }
        inside => places[inside as usize],
    };
    let step = match (path.first(), path.last()) {
        (Some(first), Some(end)) if last > 0 => (end.0 - first.0) / last as f64,
        _ => 1.0,
    };
    let reach = ((3.0 * SMOOTH / step.max(1e-6)) as isize).clamp(0, last.max(0));
    for (index, (_, smoothed)) in path.iter_mut().enumerate() {
        let (mut sum, mut weight) = (Vec3::ZERO, 0.0);
        for away in -reach..=reach {
            let share = (-0.5 * (away as f64 * step / SMOOTH).powi(2)).exp() as f32;
            sum += place(index as isize + away) * share;
            weight += share;
        }
        let even = sum / weight;
        *smoothed = if flat { even.with_y(0.0) } else { even };
    }
    path
}

#[cfg(test)]
mod tests {
    use glam::Vec2;
    use sinew_render::View;

    use super::*;

    fn walking() -> (Stage, Vec<f64>) {
        let mut stage = Stage::of(sinew_ossi::ossi());
        let actor = &mut stage.members[0].actor;
        let clip = actor.scene().find_clip("walk").expect("he walks");
        actor.start(clip, crate::Transition::Cut);
        // Four steps of his: four metres and more.
        let times = (0..40).map(|frame| f64::from(frame) * 0.1).collect();
        stage.members[0].actor.set_root_motion(
            None,
            sinew_motion::RootMode::Floor,
            crate::RootMotionPolicy::Apply,
        );
        stage.members[0].looped = false;
        (stage, times)
    }

    /// Where in the image, from -1 to 1, the corners of the character are.
    fn corners(stage: &Stage, camera: &Camera) -> Vec<Vec2> {
        let points = stage.members[0].points(None);
        let at = |point: &Vec3| camera.project(*point, Vec2::ONE).map(|at| at * 2.0 - 1.0);
        points.iter().filter_map(at).collect()
    }

    #[test]
    fn a_still_image_fills_most_of_its_height_with_the_pose_of_its_time() {
        let mut stage = Stage::of(sinew_ossi::ossi());
        for time in [0.0, 0.4] {
            stage.seek(time);
            let framing = stage.frame_shot(&Shot::default(), &[time], 4.0 / 3.0).expect("framed");
            let seen = corners(&stage, &framing.camera(time, 0.0));
            let high = seen.iter().fold(Vec2::ZERO, |high, at| high.max(at.abs()));
            assert!((0.7..=0.95).contains(&high.max_element()), "{high}");
        }
    }

    #[test]
    fn a_film_of_somebody_who_walks_goes_along_and_keeps_the_size() {
        let (mut stage, _) = walking();
        let end = f64::from(stage.members[0].actor.duration());
        let times: Vec<f64> = (0..30).map(|frame| end * f64::from(frame) / 30.0).collect();
        let hips = Shot { follow: Follow::Hips, ..Shot::default() };
        let framing = stage.frame_shot(&hips, &times, 1.0).expect("framed");
        assert!(framing.follows());
        let gap = |camera: &Camera| camera.position.distance(camera.target);
        for time in &times {
            stage.seek(*time);
            let camera = framing.camera(*time, 0.0);
            assert!((gap(&camera) - gap(&framing.camera(0.0, 0.0))).abs() < 1e-4);
            for at in corners(&stage, &camera) {
                assert!(at.abs().max_element() <= 1.0, "{at} at {time}");
            }
        }
        let none = Shot { follow: Follow::None, ..Shot::default() };
        let fixed = stage.frame_shot(&none, &times, 1.0).expect("framed");
        assert!(!fixed.follows() && gap(&fixed.camera(0.0, 0.0)) > gap(&framing.camera(0.0, 0.0)));
    }

    #[test]
    fn the_front_of_a_character_that_faces_away_is_seen_from_behind_the_world() {
        let mut stage = Stage::of(sinew_ossi::ossi());
        stage.members[0].actor.place(glam::Affine3A::from_rotation_y(std::f32::consts::PI));
        let shot = Shot { view: View::Front, ..Shot::default() };
        let camera = stage.frame_shot(&shot, &[0.0], 1.0).expect("framed").camera(0.0, 0.0);
        assert!(camera.forward().z > 0.99, "{camera:?}");
    }

    #[test]
    fn a_portrait_is_nearer_than_the_whole_and_a_joint_must_be_there() {
        let mut stage = Stage::of(sinew_ossi::ossi());
        let gap = |stage: &mut Stage, subject: &str| {
            let subject = subject.parse().expect("a subject");
            let shot = Shot { subject, ..Shot::default() };
            let camera =
                stage.frame_shot(&shot, &[0.0], 1.0).map(|framing| framing.camera(0.0, 0.0));
            camera.map(|camera| camera.position.distance(camera.target))
        };
        let full = gap(&mut stage, "full").expect("framed");
        let portrait = gap(&mut stage, "portrait").expect("a head");
        let hand = gap(&mut stage, "joint:hand.L").expect("a hand");
        assert!(portrait < 0.4 * full && hand < portrait, "{full} {portrait} {hand}");
        let error = gap(&mut stage, "joint:tail").expect_err("no tail");
        assert!(error.to_string().contains("\"tail\""), "{error}");
        let error = gap(&mut Stage::of(sinew_ossi::demo()), "portrait").expect_err("no head");
        assert!(error.to_string().contains("no head"), "{error}");
    }

    #[test]
    fn an_even_walk_stays_even_and_a_shake_is_gone() {
        let path: Vec<(f64, Vec3)> =
            (0..60).map(|i| (f64::from(i) * 0.05, Vec3::Z * i as f32)).collect();
        let even = smooth(path.clone(), 1.0, true);
        for ((_, before), (_, after)) in path.iter().zip(&even) {
            assert!(before.distance(*after) < 0.01, "{before} {after}");
        }
        let shaken: Vec<(f64, Vec3)> = path
            .iter()
            .enumerate()
            .map(|(i, (time, place))| (*time, *place + Vec3::X * (i % 2) as f32))
            .collect();
        let calm = smooth(shaken, 1.0, true);
        // The ends stay where they are.
        assert!(calm[10..50].iter().all(|(_, place)| (place.x - 0.5).abs() < 0.25));
    }
}
