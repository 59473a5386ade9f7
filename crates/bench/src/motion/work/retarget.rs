//! A clip onto another skeleton: a minute of walking at 120 Hz, told for a frame.

use std::sync::Arc;

use sinew::retarget::{JointMap, Options, retarget};
use sinew::scene::{Curve, Interpolation, Track};
use sinew::{Clip, Scene};

use super::Bench;

/// Keys a second, as motion capture has them.
const RATE: usize = 120;
const SECONDS: usize = 60;

/// Plain, then with feet planted.
pub(crate) fn retargeting(bench: &mut Bench) {
    let ossi = sinew::ossi();
    let (Some(walk), Ok(map)) = (ossi.clip("walk"), JointMap::find(&ossi, &ossi)) else { return };
    let long = long(walk, &ossi);
    for (name, plant_feet) in [("retarget", false), ("retarget_planted", true)] {
        let options = Options { plant_feet, ..Options::default() };
        bench.part(name, "frame", (RATE * SECONDS) as f64, || {
            std::hint::black_box(retarget(&long, &ossi, &ossi, &map, &options).is_ok());
        });
    }
}

/// The clip again and again, with a key at every frame.
fn long(clip: &Clip, scene: &Scene) -> Clip {
    use sinew::motion::{Cursor, Pose, sample};
    let times: Arc<[f32]> = (0..RATE * SECONDS).map(|at| at as f32 / RATE as f32).collect();
    let (mut pose, mut cursor) = (Pose::new(scene), Cursor::new());
    let joints: Vec<_> = scene.skeleton().ids().collect();
    let mut rotations = vec![Vec::with_capacity(times.len()); joints.len()];
    for time in times.iter() {
        sample(clip, time % clip.duration, &mut cursor, &mut pose);
        for (joint, values) in joints.iter().zip(&mut rotations) {
            values.push(pose.local(*joint).rotation);
        }
    }
    let track = |(joint, values)| {
        let curve = Curve::new(Arc::clone(&times), values, Interpolation::Linear).ok()?;
        Some(Track { joint, curve })
    };
    Clip {
        name: "long".into(),
        duration: times[times.len() - 1],
        rotations: joints.iter().copied().zip(rotations).filter_map(track).collect(),
        ..Clip::default()
    }
}
