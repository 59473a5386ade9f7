//! Renders a model to a PNG: `cargo run --release -p sinew-render --example picture -- FILE OUT.png [options]`.
//!
//! Without a file, the built-in rig. Options: `--clip N`, `--at SECONDS`, `--view front|side|back|top`, `--size WxH`, `--show
//! skeleton,axes,wire,bounds,normals,heat`, `--sky`, `--transparent`.

use std::error::Error;
use std::time::Instant;

use sinew::Actor;
use sinew::glam::{Vec3, Vec4};
use sinew::render::{
    Background, BoneStyle, Camera, Floor, Frame, Gpu, Renderer, Target, UploadOptions, View,
};

fn main() -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut take = |name: &str| {
        let place = arguments.iter().position(|argument| argument == name)?;
        arguments.remove(place);
        (place < arguments.len()).then(|| arguments.remove(place))
    };
    let clip = take("--clip").and_then(|text| text.parse::<usize>().ok());
    let at = take("--at").and_then(|text| text.parse().ok()).unwrap_or(0.0);
    let show = take("--show").unwrap_or_default();
    let view = match take("--view").as_deref() {
        Some("front") => View::Front,
        Some("side") => View::Side,
        Some("back") => View::Back,
        Some("top") => View::Top,
        _ => View::ThreeQuarter,
    };
    let size = take("--size").unwrap_or("640x480".into());
    let (width, height) = size.split_once('x').ok_or("size is WxH")?;
    let background = take("--background");
    let tell = std::env::var("TELL").is_ok();
    let lap = |what: &str| {
        if tell {
            eprintln!("{:7.1} ms  {what}", start.elapsed().as_secs_f64() * 1e3);
        }
    };

    let out = arguments.pop().unwrap_or("picture.png".into());
    let scene = match arguments.pop() {
        Some(path) => sinew::open(path)?.scene,
        None => sinew::demo(),
    };
    lap("scene");
    let gpu = Gpu::headless()?;
    lap(&gpu.name());
    let cache = std::env::var("CACHE").ok();
    let kept = cache.as_ref().and_then(|path| std::fs::read(path).ok());
    let mut renderer = Renderer::with_cache(&gpu, kept.as_deref());
    let decode =
        |bytes: &[u8]| sinew::import::picture::decode(bytes).map(|p| (p.width, p.height, p.rgba));
    let options = UploadOptions { decode: Some(&decode), ..UploadOptions::default() };
    let model = renderer.upload_with(&scene, options)?;
    for note in model.notes() {
        eprintln!("note: {note}");
    }
    lap("uploaded");
    let mut actor = Actor::new(scene);
    if let Some(clip) = clip {
        actor.play_index(clip);
        actor.seek(at);
    }
    let target = Target::new(&gpu, width.parse()?, height.parse()?)?;
    let mut bounds = sinew::Bounds::EMPTY;
    let mut vertices = sinew::Vertices::default();
    for (index, instance) in actor.scene().instances.iter().enumerate() {
        for primitive in 0..actor.scene().meshes[instance.mesh.index()].primitives.len() {
            actor.skin(sinew::InstanceId::new(index), primitive, &mut vertices);
            bounds = bounds.union(sinew::Bounds::of(&vertices.positions));
        }
    }
    for joint in actor.pose().model_from_joint() {
        if actor.scene().instances.is_empty() {
            bounds.add(joint.translation.into());
        }
    }
    let mut frame = Frame::new(Camera::frame(bounds, view.direction(), 0.55, target.aspect()));
    frame.floor = Floor { height: bounds.min.y.min(0.0), ..Floor::under(bounds) };
    match background.as_deref() {
        Some("sky") => frame.background = Background::Sky(1.0),
        Some("transparent") => frame.background = Background::Transparent,
        Some("white") => frame.background = Background::Color(Vec3::ONE),
        _ => {}
    }
    let mut posed = actor.posed();
    let joints = actor.pose().model_from_joint();
    for what in show.split(',') {
        match what {
            "skeleton" => {
                let style = BoneStyle::default();
                frame.overlay.skeleton(actor.scene().skeleton(), joints, &style);
            }
            "axes" => joints.iter().for_each(|joint| frame.overlay.axes(*joint, 0.1)),
            "wire" => frame.wireframe = true,
            "bounds" => frame.overlay.bounds(bounds, Vec4::new(0.9, 0.7, 0.2, 1.0)),
            "heat" => posed.heat = actor.scene().skins.first().map(|skin| skin.joints[1]),
            "normals" => {
                actor.skin(sinew::InstanceId::new(0), 0, &mut vertices);
                frame.overlay.normals(&vertices, 0.02);
            }
            _ => {}
        }
    }
    frame.add(&model, &posed);
    let stats = renderer.draw(&mut frame, &target)?;
    lap("submitted");
    let picture = target.read(&gpu)?;
    lap("read back");
    image::save_buffer(
        &out,
        &picture.rgba,
        picture.width,
        picture.height,
        image::ColorType::Rgba8,
    )?;
    lap(&format!("saved; {stats:?}"));
    if let (Some(path), Some(bytes)) = (cache, renderer.cache()) {
        std::fs::write(path, bytes)?;
    }
    Ok(())
}
