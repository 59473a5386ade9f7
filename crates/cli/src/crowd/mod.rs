//! `sinew crowd`: many of one model at once, and what they take.
//!
//! In:  a model with clips, how many, and who poses them.
//! Out: numbers on standard output: memory, times, errors; and an image, whole or not at all.

mod args;
mod cast;
mod device;
mod image;
mod processor;
mod report;
mod room;
mod spot;

use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;
use sinew::crowd::Detail;
use sinew::film;
use sinew::motion::{self, SampledClip};
use sinew::render::{Gpu, Stats};
use sinew::scene::SkinMethod;
use sinew::{Options, Scene};

use self::args::On;
pub(crate) use self::args::{Crowd, EXAMPLES};
use self::cast::{Cast, Measure};
use self::image::Studio;
use self::report::{Drawn, ReelRow, Report};
use self::room::Needs;
use crate::args::Talk;
use crate::fault::Fault;
use crate::render::plan::{Form, check_size};
use crate::render::{driver, save};
use crate::{info, model, output};

pub(crate) fn run(args: &Crowd, talk: Talk) -> Result<(), Fault> {
    let on = who(args)?;
    if let Some(out) = &args.out {
        image::check_name(out)?;
        check_size(args.size, Form::Still)?;
        save::check(out)?;
    }
    if on == On::Gpu || args.out.is_some() {
        driver::hush();
    }
    // What is made from here on has the same bits everywhere, the sampled clips too.
    motion::set_deterministic(args.deterministic);
    let scene = open(args, talk)?;
    let clips = clips(&scene, args)?;
    let sampled_clips: Vec<SampledClip> = clips
        .par_iter()
        .map(|&clip| SampledClip::new(&scene, &scene.clips[clip], args.error))
        .collect();
    let needs = Needs {
        joints: scene.skeleton().len(),
        matrices: device::matrices(&scene),
        crowds: if args.detail.is_empty() { 1 } else { 2 },
        drawn: args.out.is_some(),
        on,
    };
    let count = room::check(args.count, &needs)?;
    let measure = Measure::new(&scene, &clips);
    let camera = measure.camera(count, args.size.width as f32 / args.size.height as f32);
    let sorted = (!args.detail.is_empty()).then_some(camera.position);
    let cast = Cast::new(&measure, &sampled_clips, count, args.time, sorted);
    let gpu = match on == On::Gpu || args.out.is_some() {
        true => Some(device(on)?),
        false => None,
    };
    let mut studio = match (&gpu, &args.out) {
        (Some(gpu), Some(_)) => {
            Some(Studio::new(gpu, &scene, args.size, camera, args.pixel_error)?)
        }
        _ => None,
    };
    let mut report = report(&scene, &clips, &sampled_clips, on, &gpu, count, args.error);
    if let Some(studio) = &studio {
        tell(studio.notes(), talk, Talk::Verbose);
    }
    let stage =
        Stage { scene: &scene, sampled_clips: &sampled_clips, measure: &measure, cast: &cast };
    let drawn = match (on, &gpu) {
        (On::Gpu, Some(gpu)) => stage.on_device(gpu, studio.as_mut(), &mut report)?,
        _ => stage.on_processor(args, studio.as_mut(), &mut report)?,
    };
    tell(&report.notes, talk, Talk::Normal);
    finish(args, talk, report, drawn)
}

/// Who poses the crowd.
fn who(args: &Crowd) -> Result<On, Fault> {
    let usage = |message: &str| Err(Fault::Usage(message.into()));
    match args.on {
        Some(On::Gpu) if args.deterministic => usage(
            "--deterministic is the processor's: a GPU rounds in its own way, within the bound that is told; expected --on cpu",
        ),
        Some(On::Gpu) if !args.detail.is_empty() => usage(
            "--detail is the processor's: on a GPU everyone is posed in full; expected --on cpu",
        ),
        Some(on) => Ok(on),
        None if args.deterministic || !args.detail.is_empty() => Ok(On::Cpu),
        None => Ok(On::Gpu),
    }
}

