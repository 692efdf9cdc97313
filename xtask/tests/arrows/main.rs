//! Checks the architecture: which crates a crate uses, in which order the rooms of a crate use each other, and which
//! modules name an edition.
//!
//! A *room* is an outermost module of a crate. The `mod` lines in `lib.rs` or `main.rs` are the rooms, lowest first,
//! each with a comment. A room uses only rooms whose lines come before its own. Modules, also those of a test, never
//! use each other in a circle. Dependencies of tests are not checked, because products do not contain them.

mod modules;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand};

use crate::modules::{Crate, Module};

/// The crates of this project that a crate uses; for the core, also the other crates. The product uses no crate of the
/// suite. Nothing outside the survey, which is another workspace, uses the survey.
const ARROWS: &[(&str, &[&str])] = &[
    ("robots-core", &["memchr", "serde_core", "sfv", "url"]),
    ("robots-nom-parser", &["robots-core"]),
    ("robots-yaml", &[]),
    ("robots-lint", &["robots-core", "robots-yaml"]),
    ("robots-fetch", &["robots-core", "robots-nom-parser"]),
    ("robots-audit", &["robots-core", "robots-fetch", "robots-nom-parser"]),
    ("robots-console", &[]),
    (
        "robots-cli",
        &[
            "robots-audit",
            "robots-console",
            "robots-core",
            "robots-fetch",
            "robots-lint",
            "robots-nom-parser",
            "robots-yaml",
        ],
    ),
    ("robots-spec-cases", &[]),
    ("robots-conformance", &["robots-console", "robots-core", "robots-spec-cases", "robots-yaml"]),
    ("robots-google-cpp", &["robots-conformance", "robots-core"]),
    ("robots-test-web", &["robots-spec-cases"]),
    (
        "robots-conformance-live",
        &[
            "robots-conformance",
            "robots-console",
            "robots-core",
            "robots-nom-parser",
            "robots-spec-cases",
            "robots-test-web",
        ],
    ),
    (
        "robots-conformance-cli",
        &[
            "robots-conformance",
            "robots-conformance-live",
            "robots-console",
            "robots-core",
            "robots-google-cpp",
            "robots-nom-parser",
            "robots-spec-cases",
            "robots-test-web",
        ],
    ),
    ("robots-retriever", &["robots-conformance", "robots-core", "robots-fetch"]),
];

/// The tools, which may use every crate.
const TOOLS: &[&str] = &["robots-conformance-faults", "xtask"];

/// The modules that name an edition although they are not the table of editions: they contain the default for an engine
/// that declares none, or of an option.
const DEFAULTS: &[&str] = &[
    "robots-conformance::engine::is_allowed",
    "robots-conformance::process::command",
    "robots-conformance::protocol::hello",
    "robots-conformance::report::badge",
];

/// The module with the table of editions.
const TABLE: &str = "robots-core::edition";

/// Names of libraries and crawlers. No code of the core contains one.
const FOREIGN: &[&str] = &["googlecpp", "jwm", "nutch", "protego", "reppy", "scrapy"];

fn metadata(manifest: &str) -> Metadata {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(manifest);
    MetadataCommand::new().manifest_path(path).no_deps().exec().expect("cargo reads the manifests")
}

/// Reads the modules of each binary, library and test of a workspace. The name of a test contains `/`.
fn crates(manifest: &str) -> Vec<(String, Crate)> {
    let mut crates = Vec::new();
    for package in metadata(manifest).packages {
        for target in package.targets.iter().filter(|target| !target.is_custom_build()) {
            let (name, root) = (&package.name, target.src_path.as_std_path());
            let is_test = !target.is_bin() && !target.is_lib() && !target.is_proc_macro();
            let name = if is_test { format!("{name}/{}", target.name) } else { name.to_string() };
            let read = Crate::read(root).unwrap_or_else(|error| panic!("{name}: {error}"));
            crates.push((name, read));
        }
    }
    crates
}

