//! Files are read on a thread of their own; the window asks now and then how far it is.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use eframe::egui::Context;
use sinew::render::{GpuScene, Uploader};

use crate::load::{self, Diagnostic, Job, Outcome};
use crate::model::Model;
use crate::stage::upload_options;

/// What comes from the thread.
enum News {
    Doing(String),
    Done(Box<Outcome>),
}

/// One job at work.
#[derive(Debug)]
pub(crate) struct Loader {
    news: Receiver<News>,
    /// By [`now`].
    since: f64,
    doing: String,
}

/// How far a job is.
pub(crate) enum Progress {
    /// What is being done, and for how many seconds.
    Working(String, f32),
    Done(Box<Outcome>),
}

impl Loader {
    /// Starts a job; the window is woken at its end.
    pub(crate) fn start(job: Job, uploader: Uploader, context: &Context) -> Self {
        let (sender, news) = channel();
        let context = context.clone();
        let work = move || {
            let report = |doing| {
                let _ = sender.send(News::Doing(doing));
                context.request_repaint();
            };
            let mut outcome = load::run(job, &report);
            upload(&mut outcome, &uploader, &report);
            let _ = sender.send(News::Done(Box::new(outcome)));
            context.request_repaint();
        };
        super::run(work);
        Self { news, since: now(), doing: String::new() }
    }

    /// How far it is.
    pub(crate) fn look(&mut self) -> Progress {
        loop {
            match self.news.try_recv() {
                Ok(News::Doing(doing)) => self.doing = doing,
                Ok(News::Done(outcome)) => return Progress::Done(outcome),
                Err(TryRecvError::Empty) => {
                    return Progress::Working(self.doing.clone(), (now() - self.since) as f32);
                }
                // The reader never panics; should it, the window lives on.
                Err(TryRecvError::Disconnected) => {
                    let diagnostic = Diagnostic {
                        title: "The file could not be opened".into(),
                        sentence: "Reading it came to an unexpected end.".into(),
                        advice: "This is an error of Sinew: please report it with the file.".into(),
                    };
                    let outcome = Outcome { diagnostics: vec![diagnostic], ..Outcome::default() };
                    return Progress::Done(Box::new(outcome));
                }
            }
        }
    }
}

/// Seconds on a clock that only goes forward.
#[cfg(not(target_arch = "wasm32"))]
fn now() -> f64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// In a browser a job is done before anybody asks how far it is.
#[cfg(target_arch = "wasm32")]
fn now() -> f64 {
    0.0
}

/// Makes everything ready to be drawn, here where nobody waits for a frame. What the device cannot hold is left out.
fn upload(outcome: &mut Outcome, uploader: &Uploader, report: &dyn Fn(String)) {
    let mut known: Vec<(*const sinew::Scene, GpuScene)> = Vec::new();
    let mut diagnostics = Vec::new();
    let mut one = |model: &mut Model| {
        report(format!("preparing {} for drawing", model.title));
        let address = Arc::as_ptr(model.scene());
        let found = known.iter().find(|(other, _)| *other == address);
        let made = match found {
            Some((_, made)) => Ok(made.clone()),
            None => uploader.upload(model.scene(), upload_options()),
        };
        match made {
            Ok(made) => {
                model.report.drawing_notes.extend(made.notes().iter().cloned());
                known.push((address, made.clone()));
                model.uploaded = Some(made);
                true
            }
            Err(error) => {
                diagnostics.push(Diagnostic {
                    title: format!("{} could not be shown", model.title),
                    sentence: format!("{error}."),
                    advice: "Open a smaller model, or one with smaller images.".into(),
                });
                false
            }
        }
    };
    outcome.models.retain_mut(&mut one);
    outcome.updated.retain_mut(|(_, model, _)| one(model));
    outcome.diagnostics.extend(diagnostics);
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::render::{Gpu, Renderer};
    use sinew::scene::{
        Image, ImageData, ImageId, Material, MaterialId, Sampler, Texture, TextureId, TextureUse,
        UvTransform,
    };

    #[test]
    fn a_model_comes_ready_to_be_drawn_and_a_missing_image_is_a_note() {
        let gpu = Gpu::headless().expect("a driver");
        let renderer = Renderer::new(&gpu);
        let mut parts = sinew::demo().into_parts();
        parts.images = vec![Image { name: "skin.png".into(), data: ImageData::Missing }];
        let texture = Texture {
            name: String::new(),
            image: Some(ImageId::new(0)),
            sampler: Sampler::default(),
        };
        parts.textures = vec![texture];
        let used =
            TextureUse { texture: TextureId::new(0), uv_set: 0, transform: UvTransform::default() };
        parts.materials = vec![Material { base_color_texture: Some(used), ..Material::default() }];
        for primitive in parts.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
            primitive.material = Some(MaterialId::new(0));
        }
        let scene = sinew::Scene::new(parts).expect("a good scene");
        let models = vec![Model::built_in("demo", scene)];
        let mut outcome = Outcome { models, ..Outcome::default() };
        upload(&mut outcome, &renderer.uploader(), &|_| {});
        let model = &outcome.models[0];
        assert!(model.uploaded.is_some());
        assert_eq!(model.report.note_count(), 1, "{:?}", model.report.drawing_notes);
        assert!(
            model.report.drawing_notes[0].contains("skin.png"),
            "{:?}",
            model.report.drawing_notes
        );
    }

    #[test]
    fn a_lost_device_is_a_sentence_and_no_model() {
        let gpu = Gpu::headless().expect("a driver");
        let renderer = Renderer::new(&gpu);
        gpu.device.destroy();
        let _ = gpu.device.poll(sinew::render::wgpu::PollType::Poll);
        let models = vec![Model::built_in("demo", sinew::demo())];
        let mut outcome = Outcome { models, ..Outcome::default() };
        upload(&mut outcome, &renderer.uploader(), &|_| {});
        assert!(outcome.models.is_empty());
        assert!(outcome.diagnostics[0].sentence.contains("lost"), "{:?}", outcome.diagnostics);
    }
}
