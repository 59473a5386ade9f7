//! `sinew convert`: any model or motion as another file, small, and measured against its source.
//!
//! In:  a model, or a folder of them, and what is to become of it.
//! Out: files, each whole or not at all; what they were before and are now, and how far off, on standard output.
//!
//! What was written is read again before it takes its name. Where it is farther off than the bound, keys are thinned less, then not at
//! all; what is still too far off is not written.

mod args;
mod engine;
mod folder;
mod job;
mod open;
mod prove;
mod report;
mod shape;
mod thin;
mod write;

use std::path::Path;

use self::args::Target;
pub(crate) use self::args::{Convert, EXAMPLES};
use self::job::Job;
use self::report::Row;
use self::write::save_all;
use crate::args::Talk;
use crate::fault::Fault;
use crate::output;

/// Sentences that are said unasked.
const MAX_SENTENCES: usize = 12;

pub(crate) fn run(args: &Convert, talk: Talk) -> Result<(), Fault> {
    if crate::folder::is_many(&args.model.file) {
        return folder::run(args, talk);
    }
    let target = args.to.map_or_else(|| Target::of(&args.output), Ok)?;
    let job = Job::new(args, target)?;
    let mut made = job.convert(&args.model.file, &args.output, talk)?;
    for (out, written, _) in &mut made {
        save_all(out, written)?;
    }
    let mut result = Vec::new();
    for (_, _, row) in &made {
        say(row, talk);
        if args.json { report::json(&mut result, row) } else { report::text(&mut result, row) }?;
    }
    if args.output == Path::new("-") && talk != Talk::Quiet {
        crate::output::to_stderr(&String::from_utf8_lossy(&result));
        return Ok(());
    }
    output::write(|out| std::io::Write::write_all(out, &result))
}

/// What was done and left out, in sentences.
fn say(row: &Row, talk: Talk) {
    let most = match talk {
        Talk::Quiet => return,
        Talk::Normal => MAX_SENTENCES,
        Talk::Verbose => usize::MAX,
    };
    row.notes.iter().take(most).for_each(|note| crate::output::tell!("note: {note}"));
    if row.notes.len() > most {
        crate::output::tell!("note: … and {} more (-v shows all)", row.notes.len() - most);
    }
}
