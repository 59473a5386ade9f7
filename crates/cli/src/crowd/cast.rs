//! Who stands where and does what.
//!
//! In:  a model, its sampled clips, how many.
//! Out: a part and a place for each character, and the camera and the fog that suit them.
//!
//! All lengths come from the model's own size, so that a beetle and a ship make the same image. Whatever way a clip
//! makes over the floor, its character stays on its own place.

use std::f32::consts::TAU;
use std::sync::Arc;

use sinew::crowd::CharacterState;
use sinew::glam::{Affine3A, Quat, Vec3};
use sinew::motion::SampledClip;
use sinew::render::{Camera, CrowdInstance, Floor, Fog, Frame};
use sinew::stage::Member;
use sinew::{Bounds, ClipId, InstanceId, Scene, Transition, Vertices};

/// Seeds of a sunflower lie so: each a golden angle on from the last, all with the same room.
const GOLDEN: f32 = 2.399_963_2;
/// The camera's vertical angle, in radians.
const FOV: f32 = 0.62;
/// Times at which each clip is looked at for its size.
const LOOKS: usize = 8;
/// Most vertices that are worked out for that; where there are more, boxes must do.
const MOST_VERTICES: usize = 60_000;
/// Times in a second, and in all, at which a clip is looked at for its way over the floor.
const STEPS: (f32, f32) = (15.0, 300.0);

/// The model's size, and the ways its clips make.
#[derive(Debug)]
pub(crate) struct Measure {
    wide: f32,
    tall: f32,
    /// How high its feet are, in the model.
    ground: f32,
    /// Around the model over its own place, at any time.
    around: Bounds,
    /// For each clip the middle over the floor, in even steps of time.
    ways: Vec<Vec<Vec3>>,
}

impl Measure {
    /// Of these clips of the scene.
    pub(crate) fn new(scene: &Arc<Scene>, clips: &[usize]) -> Self {
        let mut member = Member::new("", Arc::clone(scene));
        let (mut sizes, mut around, mut ways) = (Vec::new(), Bounds::EMPTY, Vec::new());
        for &clip in clips {
            member.actor.start(ClipId::new(clip), Transition::Cut);
            let duration = scene.clips[clip].duration;
            let steps = (duration * STEPS.0).clamp(1.0, STEPS.1).ceil();
            let mut way = Vec::new();
            for step in 0..=steps as usize {
                member.actor.seek(duration * step as f32 / steps);
                way.push(middle(member.bounds()));
            }
            for look in 0..LOOKS {
                let share = (look as f32 + 0.5) / LOOKS as f32;
                member.actor.seek(duration * share);
                let bounds = close_bounds(&member);
                if !bounds.is_empty() {
                    let back = Affine3A::from_translation(-along(&way, share));
                    around = around.union(bounds.moved(back));
                    sizes.push((
                        bounds.size().x.max(bounds.size().z),
                        bounds.size().y,
                        bounds.min.y,
                    ));
                }
            }
            ways.push(way);
        }
        let usual = |of: fn(&(f32, f32, f32)) -> f32| {
            let mut all: Vec<f32> = sizes.iter().map(of).filter(|size| size.is_finite()).collect();
            all.sort_unstable_by(f32::total_cmp);
            all.get(all.len() / 2).copied().unwrap_or(0.0)
        };
        let (wide, tall, ground) = (usual(|s| s.0), usual(|s| s.1), usual(|s| s.2));
        // What has no size at all is taken for a metre.
        let least = if wide.max(tall) > 1e-6 { wide.max(tall) * 1e-3 } else { 1.0 };
        Self { wide: wide.max(least), tall: tall.max(least), ground, around, ways }
    }

    /// Between neighbours of the sunflower, about.
    fn spacing(&self) -> f32 {
        (0.7 * self.wide).max(0.25 * self.tall)
    }

    /// How far out the last of so many stands.
    fn radius(&self, count: usize) -> f32 {
        self.spacing() * (count as f32).sqrt() + 0.5 * self.wide
    }

    /// The camera, just outside of the crowd and looking over it; over all of a small one.
    pub(crate) fn camera(&self, count: usize, aspect: f32) -> Camera {
        let (radius, unit) = (self.radius(count), self.tall.max(0.8 * self.wide));
        if radius < 5.5 * unit {
            return self.over_all(radius, aspect);
        }
        let seen = radius.min(11.2 * unit);
        let position = Vec3::new(0.0, 0.38 * seen + 0.1 * unit, radius + 0.07 * seen + 0.2 * unit);
        Camera::look_at(position, Vec3::new(0.0, -0.05 * seen, radius - seen), FOV)
    }

    /// As near as has a whole round crowd in the image, with a margin.
    fn over_all(&self, radius: f32, aspect: f32) -> Camera {
        let middle = Vec3::new(0.0, 0.45 * self.tall, 0.0);
        let forward = Vec3::new(0.0, -0.38, -1.0).normalize();
        let up = Vec3::X.cross(forward);
        let high = (0.5 * FOV).tan() * 0.92;
        let mut away = radius.max(self.tall);
        for step in 0..64 {
            let angle = TAU * (step / 2) as f32 / 32.0;
            let edge = Vec3::new(radius * angle.cos(), 0.0, radius * angle.sin());
            let from_middle = edge.with_y(self.tall * (step % 2) as f32) - middle;
            let aside = from_middle.x.abs() / (high * aspect);
            let above = from_middle.dot(up).abs() / high;
            away = away.max(aside.max(above) - from_middle.dot(forward));
        }
        Camera::look_at(middle - forward * away, middle, FOV)
    }

