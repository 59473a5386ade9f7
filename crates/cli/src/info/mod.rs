//! `sinew info`: what a person wants to know of a file, on one screen.

mod facts;
mod packed;
mod text;

use crate::args::{Info, Talk};
use crate::fault::Fault;
use crate::model::Given;
use crate::{model, output};

pub(crate) use packed::millimetres;
pub(crate) use text::{bytes_text, named, thousands};

pub(crate) fn run(args: &Info, talk: Talk) -> Result<(), Fault> {
    // Asked for with clips or a scene, it is meant as a model.
    let alone = args.model.anim.is_empty() && args.model.scene.is_none();
    let imported = if alone {
        match model::open_any(&args.model.file, &args.model.options())? {
            Given::Packed(bytes) => return of_packed(args, &bytes),
            Given::Model(model) => *model,
        }
    } else {
        model::open(&args.model, Talk::Quiet)?
    };
    let facts = facts::gather(&args.model.file, imported);
    output::write(|out| match args.json {
        true => json(out, &facts),
        false => text::write(out, &facts, talk),
    })
}

fn of_packed(args: &Info, bytes: &[u8]) -> Result<(), Fault> {
    let facts = packed::gather(&args.model.file, bytes).map_err(|error| {
        Fault::Work(format!("cannot read {}: {error}", model::shown(&args.model.file).display()))
    })?;
    output::write(|out| match args.json {
        true => json(out, &facts),
        false => packed::write(out, &facts),
    })
}

fn json(out: &mut Vec<u8>, facts: &impl serde::Serialize) -> std::io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, facts)?;
    out.push(b'\n');
    Ok(())
}
