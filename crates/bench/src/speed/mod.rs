//! `sinew bench`: one table of everything that must be fast, each row with the limit it is held to.
//!
//! Times come from this machine, here and now; with `--count` instructions are counted instead, which
//! a busy machine does not change. `benches/README.md` says how to read it.

mod count;
mod crowd;
mod files;
mod joints;
mod vertices;

use std::io::{self, Write};

use serde::Serialize;

use super::motion;
use super::motion::work::{Bench, How};
use crate::BenchError;
use crate::output;

/// `sinew bench`.
#[derive(Debug, clap::Args)]
pub struct BenchSpeed {
    /// How long to measure each row, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 0.25)]
    each: f64,
    /// This row alone.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Count instructions under callgrind instead of nanoseconds; needs valgrind.
    #[arg(long)]
    count: bool,
    /// As JSON: a list of rows.
    #[arg(long)]
    json: bool,
    /// Do the work of a row so often and measure nothing: what callgrind is given to count.
    #[arg(long, hide = true, requires = "only")]
    calls: Option<u32>,
}

/// One row of the table.
#[derive(Debug, Serialize)]
struct Row {
    name: &'static str,
    per: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ns: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<f64>,
    /// Where memory is told, not time.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<f64>,
    /// What it is held to, on one core of a Zen 4 EPYC at 3.7 GHz.
    limit_ns: Option<f64>,
    /// The fastest peer on such a core.
    peer_ns: Option<f64>,
}

/// Limits and the fastest peer, in nanoseconds on one core of a Zen 4 EPYC at 3.7 GHz: ozz-animation 0.16 (C++, best of
/// three builds), but for packed clips, where it is ACL 2.1. On another machine compare ratios.
const KNOWN: &[(&str, Option<f64>, Option<f64>)] = &[
    ("sample", Some(2.6), Some(5.7)),
    ("seek", Some(2.6), Some(20.0)),
    ("seek_15_s", Some(2.6), Some(100.0)),
    ("sample_exact", Some(5.7), Some(5.7)),
    ("seek_exact", Some(20.0), Some(20.0)),
    ("pack_walk", Some(60e6), Some(12e6)),
    ("pack_dance", Some(500e6), Some(93e6)),
    ("sample_packed", Some(4.0), Some(8.2)),
    ("sample_packed_cold", Some(15.0), Some(15.0)),
    ("blend", Some(0.9), Some(2.56)),
    ("to_model", Some(3.5), Some(5.8)),
    ("to_model_crowd", Some(1.2), None),
    ("skin_pn", Some(2.7), Some(4.3)),
    ("skin_pnt", Some(3.3), Some(6.1)),
    ("character", Some(600.0), Some(1463.0)),
    ("character_of_1000", Some(700.0), Some(2575.0)),
    ("two_bone_ik", Some(100.0), Some(127.0)),
    ("aim_ik", Some(50.0), Some(66.0)),
];

impl Row {
    fn new(row: &motion::Row) -> Self {
        let known = KNOWN.iter().find(|(name, ..)| *name == row.name);
        let (limit_ns, peer_ns) = known.map_or((None, None), |(_, limit, peer)| (*limit, *peer));
        let (name, per) = (row.name, row.per);
        let is_memory = per == "bytes";
        let [ns, bytes] = [!is_memory, is_memory].map(|is| is.then_some(row.ns));
        Self { name, per, ns, instructions: None, bytes, limit_ns, peer_ns }
    }
}

pub(crate) fn run(args: &BenchSpeed) -> Result<(), BenchError> {
    if let Some(calls) = args.calls {
        // Threads that wait for each other count instructions that are no work, never twice as many.
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
        alone.build_global().map_err(|error| BenchError::Work(format!("--calls: {error}")))?;
        measure(&mut Bench::new(How::Calls(calls), args.only.clone()));
        return Ok(());
    }
    let budget = motion::budget(args.each)?;
    let mut bench = match args.count {
        // The names and shapes of all rows, at a single call each.
        true => Bench::new(How::Calls(1), args.only.clone()),
        false => Bench::new(How::Time(budget), args.only.clone()),
    };
    measure(&mut bench);
    if let (Some(only), true) = (&args.only, bench.rows.is_empty()) {
        return Err(BenchError::Usage(format!(
            "--only: there is no row \"{only}\"; `sinew bench` shows all"
        )));
    }
    let mut rows: Vec<Row> = bench.rows.iter().map(Row::new).collect();
    if args.count {
        for (row, shape) in rows.iter_mut().zip(&bench.rows) {
            row.ns = None;
            row.instructions = Some(count::instructions(row.name)? / shape.of);
        }
    }
    output::write(|out| match args.json {
        true => Ok(serde_json::to_writer_pretty(out, &rows)?),
        false => print(out, &rows),
    })
}

fn measure(bench: &mut Bench) {
    let scene = motion::character::character();
    joints::rows(bench, &scene);
    crowd::rows(bench, &scene);
    vertices::rows(bench);
    files::rows(bench);
    motion::work::ik::limbs(bench, &scene);
    bench.rows.retain(|row| !row.name.contains("applied") && row.name != "look_at");
}

fn print(out: &mut Vec<u8>, rows: &[Row]) -> io::Result<()> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    writeln!(
        out,
        "67 joints; one core, but where a row says all {cores}. Limits and peers: a core of a Zen 4 EPYC at 3.7 GHz\n"
    )?;
    let unit = if rows.iter().any(|row| row.instructions.is_some()) { "instr." } else { "ns" };
    writeln!(
        out,
        "  {:<32}{unit:>10}  {:<10}{:>10}{:>10}{:>10}{:>10}",
        "work", "per", "limit ns", "of limit", "peer ns", "of peer"
    )?;
    for row in rows {
        let value = row.ns.or(row.instructions).or(row.bytes).unwrap_or_default();
        write!(out, "  {:<32}{value:>10.2}  {:<10}", row.name, row.per)?;
        for other in [row.limit_ns, row.peer_ns] {
            match (other, row.ns) {
                (Some(other), Some(ns)) => {
                    write!(out, "{other:>10.2}{:>9.0}%", 100.0 * ns / other)?;
                }
                (Some(other), None) => write!(out, "{other:>10.2}{:>10}", "")?,
                (None, _) => write!(out, "{:>10}{:>10}", "-", "")?,
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_table_is_there_with_its_limit() {
        let mut bench = Bench::new(How::Calls(1), None);
        measure(&mut bench);
        let names: Vec<&str> = bench.rows.iter().map(|row| row.name).collect();
        for (name, ..) in KNOWN {
            assert!(names.contains(name), "{name} is not among {names:?}");
        }
        let crowd =
            bench.rows.iter().find(|row| row.name == "character_of_1000").expect("it is there");
        let row = Row::new(crowd);
        assert_eq!((row.limit_ns, row.peer_ns, row.per), (Some(700.0), Some(2575.0), "character"));
        let memory = Row::new(&motion::Row::new("packed_memory", "bytes", 5000.0, 1.0));
        assert_eq!((memory.ns, memory.bytes), (None, Some(5000.0)));
    }
}
