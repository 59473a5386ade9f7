//! The way of a joint over the floor, as a line.
//!
//! In:  a clip and a joint, or places one after the other.
//! Out: lines for an overlay, with a tick at every half second.

use glam::{Affine3A, Vec3, Vec4};
use sinew_motion::{Cursor, Pose, sample};
use sinew_render::Overlay;
use sinew_scene::{JointId, Scene};

/// Looks at a clip in every second.
const RATE: f32 = 60.0;
/// Looks at a clip, at least and at most.
const LOOKS: (f32, f32) = (32.0, 2000.0);
/// Seconds between two ticks.
const TICK: f32 = 0.5;
/// A joint that stays within this share of the skeleton's size does not walk.
const STILL: f32 = 0.02;
/// Linear.
const COLOR: Vec4 = Vec4::new(1.0, 0.35, 0.08, 1.0);
const NOW: Vec4 = Vec4::new(1.0, 0.85, 0.55, 1.0);

/// The way of a joint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trail {
    /// Places in equal steps of time.
    points: Vec<Vec3>,
    /// Seconds from the first to the last.
    seconds: f32,
}

impl Trail {
    /// Through these places, in equal steps of time. Places that are not finite are left out.
    #[must_use]
    pub fn new(points: impl IntoIterator<Item = Vec3>, seconds: f32) -> Self {
        let points = points.into_iter().filter(|point| point.is_finite()).collect();
        Self { points, seconds }
    }

    /// The way of a joint through a whole clip, in the model.
    ///
    /// # Panics
    /// When there is no such clip or joint.
    #[must_use]
    pub fn of_clip(scene: &Scene, clip: usize, joint: JointId) -> Self {
        let clip = &scene.clips[clip];
        let looks = (clip.duration * RATE).clamp(LOOKS.0, LOOKS.1).ceil();
        let (mut pose, mut cursor) = (Pose::new(scene), Cursor::new());
        let place = |look: usize| {
            sample(clip, clip.duration * look as f32 / looks, &mut cursor, &mut pose);
            pose.to_model(scene.skeleton());
            pose.model_from_joint()[joint.index()].translation.into()
        };
        Self::new((0..=looks as usize).map(place), clip.duration)
    }

    /// The places.
    #[must_use]
    pub fn points(&self) -> &[Vec3] {
        &self.points
    }

    /// Draws it on the floor of this height, with a cross under where the joint is `now`. `size` is
    /// that of the character, in metres; it gives ticks their length.
    pub fn draw(
        &self,
        world_from_path: Affine3A,
        floor: f32,
        size: f32,
        now: Option<Vec3>,
        overlay: &mut Overlay,
    ) {
        // Above the floor by so little that nobody sees it, and the floor does not hide it.
        let height = floor + size * 2e-3;
        let down = |point: Vec3| Vec3::new(point.x, height, point.z);
        let on_floor = |point: &Vec3| down(world_from_path.transform_point3(*point));
        let start = overlay.lines.len();
        for pair in self.points.windows(2) {
            overlay.line(on_floor(&pair[0]), on_floor(&pair[1]), COLOR);
        }
        let last = self.points.len().saturating_sub(1);
        let ticks = if self.seconds > 0.0 { (self.seconds / TICK).min(500.0) as usize } else { 0 };
        for tick in 0..=ticks {
            let share = if ticks > 0 { tick as f32 * TICK / self.seconds } else { 0.0 };
            let at = ((share * last as f32).round() as usize).min(last);
            let Some(here) = self.points.get(at).map(on_floor) else { break };
            let before = on_floor(&self.points[at.saturating_sub(1)]);
            let after = on_floor(&self.points[(at + 1).min(last)]);
            let along = (after - before).normalize_or(Vec3::Z);
            let across = along.cross(Vec3::Y) * size * if tick == 0 { 0.03 } else { 0.015 };
            overlay.line(here - across, here + across, COLOR);
        }
        for line in &mut overlay.lines[start..] {
            line.width = 2.5;
        }
        if let Some(now) = now.filter(|now| now.is_finite()).map(down) {
            for arm in [Vec3::X, Vec3::Z] {
                let arm = arm * size * 0.02;
                overlay.line(now - arm, now + arm, NOW);
            }
        }
    }
}

