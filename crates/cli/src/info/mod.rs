//! `sinew info`: what a person wants to know of a file, on one screen.

mod facts;
mod text;

use crate::args::{Info, Talk};
use crate::fault::Fault;
use crate::{model, output};

pub(crate) fn run(args: &Info, talk: Talk) -> Result<(), Fault> {
    let imported = model::open(&args.model, Talk::Quiet)?;
    let facts = facts::gather(&args.model.file, imported);
    output::write(|out| match args.json {
        true => {
            serde_json::to_writer_pretty(&mut *out, &facts)?;
            out.push(b'\n');
            Ok(())
        }
        false => text::write(out, &facts, talk),
    })
}
