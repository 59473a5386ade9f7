//! The picture of a rule: a sound figure on the left, the fault on the right, both seen by one camera.

use std::path::Path;

use sinew::check::Rule;
use sinew::film;
use sinew::glam::{Affine3A, Vec2, Vec3, Vec4};
use sinew::render::{BoneStyle, Camera, Frame, Gpu, Image, Line, View};
use sinew::stage::{Outline, Stage, bones};
use sinew::{Bounds, JointId, Model};

use super::half::{Extra, Half, Plot};
use crate::fault::Fault;
use crate::render::screen::Screen;
use crate::render::sheet::Sheet;
use crate::render::studio::Studio;
use crate::render::{Size, driver, save};

const CELL: Size = Size { width: 420, height: 480 };
/// The vertical angle of the camera, in radians.
const FOV: f32 = 0.5;
/// Radius of a ring, in pixels.
const RING: f32 = 22.0;
/// Height of a curve's strip, in pixels.
const STRIP: f32 = 84.0;

const RED: Vec4 = Vec4::new(0.85, 0.05, 0.04, 1.0);
const GREEN: Vec4 = Vec4::new(0.12, 0.65, 0.16, 1.0);
const WHITE: Vec4 = Vec4::new(0.75, 0.77, 0.80, 1.0);
const GREY: Vec4 = Vec4::new(0.12, 0.13, 0.15, 1.0);

pub(super) fn run(rule: &Rule, halves: [Half; 2], out: &Path) -> Result<(), Fault> {
    driver::hush();
    save::check(out)?;
    let mut studio = Studio::new(Gpu::headless()?);
    save::save(out, &film::still(&image(&mut studio, rule, halves)?)?)?;
    studio.keep_cache();
    Ok(())
}

fn image(studio: &mut Studio, rule: &Rule, halves: [Half; 2]) -> Result<Image, Fault> {
    let target = studio.target(CELL)?;
    let mut stages = halves.each_ref().map(stage);
    let camera = camera(&stages, &halves, target.aspect());
    let titles = [("sound", GREEN), (rule.code, RED)];
    let mut sheet = Sheet::new(Size { width: 2, height: 1 }, CELL);
    for ((half, stage), title) in halves.iter().zip(&mut stages).zip(titles) {
        stage.surroundings.face_camera(&camera);
        studio.upload(stage)?;
        // The floor is where both figures should stand.
        let floor = stage.surroundings.floor_under(Bounds { min: Vec3::ZERO, max: Vec3::Y });
        stage.surroundings.floor = Some(floor);
        let pose = world(stage);
        sheet.add(&studio.marked(stage, camera, &target, |frame| {
            let size = Vec2::new(CELL.width as f32, CELL.height as f32);
            let over = Over { half, pose: &pose, screen: Screen::new(&camera, size) };
            over.draw(frame, title);
        })?);
    }
    Ok(sheet.finish())
}

/// A half, standing as it is to be seen.
fn stage(half: &Half) -> Stage {
    let mut stage = Stage::of(Model::from(half.scene.clone()));
    if let Some(member) = stage.members.first_mut() {
        member.looped = false;
        match half.moment {
            // Every clip that is named is one of the character's own.
            Some((clip, _)) => drop(member.actor.play(clip)),
            None => member.actor.stop(),
        }
    }
    stage.seek(half.moment.map_or(0.0, |(_, time)| f64::from(time)));
    stage
}

/// One camera that has both halves in the image, from the character's front, with room for a curve below.
fn camera(stages: &[Stage; 2], halves: &[Half; 2], aspect: f32) -> Camera {
    let mut bounds = stages.iter().fold(Bounds::EMPTY, |all, stage| all.union(stage.bounds()));
    bounds = bounds.union(Bounds { min: Vec3::ZERO, max: Vec3::new(0.0, 0.01, 0.0) });
    let plots = halves.iter().flat_map(|half| &half.extras);
    let plot = plots.filter(|extra| matches!(extra, Extra::Plot(_))).count() > 0;
    let below = if plot { 0.42 } else { 0.16 };
    bounds.min.y -= below * bounds.size().y;
    bounds.max.y += 0.12 * bounds.size().y;
    Outline::of(bounds).seen(View::ThreeQuarter.direction(), FOV, aspect)
}

/// Where every node of the first member is.
fn world(stage: &Stage) -> Vec<Affine3A> {
    let of = |member: &sinew::stage::Member| {
        let world = member.actor.world_from_model();
        member.actor.pose().model_from_joint().iter().map(|joint| world * *joint).collect()
    };
    stage.members.first().map(of).unwrap_or_default()
}

