//! `sinew bench motion`: nanoseconds for every operation of the motion room, beside ozz-animation.
//!
//! Everything runs on one character of 67 joints, on one thread, the fastest of many short batches.

pub(super) mod character;
mod stopwatch;
pub(super) mod work;

use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;

use crate::BenchError;
use crate::output;

/// `sinew bench motion`.
#[derive(Debug, clap::Args)]
pub struct BenchMotion {
    /// How long to measure each row, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 0.15)]
    each: f64,
    /// As JSON: a list of rows.
    #[arg(long)]
    json: bool,
}

/// One operation.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    pub(super) name: &'static str,
    /// What the nanoseconds are for: a joint, a call, a character.
    pub(super) per: &'static str,
    pub(super) ns: f64,
    /// How many of them a call works on.
    #[serde(skip)]
    pub(super) of: f64,
    /// What ozz-animation takes for the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    ozz_ns: Option<f64>,
}

/// ozz-animation 0.16, C++, the best of three builds, measured on 67 joints on one core of a Zen 4
/// EPYC at 3.7 GHz. On another machine compare ratios, not nanoseconds.
const OZZ: &[(&str, f64)] = &[
    ("sample", 5.7),
    ("seek", 20.0),
    ("seek_15_s", 100.0),
    ("blend", 2.56),
    ("to_model", 5.8),
    ("character", 1463.0),
    ("two_bone_ik", 127.0),
    ("aim_ik", 66.0),
];

impl Row {
    pub(super) fn new(name: &'static str, per: &'static str, ns: f64, of: f64) -> Self {
        let ozz_ns = OZZ.iter().find(|(of, _)| *of == name).map(|(_, ns)| *ns);
        Self { name, per, ns, of, ozz_ns }
    }
}

pub(crate) fn run(args: &BenchMotion) -> Result<(), BenchError> {
    let rows = work::measure(budget(args.each)?);
    output::write(|out| match args.json {
        true => Ok(serde_json::to_writer_pretty(out, &rows)?),
        false => print(out, &rows),
    })
}

/// How long to measure each row.
pub(super) fn budget(each: f64) -> Result<Duration, BenchError> {
    if !(each > 0.0 && each <= 60.0) {
        return Err(BenchError::Usage(format!("--each: expected 0 to 60 seconds, found {each}")));
    }
    if cfg!(debug_assertions) {
        eprintln!("sinew: built without optimisation; the figures say little");
    }
    Ok(Duration::from_secs_f64(each))
}

fn print(out: &mut Vec<u8>, rows: &[Row]) -> io::Result<()> {
    writeln!(
        out,
        "67 joints, one thread, fastest of many batches; ozz-animation 0.16 on a Zen 4 EPYC"
    )?;
    writeln!(
        out,
        "\n  {:<22}{:>10}    {:<10}{:>10}{:>10}",
        "operation", "ns", "per", "ozz ns", "of ozz"
    )?;
    for Row { name, per, ns, ozz_ns, .. } in rows {
        write!(out, "  {name:<22}{ns:>10.2}    {per:<10}")?;
        match ozz_ns {
            Some(ozz) => writeln!(out, "{ozz:>10.2}{:>9.0}%", 100.0 * ns / ozz)?,
            None => writeln!(out, "{:>10}{:>10}", "-", "-")?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_has_a_row_and_none_is_left_out_by_mistake() {
        let rows = work::measure(Duration::from_micros(10));
        let names: Vec<&str> = rows.iter().map(|row| row.name).collect();
        let expected = "sample seek seek_15_s to_model blend blend_masked add character inertialization player events fade \
                        blend_space sync root_motion root_hold graph snapshot_save snapshot_restore graph_fade \
                        graph_inertia two_bone_ik aim_ik two_bone_ik_applied aim_ik_applied look_at fabrik ccd spring \
                        foot mirror socket retarget retarget_planted";
        assert_eq!(names, expected.split_whitespace().collect::<Vec<_>>());
        assert!(rows.iter().all(|row| row.ns > 0.0 && row.ns.is_finite()), "{rows:?}");
    }
}