fn assert_none(problems: &[String]) {
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn a_crate_uses_only_the_crates_below_it() {
    let mut problems = Vec::new();
    let packages = metadata("Cargo.toml").packages;
    for package in packages.iter().filter(|package| !TOOLS.contains(&package.name.as_str())) {
        let name = package.name.as_str();
        let Some((_, allowed)) = ARROWS.iter().find(|(known, _)| *known == name) else {
            problems.push(format!("{name} has no line in ARROWS"));
            continue;
        };
        let used = package.dependencies.iter().filter(|one| {
            one.kind != DependencyKind::Development && (one.path.is_some() || name == "robots-core")
        });
        let used: BTreeSet<&str> = used.map(|one| one.name.as_str()).collect();
        let allowed: BTreeSet<&str> = allowed.iter().copied().collect();
        let more = used.difference(&allowed).map(|one| format!("{name} may not use {one}"));
        let stale = allowed.difference(&used);
        problems.extend(more.chain(stale.map(|one| format!("{name} does not use {one}"))));
    }
    assert_none(&problems);
}

#[test]
fn a_room_uses_only_the_rooms_before_it() {
    let mut problems = Vec::new();
    for (name, read) in crates("Cargo.toml").iter().chain(&crates("survey/Cargo.toml")) {
        problems.extend(circles(name, &read.arrows()));
        if !name.contains('/') {
            problems.extend(against_the_order(name, read));
        }
    }
    assert_none(&problems);
}

#[test]
fn the_listed_modules_name_an_edition_and_the_core_no_library() {
    let mut naming = BTreeSet::new();
    let is_checked = |name: &&(String, Crate)| !TOOLS.contains(&&*name.0) && !name.0.contains('/');
    for (name, read) in crates("Cargo.toml").iter().filter(is_checked) {
        let named = read.naming_variant("Edition").into_iter();
        naming.extend(named.map(|module| format!("{name}::{}", module.join("::"))));
        let foreign = |path: &String| FOREIGN.iter().any(|name| path.to_lowercase().contains(name));
        if name == "robots-core" {
            let found: Vec<_> = read.names().into_iter().filter(foreign).collect();
            assert_eq!(found, [""; 0], "the core names other software");
        }
    }
    naming.retain(|module| !module.starts_with(TABLE));
    assert_eq!(naming, DEFAULTS.iter().map(|module| (*module).to_owned()).collect());
}

/// Returns the circles in which modules use each other.
fn circles(name: &str, uses: &BTreeMap<&Module, BTreeSet<Module>>) -> Vec<String> {
    let mut problems = BTreeMap::new();
    for start in uses.keys() {
        let Some(circle) = way_back(start, uses) else { continue };
        let mut sorted = circle.clone();
        sorted.sort();
        let shown: Vec<String> = circle.iter().map(shown).collect();
        problems.entry(sorted).or_insert_with(|| {
            format!(
                "{name}: modules use each other in a circle, {} → {}: move what both need below them",
                shown.join(" → "),
                shown[0]
            )
        });
    }
    problems.into_values().collect()
}

/// Returns a shortest chain of uses that leads from a module back to itself.
fn way_back(start: &Module, uses: &BTreeMap<&Module, BTreeSet<Module>>) -> Option<Vec<Module>> {
    let mut ways = vec![vec![start.clone()]];
    let mut seen = BTreeSet::new();
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in &ways {
            for used in &uses[&way[way.len() - 1]] {
                if used == start {
                    return Some(way.clone());
                }
                if uses.contains_key(used) && seen.insert(used.clone()) {
                    longer.push([&way[..], std::slice::from_ref(used)].concat());
                }
            }
        }
        ways = longer;
    }
    None
}

/// Returns the violations of the order of the rooms, and the rooms without a comment.
fn against_the_order(name: &str, read: &Crate) -> Vec<String> {
    let rank = |module: &Module| read.rooms.iter().position(|room| Some(room) == module.first());
    let comments = read.without_comment.iter();
    let mut problems: Vec<String> = comments
        .map(|room| format!("{name}: write above `mod {room};`, in one line, what is in the room"))
        .collect();
    for (module, used) in read.arrows() {
        let Some(from) = rank(module) else { continue };
        for used in used {
            let message = match rank(&used) {
                None => {
                    "an item that the root re-exports: name the module that defines it".to_owned()
                }
                Some(to) if to > from => {
                    format!(
                        "{}, whose `mod` line comes later: move what it needs, or the line",
                        shown(&used)
                    )
                }
                Some(_) => continue,
            };
            problems.push(format!("{name}: {} uses {message}", shown(module)));
        }
    }
    problems
}

fn shown(module: &Module) -> String {
    if module.is_empty() { "the root".to_owned() } else { module.join("::") }
}

/// Writes files into a folder, and returns the problems of the crate whose root is the first file.
fn of(files: &[(&str, &str)]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let read = Crate::read(&folder.path().join(files[0].0)).unwrap();
    [circles("it", &read.arrows()), against_the_order("it", &read)].concat()
}

#[test]
fn a_circle_is_found_through_re_exports_and_not_in_tests() {
    let root = (
        "lib.rs",
        "// C\nmod b;\n// C\n#[cfg(unix)]\nmod a;\npub use a::A; pub mod f { pub use crate::a::A; }",
    );
    let files = [
        root,
        ("a.rs", "pub struct A; fn f() { crate::b::c::g() }"),
        ("b/mod.rs", "mod c; pub use c::g; #[cfg(test)] mod tests { use crate::a::A; }"),
        ("b/c.rs", "pub fn g() {}"),
    ];
    assert_none(&of(&files));
    let circle = [files[0], files[1], files[2], ("b/c.rs", "use crate::A; pub fn g() {}")];
    let found = of(&circle);
    assert!(found[0].contains("a → b::c → a"), "{found:?}");
    assert!(found[1].contains("b::c uses a, whose `mod` line comes later"), "{found:?}");
}

#[test]
fn a_module_and_the_one_around_it_may_form_a_circle() {
    let root = ("main.rs", "// C\n#[path = \"other/here.rs\"]\nmod a;");
    let module = "mod b; pub struct A; fn f() { b::g() } mod c { use super::A; }";
    let files = [root, ("other/here.rs", module), ("other/b.rs", "pub fn g() {}")];
    assert_none(&of(&files));
    let circle = [files[0], files[1], ("other/b.rs", "use super::A; pub fn g() {}")];
    assert!(of(&circle)[0].contains("a → a::b → a"));
}

#[test]
fn a_room_has_a_comment_and_uses_modules_by_their_names() {
    let files = [("lib.rs", "mod a;\npub struct B;"), ("a.rs", "use crate::B;")];
    let found = of(&files);
    assert!(found[0].contains("write above `mod a;`"), "{found:?}");
    assert!(found[1].contains("a uses an item that the root re-exports"), "{found:?}");
}