fn open(args: &Crowd, talk: Talk) -> Result<Arc<Scene>, Fault> {
    let model = args.model();
    let drawn = args.out.is_some();
    let options = Options { decode_images: drawn, ..model.options() };
    let scene = model::open_with(&model, &options, talk)?.scene;
    let (scene, held) = spot::hold(scene).map_err(|error| Fault::Work(error.to_string()))?;
    if held > 0 && talk >= Talk::Verbose {
        crate::output::tell!("note: clips that walk away are played on the spot: {held}");
    }
    Ok(Arc::new(scene))
}

/// The clips that are played: all that take time, or else all.
fn clips(scene: &Scene, args: &Crowd) -> Result<Vec<usize>, Fault> {
    let all = 0..scene.clips.len();
    let moving: Vec<usize> = all.clone().filter(|&at| scene.clips[at].duration > 0.0).collect();
    let file = args.model().file;
    let file = model::shown(&file).display();
    match (moving.is_empty(), scene.clips.is_empty()) {
        (_, true) => Err(Fault::Work(format!(
            "{file} has no clips for a crowd to play; --anim FILE adds those of another file"
        ))),
        _ if scene.skeleton().is_empty() => {
            Err(Fault::Work(format!("{file} has no nodes: there is nobody to pose")))
        }
        (true, _) => Ok(all.collect()),
        (false, _) => Ok(moving),
    }
}

/// A device, or what to do without.
fn device(on: On) -> Result<Gpu, Fault> {
    Gpu::headless().map_err(|error| {
        Fault::Work(match on {
            On::Gpu => format!(
                "{error}; --on cpu poses a crowd on the processor, and without -o needs no GPU"
            ),
            On::Cpu => format!("{error}; the image needs it: without -o only numbers are told"),
        })
    })
}

fn report(
    scene: &Scene,
    clips: &[usize],
    sampled_clips: &[SampledClip],
    on: On,
    gpu: &Option<Gpu>,
    count: usize,
    error: f32,
) -> Report {
    let row = |(clip, sampled): (&usize, &SampledClip)| ReelRow {
        clip: scene.clips[*clip].name.clone(),
        seconds: sampled.duration(),
        rate: sampled.rate(),
        bytes: sampled.bytes(),
        error_mm: info::millimetres(sampled.error()),
    };
    let threads = rayon::current_num_threads();
    let name = match (on, gpu) {
        (On::Gpu, Some(gpu)) => gpu.name(),
        _ => format!("the processor, {threads} thread{}", if threads == 1 { "" } else { "s" }),
    };
    let linear = |skin: &sinew::scene::Skin| skin.method == SkinMethod::Linear;
    let mut notes = Vec::new();
    if on == On::Gpu && !scene.skins.iter().all(linear) {
        notes.push(
            "a skin of dual quaternions is drawn linearly on the GPU; --on cpu draws it as filed"
                .into(),
        );
    }
    if clips.iter().any(|&clip| !scene.clips[clip].weights.is_empty()) {
        notes.push("morph targets stay at rest in a crowd".into());
    }
    for (clip, sampled) in
        clips.iter().zip(sampled_clips).filter(|(_, sampled)| sampled.error() > error)
    {
        notes.push(format!(
            "{} is off by {:.4} mm, more than asked: {:.0} frames a second are the most that a sampled is given",
            info::named(&scene.clips[*clip].name),
            info::millimetres(sampled.error()),
            sampled.rate()
        ));
    }
    if sampled_clips.len() == 1 {
        notes.push("there is one clip: nobody blends".into());
    }
    Report {
        characters: count,
        joints: scene.skeleton().len(),
        on: if on == On::Gpu { "gpu" } else { "cpu" },
        device: name,
        sampled_clips: clips.iter().zip(sampled_clips).map(row).collect(),
        // A part.
        cpu_bytes_each: 16,
        gpu_bytes_each: None,
        gpu_bytes_shared: None,
        sent_bytes_each: None,
        pose_ms: 0.0,
        clock: "wall clock",
        off_by: None,
        levels: Vec::new(),
        checksum: None,
        image: None,
        notes,
    }
}

