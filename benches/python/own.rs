//! What `clip.sample` costs without Python: the same clip at the same times, by the library's own `sample`.
//!
//! `own FILE FRAMES RUNS` prints four figures, in seconds of one thread, each the best of all runs: local poses, one after
//! the other in the same place; those composed down the tree; local poses that are kept, seven numbers for each joint, as an
//! array has them; composed ones that are kept, sixteen numbers each. `speed.py --own` runs it beside the package.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use sinew::motion::{Cursor, sample};
use sinew::{JointId, Pose};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("expected a file")?;
    let frames: u32 = arguments.next().ok_or("expected a number of frames")?.parse()?;
    let runs: u32 = arguments.next().ok_or("expected a number of runs")?.parse()?;
    let scene = sinew::open(file)?.scene;
    let clip = scene.clips.first().ok_or("expected a clip")?;
    let step = f64::from(clip.duration) / f64::from(frames.max(2) - 1);
    let times: Vec<f32> = (0..frames).map(|frame| (f64::from(frame) * step) as f32).collect();
    let joints = scene.skeleton().len();
    let mut kept = vec![0.0_f32; times.len() * joints * MATRIX];
    let mut best = [f64::INFINITY; 4];
    for _ in 0..runs {
        let jobs = [Job::Local, Job::Composed, Job::Kept, Job::ComposedKept];
        for (job, best) in jobs.into_iter().zip(&mut best) {
            let mut pose = Pose::new(&scene);
            let mut cursor = Cursor::with_capacity(clip.track_count());
            let begun = Instant::now();
            for (&time, rows) in times.iter().zip(kept.chunks_exact_mut(joints * job.numbers())) {
                sample(clip, time, &mut cursor, &mut pose);
                match job {
                    Job::Local => {}
                    Job::Composed => pose.to_model(scene.skeleton()),
                    Job::Kept => keep(&pose, rows),
                    Job::ComposedKept => {
                        pose.to_model(scene.skeleton());
                        keep_matrices(&pose, rows);
                    }
                }
                black_box(&mut pose);
            }
            *best = best.min(begun.elapsed().as_secs_f64());
        }
        black_box(&mut kept);
    }
    println!("{} {} {} {}", best[0], best[1], best[2], best[3]);
    Ok(())
}

/// Numbers of a translation and a quaternion.
const WIDTH: usize = 7;
/// Numbers of a matrix.
const MATRIX: usize = 16;

#[derive(Clone, Copy)]
enum Job {
    Local,
    Composed,
    Kept,
    ComposedKept,
}

impl Job {
    /// Numbers of a joint that are kept.
    fn numbers(self) -> usize {
        if matches!(self, Self::ComposedKept) { MATRIX } else { WIDTH }
    }
}

/// Matrices as numpy has them: row after row.
fn keep_matrices(pose: &Pose, rows: &mut [f32]) {
    for (matrix, row) in pose.model_from_joint().iter().zip(rows.chunks_exact_mut(MATRIX)) {
        let [x, y, z] = [matrix.matrix3.x_axis, matrix.matrix3.y_axis, matrix.matrix3.z_axis];
        let (at, rows) = (matrix.translation, row.as_chunks_mut::<4>().0);
        rows[0] = [x.x, y.x, z.x, at.x];
        rows[1] = [x.y, y.y, z.y, at.y];
        rows[2] = [x.z, y.z, z.z, at.z];
        rows[3] = [0.0, 0.0, 0.0, 1.0];
    }
}

fn keep(pose: &Pose, rows: &mut [f32]) {
    for (joint, row) in rows.chunks_exact_mut(WIDTH).enumerate() {
        let local = pose.local(JointId::new(joint));
        row[..3].copy_from_slice(&local.translation.to_array());
        row[3..].copy_from_slice(&local.rotation.to_array());
    }
}
