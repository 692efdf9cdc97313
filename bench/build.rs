//! Stores the version of the compiler in the variable `BENCH_RUSTC`, so that the report can show it.

use std::process::Command;

fn main() {
    let rustc = std::env::var_os("RUSTC").expect("Cargo sets RUSTC");
    let version = Command::new(rustc).arg("--version").output().expect("rustc runs").stdout;
    println!("cargo::rustc-env=BENCH_RUSTC={}", String::from_utf8_lossy(&version).trim());
    println!("cargo::rerun-if-changed=build.rs");
}
