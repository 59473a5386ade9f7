//! `sinew bench render`: the table is whole, whatever the numbers are.

use std::process::{Command, Output};

use serde_json::Value;

fn bench(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sinew"))
        .args(["bench", "render", "--size", "32x32", "--frames", "2"])
        .args(arguments)
        .output()
        .expect("sinew starts")
}

#[test]
fn many_characters_are_drawn_with_as_many_calls_as_one() {
    let output = bench(&["--model", "demo", "--instances", "1,30", "--json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let table: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let rows = table["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 2);
    let number = |row: usize, key: &str| rows[row][key].as_f64().unwrap_or(f64::NAN);
    assert_eq!([number(0, "instances"), number(1, "instances")], [1.0, 30.0]);
    assert_eq!([number(0, "seen"), number(1, "seen")], [1.0, 30.0], "all are in the image");
    assert_eq!(number(0, "draw_calls"), number(1, "draw_calls"));
    for row in 0..2 {
        for key in ["pose_ms", "fill_ms", "draw_ms", "cpu_ms"] {
            assert!(number(row, key) > 0.0, "{key}: {rows:?}");
        }
        let gpu = &rows[row]["gpu_ms"];
        assert!(gpu.is_null() || gpu.as_f64() > Some(0.0), "{gpu}");
        // At least three joints of 48 bytes and the node that carries the mesh, for each.
        assert!(number(row, "uploaded_bytes") >= number(row, "instances") * 4.0 * 48.0);
    }
    assert!(table["cpu_us_per_actor"].is_number());
}

#[test]
fn the_table_for_people_has_one_line_for_each_count() {
    let output = bench(&["--model", "demo", "--instances", "1,2,5"]);
    let text = String::from_utf8_lossy(&output.stdout);
    for count in ["1", "2", "5"] {
        let found = text.lines().any(|line| line.split_whitespace().next() == Some(count));
        assert!(found, "no line for {count}:\n{text}");
    }
    assert!(text.contains("one more character costs the processor"), "{text}");
}

#[test]
fn wrong_counts_and_missing_models_are_told() {
    assert_eq!(bench(&["--instances", "0"]).status.code(), Some(2));
    assert_eq!(bench(&["--instances", "many"]).status.code(), Some(2));
    let output = bench(&["--model", "no/such/file.glb"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no/such/file.glb"));
}
