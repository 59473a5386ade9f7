//! `sinew bench crowd-gpu`: how many characters a GPU poses in a millisecond, beside what its memory lets through.
//!
//! In:  how many.
//! Out: for each count the GPU's own time from parts to palettes; the bytes that must move; the share of the memory's speed.
//!
//! Each character plays two sampled clips, blended, at times of its own: 67 joints, sampled, walked and bound. What must
//! move is each palette, written once; each part, read once; and the sampled clips, read once.

mod roof;

use std::io::{self, Write};
use std::time::{Duration, Instant};

use serde::Serialize;
use sinew::Scene;
use sinew::crowd::CharacterState;
use sinew::crowd::gpu::{BranchMemory, Crowd, CrowdError, Output, Tuning};
use sinew::glam::Affine3A;
use sinew::motion::{Layer, Pose, SampledClip, blend};
use sinew::render::Gpu;
use sinew::scene::Skin;

use super::motion::character::character;
use crate::BenchError;
use crate::output;
use roof::Roof;
use sinew::render::{PassTimer, Repeat};

/// `sinew bench crowd-gpu`.
#[derive(Debug, clap::Args)]
pub struct BenchCrowdGpu {
    /// How many characters, one count after the other.
    #[arg(long, value_name = "COUNTS", value_delimiter = ',', default_values_t = [1000, 10_000, 100_000, 1_000_000])]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    counts: Vec<u32>,
    /// What the memory lets through, in GB/s; without it a copy is measured.
    #[arg(long, value_name = "GB/S")]
    bandwidth: Option<f64>,
    /// Least runs of each count.
    #[arg(long, default_value_t = 20)]
    runs: usize,
    /// Where chains of joints leave what others need; by the skeleton's size when not given.
    #[arg(long, value_parser = ["near", "far"])]
    way: Option<String>,
    /// Threads of a workgroup.
    #[arg(long)]
    threads: Option<u32>,
    /// Characters of a workgroup.
    #[arg(long)]
    together: Option<u32>,
    /// As JSON: a list of rows.
    #[arg(long)]
    json: bool,
}

/// One count.
#[derive(Debug, Serialize)]
struct Row {
    name: String,
    /// What the nanoseconds are for.
    per: &'static str,
    ns: f64,
    /// What they would be if nothing but the memory took time.
    limit_ns: f64,
    characters: u32,
    gpu_ms: f64,
    characters_per_ms: f64,
    /// What must move.
    bytes: u64,
    gb_per_s: f64,
    /// Of the bandwidth.
    share: f64,
    /// The processor's time to hand over everyone's sixteen bytes.
    write_ms: f64,
    way: &'static str,
    threads: u32,
    together: u32,
}

/// The memory's speed, and how right the numbers are.
#[derive(Debug, Serialize)]
struct Around {
    name: &'static str,
    per: &'static str,
    ns: f64,
    limit_ns: f64,
    device: String,
    /// By the device's own clock, or only by ours.
    timestamps: bool,
    bandwidth_gb_per_s: f64,
    copy_gb_per_s: f64,
    fill_gb_per_s: f64,
    /// The farthest that any number of a palette is from the processor's.
    off_by: f32,
}

impl From<CrowdError> for BenchError {
    fn from(error: CrowdError) -> Self {
        Self::Work(error.to_string())
    }
}

pub(crate) fn run(args: &BenchCrowdGpu) -> Result<(), BenchError> {
    if args.bandwidth.is_some_and(|found| !(found > 0.0 && found.is_finite())) {
        return Err(BenchError::Usage("--bandwidth: expected a number of GB/s above zero".into()));
    }
    let gpu = Gpu::headless()?;
    let timer = PassTimer::new(&gpu);
    let stage = Stage::new(args);
    let off_by = stage.off_by(&gpu)?;
    let roof = Roof::measure(&gpu, &timer)?;
    let bandwidth = args.bandwidth.unwrap_or(roof.copy);
    let around = Around {
        name: "copy",
        per: "byte",
        ns: 1.0 / roof.copy,
        limit_ns: 1.0 / bandwidth,
        device: gpu.name(),
        timestamps: timer.has_clock(),
        bandwidth_gb_per_s: bandwidth,
        copy_gb_per_s: roof.copy,
        fill_gb_per_s: roof.fill,
        off_by,
    };
    let mut rows = Vec::new();
    for &count in &args.counts {
        rows.push(stage.measure(&gpu, &timer, count, args.runs, bandwidth)?);
    }
    output::write(|out| match args.json {
        true => json(out, &around, &rows),
        false => print(out, &around, &rows),
    })
}

/// The character, its skin and what it plays.
struct Stage {
    scene: Scene,
    skin: Skin,
    sampled_clips: Vec<SampledClip>,
    tuning: Tuning,
}

impl Stage {
    fn new(args: &BenchCrowdGpu) -> Self {
        let scene = character();
        let mut rest = Pose::new(&scene);
        rest.to_model(scene.skeleton());
        let skin = Skin {
            joints: scene.skeleton().ids().collect(),
            joint_from_mesh: rest.model_from_joint().iter().map(Affine3A::inverse).collect(),
            ..Skin::default()
        };
        let sampled_clips =
            scene.clips.iter().map(|clip| SampledClip::new(&scene, clip, 1e-4)).collect();
        let branch_memory = args.way.as_deref().map(|way| match way {
            "far" => BranchMemory::Device,
            _ => BranchMemory::Workgroup,
        });
        let tuning = Tuning { branch_memory, threads: args.threads, together: args.together };
        Self { scene, skin, sampled_clips, tuning }
    }

