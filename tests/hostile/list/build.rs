//! Lists the C files of the folder above.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    // The folder stands for everything in it, so that a new file is noticed.
    println!("cargo::rerun-if-changed=..");
    let mut names = Vec::new();
    for entry in fs::read_dir("..")? {
        let file = entry?.file_name().to_string_lossy().into_owned();
        // The rival is honest.
        names.extend(file.strip_suffix(".c").filter(|&name| name != "rival").map(str::to_owned));
    }
    names.sort();
    let list = format!(
        "/// Calls a macro with the names of all behaviours.\n#[macro_export]\n\
         macro_rules! behaviours {{ ($callback:ident) => {{ $callback! {{ {} }} }}; }}\n",
        names.join(" ")
    );
    fs::write(Path::new(&env::var("OUT_DIR")?).join("behaviours.rs"), list)?;
    Ok(())
}
