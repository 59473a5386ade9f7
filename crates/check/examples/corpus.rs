//! Checks every file given and prints a line per finding: for looking at many files at once.

fn main() {
    for path in std::env::args().skip(1) {
        let begun = std::time::Instant::now();
        match sinew_check::options().open(&path) {
            Err(error) => println!("{path}\tunreadable\t{error}"),
            Ok(model) => {
                let read = begun.elapsed().as_secs_f32();
                let found = sinew_check::check(&model, &sinew_check::CheckOptions::default());
                for finding in found {
                    println!(
                        "{path}\t{}\t{}\t{}\t{}",
                        finding.code(),
                        finding.severity,
                        finding.place.words(&model.scene),
                        finding.message
                    );
                }
                println!("{path}\ttime\t{read:.2}\t{:.2}", begun.elapsed().as_secs_f32() - read);
            }
        }
    }
}
