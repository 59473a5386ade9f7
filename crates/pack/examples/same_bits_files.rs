//! Writes the packed files that `tests/same_bits.rs` reads, when the form of the bytes has changed; its constants change then, too.

#[path = "../../../tests/bits/mod.rs"]
mod bits;
#[path = "../tests/made/mod.rs"]
mod made;

use sinew_pack::{Options, pack};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scene = made::scene();
    for (name, every, error, exact_curves) in
        [("uniform", 1, 0.000_5, false), ("curves", 5, 0.002, true)]
    {
        let options = Options { error, shell: Some(0.1), rate: None, exact_curves };
        let (packed, report) = pack(&scene, &made::clip(every), &options, &|_| {})?;
        let path = format!("{}/tests/files/{name}.packed", env!("CARGO_MANIFEST_DIR"));
        std::fs::write(&path, packed.bytes())?;
        println!("{path}: {report:?}");
    }
    Ok(())
}