/// What is drawn over a half.
struct Over<'a> {
    half: &'a Half,
    pose: &'a [Affine3A],
    screen: Screen,
}

impl Over<'_> {
    fn draw(&self, frame: &mut Frame, (title, color): (&str, Vec4)) {
        frame.overlay.labels.height = 10.0;
        self.screen.text(&mut frame.overlay, Vec2::new(14.0, 24.0), title, color);
        let words = Vec2::new(14.0, CELL.height as f32 - 18.0);
        self.screen.text(&mut frame.overlay, words, self.half.words, WHITE);
        for extra in &self.half.extras {
            self.extra(frame, extra, color);
        }
    }

    fn extra(&self, frame: &mut Frame, extra: &Extra, color: Vec4) {
        let overlay = &mut frame.overlay;
        match extra {
            Extra::Ring(joint) => self.screen.ring(overlay, self.place(joint), RING, color),
            Extra::RingAt(place) => self.screen.ring(overlay, *place, RING, color),
            Extra::Skeleton => {
                let shown = bones(&self.half.scene);
                let style = BoneStyle { shown: &shown, ..BoneStyle::default() };
                overlay.skeleton(self.half.scene.skeleton(), self.pose, &style);
            }
            Extra::Axes(joint) => overlay.axes(self.matrix(joint), 0.5),
            Extra::Label(joint, text) => overlay.labels.add(self.place(joint), text, color),
            Extra::Line(from, to) => {
                let [from, to] = [from, to].map(|joint| self.place(joint));
                overlay.lines.push(Line { from, to, color: color.to_array(), width: 3.0 });
            }
            Extra::Path(places) => {
                for pair in places.windows(2) {
                    let [from, to] = [pair[0], pair[1]];
                    overlay.lines.push(Line { from, to, color: WHITE.to_array(), width: 2.0 });
                }
            }
            Extra::RestBounds => overlay.bounds(self.rest_bounds(), color),
            Extra::Plot(plot) => self.plot(frame, plot, color),
        }
    }

    fn plot(&self, frame: &mut Frame, plot: &Plot, color: Vec4) {
        let (left, wide) = (24.0, CELL.width as f32 - 48.0);
        let bottom = CELL.height as f32 - 40.0;
        let at = |point: Vec2| Vec2::new(left + wide * point.x, bottom - STRIP * point.y);
        let overlay = &mut frame.overlay;
        let corners = [Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y].map(at);
        for side in 0..4 {
            self.screen.line(overlay, [corners[side], corners[(side + 1) % 4]], 1.5, GREY);
        }
        for curve in &plot.curves {
            for pair in curve.windows(2) {
                self.screen.line(overlay, [at(pair[0]), at(pair[1])], 2.0, WHITE);
            }
            for key in curve.iter().filter(|_| plot.keys) {
                let half = Vec2::new(2.5, 0.0);
                self.screen.line(overlay, [at(*key) - half, at(*key) + half], 5.0, WHITE);
            }
        }
        for mark in &plot.marks {
            let place = self.screen.point(at(*mark));
            self.screen.ring(overlay, place, 13.0, color);
        }
    }

    fn matrix(&self, joint: &str) -> Affine3A {
        let found = self.half.scene.skeleton().find(joint).map_or(0, JointId::index);
        self.pose.get(found).copied().unwrap_or(Affine3A::IDENTITY)
    }

    fn place(&self, joint: &str) -> Vec3 {
        self.matrix(joint).translation.into()
    }

    fn rest_bounds(&self) -> Bounds {
        sinew::Actor::new(super::half::sound()).bounds()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_a_figure_with_the_fault_beside_a_sound_one() {
        for rule in Rule::all() {
            let [sound, fault] = super::super::halves(rule.code);
            assert!(!sound.scene.skeleton().is_empty(), "{}: a bad scene", rule.code);
            assert!(!fault.scene.skeleton().is_empty(), "{}: a bad scene", rule.code);
            let marked = |extra: &Extra| match extra {
                Extra::Ring(_) | Extra::RingAt(_) => true,
                Extra::Plot(plot) => !plot.marks.is_empty() || plot.curves.is_empty(),
                _ => false,
            };
            assert!(fault.extras.iter().any(marked), "{} has no mark", rule.code);
            for extra in &fault.extras {
                if let Extra::Ring(joint) | Extra::Axes(joint) | Extra::Label(joint, _) = extra {
                    let found = fault.scene.skeleton().find(joint);
                    assert!(found.is_some(), "{}: there is no {joint}", rule.code);
                }
            }
        }
    }
}