/// The joint whose way a clip tells best: the topmost that walks over the floor; where none does, the
/// topmost that a skin uses.
///
/// # Panics
/// When there is no such clip.
#[must_use]
pub fn walker(scene: &Scene, clip: usize) -> Option<JointId> {
    let bones = super::bones(scene);
    let moves = |joint: JointId| {
        let tracks = &scene.clips[clip].translations;
        tracks.iter().find(|track| track.joint == joint)
    };
    let mut rest = Pose::new(scene);
    rest.to_model(scene.skeleton());
    let reach = rest.model_from_joint().iter().map(|joint| joint.translation.length());
    let size = reach.fold(1e-6, f32::max);
    let walks = |joint: &JointId| {
        moves(*joint).is_some() && {
            let points = Trail::of_clip(scene, clip, *joint).points;
            let first = points.first().copied().unwrap_or_default();
            points.iter().any(|point| (*point - first).with_y(0.0).length() > STILL * size)
        }
    };
    let mut shown = scene.skeleton().ids().filter(|joint| bones[joint.index()]);
    // Whoever walks stands near the top; far down, hands do.
    let top = |joint: &JointId| depth(scene, *joint) <= 6;
    let walking = scene.skeleton().ids().filter(top).find(walks);
    walking.or_else(|| shown.next()).or_else(|| scene.skeleton().ids().next())
}

fn depth(scene: &Scene, joint: JointId) -> usize {
    let parents = scene.skeleton().parents();
    std::iter::successors(parents[joint.index()], |parent| parents[parent.index()]).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clip(scene: &Scene, name: &str) -> usize {
        scene.clips.iter().position(|clip| clip.name == name).expect(name)
    }

    #[test]
    fn ossi_walks_by_the_root_one_metre_and_forty_a_second() {
        let scene = sinew_ossi::ossi();
        let walk = clip(&scene, "walk");
        let root = walker(&scene, walk).expect("a root");
        assert_eq!(scene.skeleton().node(root).name, "root");
        let path = Trail::of_clip(&scene, walk, root);
        let way = path.points[path.points.len() - 1] - path.points[0];
        let wanted = 1.4 * scene.clips[walk].duration;
        assert!((way.z - wanted).abs() < 1e-3 && way.x.abs() < 1e-3, "{way}");
    }

    #[test]
    fn the_line_lies_on_the_floor_with_a_tick_for_every_half_second() {
        let path = Trail::new([Vec3::new(0.0, 1.0, 0.0), Vec3::NAN, Vec3::new(0.0, 2.0, 2.0)], 1.0);
        let mut overlay = Overlay::default();
        path.draw(Affine3A::IDENTITY, 0.5, 1.0, None, &mut overlay);
        // One line, three ticks: at 0, 0.5 and 1 second.
        assert_eq!(overlay.lines.len(), 4);
        let low = |point: Vec3| (point.y - 0.502).abs() < 1e-6;
        assert!(overlay.lines.iter().all(|line| low(line.from) && low(line.to)));
        assert_eq!((overlay.lines[0].from.z, overlay.lines[0].to.z), (0.0, 2.0));
    }

    #[test]
    fn nothing_and_one_place_are_no_trouble() {
        let mut overlay = Overlay::default();
        Trail::default().draw(Affine3A::IDENTITY, 0.0, 1.0, None, &mut overlay);
        assert!(overlay.is_empty());
        Trail::new([Vec3::ZERO], 0.0).draw(
            Affine3A::IDENTITY,
            0.0,
            1.0,
            Some(Vec3::ONE),
            &mut overlay,
        );
        assert_eq!(overlay.lines.len(), 3);
    }
}