    /// Floor, shadows and fog for so many, around this camera.
    pub(crate) fn dress(&self, frame: &mut Frame, count: usize, haze: Vec3) {
        let away = frame.camera.position.distance(frame.camera.target);
        let radius = self.radius(count);
        let seen = radius.min(away);
        let side = Vec3::new(seen, 0.0, seen);
        let all = Bounds { min: -side, max: side.with_y(self.tall) };
        frame.floor = Floor { height: 0.0, grid: false, shadow: true, ..Floor::under(all) };
        frame.shadows.reach = 1.6 * seen + 2.0 * self.tall;
        let start = if radius > away { 0.75 * away } else { away };
        frame.fog = Fog::Linear { color: haze, start, end: start + 1.4 * away };
    }
}

/// The middle over the floor.
fn middle(bounds: Bounds) -> Vec3 {
    if bounds.is_empty() { Vec3::ZERO } else { bounds.center().with_y(0.0) }
}

/// A share of the way.
fn along(way: &[Vec3], share: f32) -> Vec3 {
    let at = share.clamp(0.0, 1.0) * (way.len() - 1) as f32;
    let first = at as usize;
    way[first].lerp(way[(first + 1).min(way.len() - 1)], at - first as f32)
}

/// Around every vertex, where there are not too many.
fn close_bounds(member: &Member) -> Bounds {
    let scene = member.actor.scene();
    let of = |mesh: usize| scene.meshes[mesh].primitives.iter().map(|p| p.positions.len());
    let vertices: usize = scene.instances.iter().flat_map(|it| of(it.mesh.index())).sum();
    if vertices == 0 || vertices > MOST_VERTICES {
        return member.bounds();
    }
    let (mut bounds, mut out) = (Bounds::EMPTY, Vertices::default());
    for (index, instance) in scene.instances.iter().enumerate() {
        if member.actor.hides(InstanceId::new(index)) {
            continue;
        }
        for primitive in 0..scene.meshes[instance.mesh.index()].primitives.len() {
            member.actor.skin(InstanceId::new(index), primitive, &mut out);
            out.positions.iter().filter(|at| at.is_finite()).for_each(|at| bounds.add(*at));
        }
    }
    bounds
}

/// Everyone.
#[derive(Debug)]
pub(crate) struct Cast {
    pub(crate) parts: Vec<CharacterState>,
    pub(crate) standing: Vec<CrowdInstance>,
    /// Which seed of the sunflower each one is.
    pub(crate) seeds: Vec<usize>,
}

impl Cast {
    /// So many, each between two sampled clips, at a time of its own and so many seconds later. Sorted by distance from `position`, where
    /// there is one to sort by.
    pub(crate) fn new(
        measure: &Measure,
        sampled_clips: &[SampledClip],
        count: usize,
        seconds: f32,
        position: Option<Vec3>,
    ) -> Self {
        let mut chance = Chance(1);
        let seed =
            |at: usize| (at, part(at, sampled_clips, seconds, &mut chance), TAU * chance.next());
        let mut all: Vec<(usize, CharacterState, f32)> = (0..count).map(seed).collect();
        if let Some(position) = position {
            all.sort_by(|a, b| {
                let away = |seed: usize| place(measure, seed).distance_squared(position);
                away(a.0).total_cmp(&away(b.0))
            });
        }
        let standing = all.iter().map(|(seed, part, facing)| {
            let over = Affine3A::from_rotation_translation(
                Quat::from_rotation_y(*facing),
                place(measure, *seed) - measure.ground * Vec3::Y,
            );
            let [a, b] = [0, 1].map(|which| {
                let sampled = usize::from(part.clips[which]);
                along(
                    &measure.ways[sampled],
                    part.times[which] / sampled_clips[sampled].duration().max(1e-6),
                )
            });
            let home = a.lerp(b, part.clamped_weight());
            let bounds = (!measure.around.is_empty()).then(|| roomy(measure.around).moved(over));
            CrowdInstance { world_from_model: over * Affine3A::from_translation(-home), bounds }
        });
        Self {
            standing: standing.collect(),
            seeds: all.iter().map(|one| one.0).collect(),
            parts: all.into_iter().map(|one| one.1).collect(),
        }
    }
}

/// A tenth more on every side: blends go where no clip does, and clips where nobody looked.
fn roomy(bounds: Bounds) -> Bounds {
    let more = Vec3::splat(0.1 * bounds.size().max_element());
    Bounds { min: bounds.min - more, max: bounds.max + more }
}

fn place(measure: &Measure, seed: usize) -> Vec3 {
    let (angle, away) = (seed as f32 * GOLDEN, measure.spacing() * (seed as f32).sqrt());
    Vec3::new(away * angle.cos(), 0.0, away * angle.sin())
}

/// Sums and products alone, so that every machine casts alike.
fn part(
    at: usize,
    sampled_clips: &[SampledClip],
    seconds: f32,
    chance: &mut Chance,
) -> CharacterState {
    let clips = sampled_clips.len().min(1 << 16);
    let first = at % clips;
    let second = if clips > 1 { (first + 1 + at / clips % (clips - 1)) % clips } else { first };
    let [a, b, share] = [chance.next(), chance.next(), chance.next()];
    let time = |sampled: usize, start: f32| {
        let duration = sampled_clips[sampled].duration();
        let time = start * duration + seconds;
        if duration > 0.0 && time.is_finite() { time.rem_euclid(duration) } else { 0.0 }
    };
    CharacterState {
        clips: [first as u16, second as u16],
        times: [time(first, a), if clips > 1 { time(second, b) } else { time(first, a) }],
        // Most are more the first than the second.
        weight: if clips > 1 { share * share } else { 0.0 },
    }
}

/// Numbers that look like chance and are always the same: a linear congruential generator, its upper bits.
struct Chance(u32);

impl Chance {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / (1 << 24) as f32
    }
}