/// Who plays what, where.
struct Stage<'a> {
    scene: &'a Scene,
    sampled_clips: &'a [SampledClip],
    measure: &'a Measure,
    cast: &'a Cast,
}

/// The bytes of an image, and what it took.
type Image = Option<(Vec<u8>, Stats)>;

impl Stage<'_> {
    fn on_device(
        &self,
        gpu: &Gpu,
        studio: Option<&mut Studio<'_>>,
        report: &mut Report,
    ) -> Result<Image, Fault> {
        let (mut crowd, difference) =
            device::crowd(gpu, self.scene, self.sampled_clips, self.cast)?;
        let (ms, has_clock) = device::pose_ms(gpu, &crowd)?;
        report.pose_ms = ms;
        report.clock =
            if has_clock { "the GPU's own clock" } else { "wall clock, waiting included" };
        report.off_by = Some(difference);
        report.sent_bytes_each = Some(size_of::<sinew::crowd::CharacterState>());
        let drawn = match studio {
            Some(studio) => {
                studio.add_device(&mut crowd, self.cast)?;
                Some(self.draw(studio)?)
            }
            None => None,
        };
        let (shared, each) = crowd.bytes();
        (report.gpu_bytes_shared, report.gpu_bytes_each) = (Some(shared), Some(each));
        Ok(drawn)
    }

    fn on_processor(
        &self,
        args: &Crowd,
        studio: Option<&mut Studio<'_>>,
        report: &mut Report,
    ) -> Result<Image, Fault> {
        let mut details = vec![Detail::FULL];
        details.extend(args.detail.iter().map(|level| level.0));
        let mut crowd = processor::crowd(self.scene, self.sampled_clips, self.cast);
        processor::set_levels(&mut crowd, &details);
        crowd.pose();
        report.cpu_bytes_each = crowd.bytes_each();
        if args.deterministic {
            let sum = processor::checksum(&crowd, &self.cast.seeds);
            report.checksum = Some(format!("{sum:016x}"));
        }
        let drawn = match studio {
            Some(studio) => {
                studio.add_processor(&crowd, self.cast);
                Some(self.draw(studio)?)
            }
            None => None,
        };
        let round = details.iter().map(|detail| detail.every).max().unwrap_or(1);
        report.pose_ms = processor::pose_ms(&mut crowd, round);
        if !args.detail.is_empty() {
            let mut exact = processor::crowd(self.scene, self.sampled_clips, self.cast);
            report.levels = processor::measure(&mut crowd, &mut exact, &details);
        }
        Ok(drawn)
    }

    fn draw(&self, studio: &mut Studio<'_>) -> Result<(Vec<u8>, Stats), Fault> {
        let (image, stats) = studio.draw(self.measure, self.cast)?;
        Ok((film::still(&image)?, stats))
    }
}

fn tell(notes: &[String], talk: Talk, from: Talk) {
    for note in notes.iter().filter(|_| talk >= from) {
        crate::output::tell!("note: {note}");
    }
}

fn finish(args: &Crowd, talk: Talk, mut report: Report, drawn: Image) -> Result<(), Fault> {
    let piped = args.out.as_deref() == Some(Path::new("-"));
    if let (Some(out), Some((bytes, stats))) = (&args.out, drawn) {
        save::save(out, &bytes)?;
        report.image = Some(Drawn {
            file: out.display().to_string(),
            seen: stats.seen,
            culled: stats.culled,
            draw_calls: stats.draws,
            triangles: stats.triangles,
            uploaded_bytes: stats.uploaded,
        });
    }
    let mut result = Vec::new();
    report.write(&mut result, args.json)?;
    match piped {
        // The image itself is on standard output.
        true if talk == Talk::Quiet => Ok(()),
        true => {
            crate::output::to_stderr(&String::from_utf8_lossy(&result));
            Ok(())
        }
        false => output::write(|out| std::io::Write::write_all(out, &result)),
    }
}
