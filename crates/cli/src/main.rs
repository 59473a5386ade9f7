//! The `sinew` command: people in front, the library behind.
//!
//! Results go to standard output, everything else to standard error. Exit code 0: done; 1: the
//! input or the work failed; 2: wrong usage, and for `diff` and `check` an input that cannot be read.

mod args;
mod batch;
mod check;
mod convert;
mod crowd;
mod diff;
mod eval;
mod fault;
mod folder;
mod glob;
mod info;
mod json;
mod mixed;
mod model;
mod output;
mod pack;
mod render;
mod retarget;
mod run;
mod survey;
mod view;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};
use fault::Fault;

fn main() -> ExitCode {
    let args = Args::parse();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read our output has had enough.
        Err(Fault::Pipe) => ExitCode::SUCCESS,
        Err(Fault::Work(message)) => {
            crate::output::tell!("sinew: {message}");
            ExitCode::from(1)
        }
        // Said already: the code alone is left.
        Err(Fault::Silent(code)) => ExitCode::from(code),
        Err(Fault::Usage(message) | Fault::Unreadable(message)) => {
            crate::output::tell!("sinew: {message}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> Result<(), Fault> {
    match &args.command {
        None => output::write(|out| out.write_all(args::WELCOME.as_bytes())),
        #[cfg(feature = "bench")]
        Some(Command::Bench(bench)) => Ok(sinew_bench::run(bench)?),
        Some(Command::Batch(batch)) => batch::run(batch, args.talk()),
        Some(Command::Check(check)) => check::run(check, args.talk()),
        Some(Command::Convert(convert)) => convert::run(convert, args.talk()),
        Some(Command::Crowd(crowd)) => crowd::run(crowd, args.talk()),
        Some(Command::Diff(diff)) => diff::run(diff, args.talk()),
        Some(Command::Eval(eval)) => eval::run(eval, args.talk()),
        Some(Command::Info(info)) => info::run(info, args.talk()),
        Some(Command::Pack(pack)) => pack::run(pack, args.talk()),
        Some(Command::Render(render)) => render::run(render, args.talk()),
        Some(Command::Run(script)) => run::run(script, args.talk()),
        Some(Command::Retarget(retarget)) => retarget::run(retarget, args.talk()),
        Some(Command::Survey(survey)) => survey::run(survey, args.talk()),
        Some(Command::View(view)) => view::run(view),
    }
}
