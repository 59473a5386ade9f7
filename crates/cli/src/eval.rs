//! `sinew eval`: joint matrices and skinned vertices at given times, as JSON.

use std::io::{self, Write};

use sinew::glam::{Affine3A, Mat4};
use sinew::motion::RootMode;
use sinew::{Actor, ClipId, InstanceId, Model, RootMotionPolicy, Scene, Transition, Vertices};

use crate::args::{Eval, Talk};
use crate::fault::Fault;
use crate::{json, mixed, model, output};

pub(crate) fn run(args: &Eval, talk: Talk) -> Result<(), Fault> {
    // Others compare these numbers: the same bits on every machine.
    sinew::motion::set_deterministic(true);
    let imported = model::open(&args.model, talk)?;
    let clip = args.clip.as_deref().map(|wanted| find_clip(&imported.scene, wanted)).transpose()?;
    let times = match args.at.as_slice() {
        [] => &[0.0],
        times => times,
    };
    if let Some(time) = times.iter().find(|time| time.is_nan()) {
        return Err(Fault::Usage(format!("--at: expected seconds, found {time}")));
    }
    let Model { scene, format, .. } = imported;
    let mut actor = Actor::new(scene);
    if let Some(index) = clip {
        actor.start(index, Transition::Cut);
    }
    let mixed = args.mixed.open(actor.scene())?;
    output::write(|out| {
        write!(out, "{{\"format\":\"{format}\",\"file_from_world\":")?;
        matrix(out, actor.scene().file_from_world)?;
        head(out, actor.scene())?;
        out.write_all(b",\"poses\":")?;
        if let Some(graph) = mixed.graph {
            actor.set_root_motion(None, RootMode::Floor, RootMotionPolicy::Apply);
            actor.start(graph, Transition::Cut);
            json::list(out, times, |out, &time| {
                let root = mixed::play(&mut actor, time);
                actor.place(Affine3A::IDENTITY);
                pose(out, &actor, "null", time, Some(root))
            })?;
        } else if let Some(blended) = &mixed.layers {
            actor.modify(|pose, skeleton| {
                pose.copy_from(blended);
                pose.to_model(skeleton);
            });
            json::list(out, [()], |out, ()| pose(out, &actor, "null", 0.0, None))?;
        } else if clip.is_none() {
            json::list(out, [()], |out, ()| pose(out, &actor, "null", 0.0, None))?;
        } else {
            let mut name = Vec::new();
            json::string(&mut name, actor.clip().map_or("", |clip| &clip.name))?;
            let name = String::from_utf8_lossy(&name).into_owned();
            json::list(out, times, |out, &time| {
                actor.seek(time);
                pose(out, &actor, &name, time, None)
            })?;
        }
        out.write_all(b"}\n")
    })
}

/// A number within the list is an index; anything else is a name.
pub(crate) fn find_clip(scene: &Scene, wanted: &str) -> Result<ClipId, Fault> {
    let by_number = wanted.parse().ok().filter(|index| *index < scene.clips.len());
    by_number.map(ClipId::new).or_else(|| scene.find_clip(wanted)).ok_or_else(|| {
        let names: Vec<&str> = scene.clips.iter().map(|clip| clip.name.as_str()).collect();
        Fault::Work(match names.len() {
            0 => format!("there is no clip \"{wanted}\": the file has no clips"),
            count => format!("there is no clip \"{wanted}\" among the {count}: {names:?}"),
        })
    })
}

fn each_primitive(
    scene: &Scene,
    mut visit: impl FnMut(InstanceId, usize) -> io::Result<()>,
) -> io::Result<()> {
    for (index, instance) in scene.instances.iter().enumerate() {
        for primitive in 0..scene.meshes[instance.mesh.index()].primitives.len() {
            visit(InstanceId::new(index), primitive)?;
        }
    }
    Ok(())
}

fn matrix(out: &mut impl Write, matrix: Affine3A) -> io::Result<()> {
    json::numbers(out, Mat4::from(matrix).to_cols_array())
}

fn head(out: &mut impl Write, scene: &Scene) -> io::Result<()> {
    out.write_all(b",\"clips\":")?;
    json::list(out, &scene.clips, |out, clip| {
        out.write_all(b"{\"name\":")?;
        json::string(out, &clip.name)?;
        write!(out, ",\"start\":{},\"duration\":{}}}", clip.start, clip.duration)
    })?;
    out.write_all(b",\"joints\":")?;
    json::list(out, scene.skeleton().nodes().iter().enumerate(), |out, (index, node)| {
        out.write_all(b"{\"name\":")?;
        json::string(out, &node.name)?;
        let parent = node.parent.map_or(-1, |parent| parent.index() as i64);
        write!(out, ",\"node\":{index},\"parent\":{parent}}}")
    })?;
    out.write_all(b",\"meshes\":")?;
    let primitives = scene.instances.iter().flat_map(|instance| {
        let mesh = &scene.meshes[instance.mesh.index()];
        mesh.primitives.iter().map(move |primitive| (instance, mesh, primitive))
    });
    json::list(out, primitives, |out, (instance, mesh, primitive)| {
        out.write_all(b"{\"name\":")?;
        json::string(out, &mesh.name)?;
        let vertices = primitive.positions.len();
        let skinned = instance.skin.is_some() && !primitive.influences.is_empty();
        write!(out, ",\"vertices\":{vertices},\"skinned\":{skinned}}}")
    })
}

fn pose(
    out: &mut impl Write,
    actor: &Actor,
    clip: &str,
    time: f32,
    root: Option<Affine3A>,
) -> io::Result<()> {
    write!(out, "{{\"clip\":{clip},\"time\":{time},")?;
    if let Some(root) = root {
        out.write_all(b"\"root\":")?;
        matrix(out, root)?;
        out.write_all(b",")?;
    }
    out.write_all(b"\"nodes\":")?;
    json::list(out, actor.pose().model_from_joint(), |out, node| matrix(out, *node))?;
    out.write_all(b",\"positions\":[")?;
    let mut vertices = Vertices::default();
    let mut first = true;
    each_primitive(actor.scene(), |instance, primitive| {
        if !std::mem::take(&mut first) {
            out.write_all(b",")?;
        }
        actor.skin(instance, primitive, &mut vertices);
        json::numbers(out, vertices.positions.iter().flat_map(|point| point.to_array()))
    })?;
    out.write_all(b"]}")
}
