//! Shaders: GLSL ES 3.00 that was translated when the program was built.
//!
//! In:  one text: lines for all stages (`#define`), then for each stage `\u{1}`, its entry point's name, a line of what it reads, its program.
//! Out: the stages, to be linked by a pipeline.
//!
//! A line of what is read has words like `u0.0` for a block of uniforms (group 0, binding 0; its name is `B0_0`) and
//! `t1.4.1.1` for a texture with its sampler (`t1.4` for one that is read without; its name is `T1_4`).

use std::future::Future;
use std::pin::Pin;

use wgpu::custom::{ShaderCompilationInfoFuture, ShaderModuleInterface};

/// A place in the bind groups: group and binding.
pub(crate) type Place = (u32, u32);

/// A module: the stages of one shader.
#[derive(Debug)]
pub(crate) struct Module {
    shared: String,
    stages: Vec<Stage>,
}

/// An entry point.
#[derive(Debug)]
pub(crate) struct Stage {
    entry: String,
    text: String,
    pub(crate) uniforms: Vec<Place>,
    pub(crate) textures: Vec<(Place, Option<Place>)>,
}

impl Module {
    pub(crate) fn new(text: &str) -> Self {
        let mut parts = text.split('\u{1}');
        let shared = parts.next().unwrap_or_default().to_owned();
        Self { shared, stages: parts.map(stage).collect() }
    }

    pub(crate) fn stage(&self, entry: Option<&str>) -> Option<&Stage> {
        self.stages.iter().find(|stage| Some(&*stage.entry) == entry)
    }

    /// The program of a stage, with the values of its constants.
    pub(crate) fn text(&self, stage: &Stage, constants: &[(&str, f64)]) -> String {
        let mut text = "#version 300 es\n".to_owned();
        for (name, value) in constants {
            text += "#define ";
            text += name;
            text += &number(*value);
        }
        text + &self.shared + &stage.text
    }
}

/// A number of GLSL, as exact as constants are: whole, or thousandths.
fn number(value: f64) -> String {
    if value.fract() == 0.0 {
        format!(" {}\n", value as i64)
    } else {
        format!(" {}e-3\n", (value * 1000.0).round() as i64)
    }
}

fn stage(text: &str) -> Stage {
    let (entry, rest) = text.split_once('\n').unwrap_or((text, ""));
    let (reads, text) = rest.split_once('\n').unwrap_or((rest, ""));
    let mut stage =
        Stage { entry: entry.into(), text: text.into(), uniforms: vec![], textures: vec![] };
    for word in reads.split(' ') {
        let mut numbers =
            word.get(1..).unwrap_or_default().split('.').map_while(|n| n.parse().ok());
        let mut place = || Some((numbers.next()?, numbers.next()?));
        let Some(first) = place() else { continue };
        match word.starts_with('t') {
            true => stage.textures.push((first, place())),
            false => stage.uniforms.push(first),
        }
    }
    stage
}

impl ShaderModuleInterface for Module {
    fn get_compilation_info(&self) -> Pin<Box<dyn ShaderCompilationInfoFuture>> {
        let none: Pin<Box<dyn Future<Output = wgpu::CompilationInfo>>> =
            Box::pin(std::future::ready(wgpu::CompilationInfo { messages: Vec::new() }));
        Box::pin(none)
    }
}