    /// Everyone at times of their own, between two sampled clips.
    fn parts(&self, count: u32) -> Vec<CharacterState> {
        let mut seed = 1_u32;
        let mut roll = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as f32 / (1 << 24) as f32
        };
        let one = |_| {
            let sampled_clips = [0, 1].map(|_| (roll() * self.sampled_clips.len() as f32) as u16);
            let times = sampled_clips
                .map(|sampled| roll() * self.sampled_clips[usize::from(sampled)].duration());
            CharacterState { clips: sampled_clips, times, weight: 0.1 + 0.8 * roll() }
        };
        (0..count).map(one).collect()
    }

    fn crowd(&self, gpu: &Gpu) -> Result<Crowd, CrowdError> {
        let output = Output::Skin(&self.skin);
        Crowd::tuned(gpu, self.scene.skeleton(), output, &self.sampled_clips, self.tuning)
    }

    fn measure(
        &self,
        gpu: &Gpu,
        timer: &PassTimer,
        characters: u32,
        runs: usize,
        bandwidth: f64,
    ) -> Result<Row, BenchError> {
        let mut crowd = self.crowd(gpu)?;
        let parts = self.parts(characters);
        let mut write_ms = f64::INFINITY;
        for _ in 0..3 {
            let start = Instant::now();
            crowd.write(&parts)?;
            write_ms = write_ms.min(start.elapsed().as_secs_f64() * 1e3);
            crowd.run()?;
            gpu.wait()?;
        }
        let repeat = Repeat { runs: runs.max(1), time: Duration::from_millis(300) };
        let gpu_ms = timer.best(repeat, |encoder, times| crowd.encode(encoder, times))?;
        let bytes = crowd.bytes().0 + u64::from(characters) * (16 + 48 * crowd.matrices() as u64);
        let many = f64::from(characters);
        let gb_per_s = bytes as f64 * 1e-6 / gpu_ms;
        let (threads, together) = crowd.workgroup_size();
        Ok(Row {
            name: format!("crowd_gpu_{characters}"),
            per: "character",
            ns: gpu_ms * 1e6 / many,
            limit_ns: bytes as f64 / bandwidth / many,
            characters,
            gpu_ms,
            characters_per_ms: many / gpu_ms,
            bytes,
            gb_per_s,
            share: gb_per_s / bandwidth,
            write_ms,
            way: match crowd.branch_memory() {
                BranchMemory::Workgroup => "near",
                BranchMemory::Device => "far",
            },
            threads,
            together,
        })
    }

    /// The farthest that any number is from what the processor makes of the same parts.
    fn off_by(&self, gpu: &Gpu) -> Result<f32, CrowdError> {
        let (mut crowd, parts) = (self.crowd(gpu)?, self.parts(500));
        crowd.write(&parts)?;
        crowd.run()?;
        let found = crowd.read()?;
        let poses = [0; 3].map(|_| Pose::new(&self.scene));
        let [mut first, mut second, mut out] = poses;
        let mut most = 0.0_f32;
        for (part, found) in parts.iter().zip(found.chunks(crowd.matrices())) {
            let [a, b] = part.clips.map(|sampled| &self.sampled_clips[usize::from(sampled)]);
            a.sample(part.times[0], &mut first);
            b.sample(part.times[1], &mut second);
            let layers = [Layer::new(&first, 1.0 - part.weight), Layer::new(&second, part.weight)];
            blend(layers, &mut out);
            out.to_model(self.scene.skeleton());
            let models = out.model_from_joint().iter().zip(&self.skin.joint_from_mesh);
            for ((model, bind), found) in models.zip(found) {
                let (a, b) = ((*model * *bind).to_cols_array(), found.to_cols_array());
                most = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(most, f32::max);
            }
        }
        Ok(most)
    }
}

fn json(out: &mut Vec<u8>, around: &Around, rows: &[Row]) -> io::Result<()> {
    let mut all = vec![serde_json::to_value(around)?];
    for row in rows {
        all.push(serde_json::to_value(row)?);
    }
    Ok(serde_json::to_writer_pretty(out, &all)?)
}

fn print(out: &mut Vec<u8>, around: &Around, rows: &[Row]) -> io::Result<()> {
    let Around { device, copy_gb_per_s: copy, fill_gb_per_s: fill, off_by, .. } = around;
    let clock =
        if around.timestamps { "the GPU's own clock" } else { "no GPU clock; waiting included" };
    writeln!(out, "67 joints, two sampled_clips blended, palettes written; on {device}; {clock}")?;
    writeln!(
        out,
        "memory: copy {copy:.0} GB/s, fill {fill:.0} GB/s; taken as {:.0}",
        around.bandwidth_gb_per_s
    )?;
    writeln!(out, "at most {off_by:.1e} from the processor's numbers\n")?;
    writeln!(
        out,
        "characters       ms   ns each    limit   a ms     GB/s   share   CPU write ms   way"
    )?;
    for row in rows {
        writeln!(
            out,
            "{:>10} {:>8.4} {:>9.2} {:>8.2} {:>6.0} {:>8.0} {:>6.0}% {:>14.3}   {} {}×{}",
            row.characters,
            row.gpu_ms,
            row.ns,
            row.limit_ns,
            row.characters_per_ms,
            row.gb_per_s,
            100.0 * row.share,
            row.write_ms,
            row.way,
            row.threads,
            row.together,
        )?;
    }
    Ok(())
}
