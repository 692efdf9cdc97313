//! Reads the imports between modules from the sources. This module finds circular imports, and rooms that use a room
//! above them.
//!
//! An arrow is a path to another module of the crate, in a `use` or elsewhere. A re-export (`pub use`) is not an arrow;
//! a path to a re-export is an arrow to the module that defines the item. Test modules of a crate are ignored. Each
//! test binary below `tests` is a separate crate, without rooms ([`circles_of_tests`]).

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{Item, ItemMod, UseTree, Visibility};

/// A module's path in its crate; empty for the root.
type Module = Vec<String>;

/// Returns the problems of the modules of the crate in a folder. `rooms` are the outermost modules of the crate, from
/// top to bottom. If there are no rooms, modules may use each other in any order.
pub(super) fn problems(name: &str, source: &Path, rooms: &[String]) -> Vec<String> {
    let crate_ = match Crate::read(source) {
        Ok(crate_) => crate_,
        Err(error) => return vec![format!("{name}: {error}")],
    };
    let mut problems = crate_.circles(name);
    if !rooms.is_empty() {
        problems.extend(crate_.against(name, rooms));
    }
    problems
}

/// Returns the circular imports of the test binaries in a folder. Each file is a binary, and so is each folder with a
/// `main.rs`.
pub(super) fn circles_of_tests(name: &str, folder: &Path) -> Vec<String> {
    let roots = match test_roots(folder) {
        Ok(roots) => roots,
        Err(error) => return vec![format!("{name}: {error}")],
    };
    let circles = roots.iter().flat_map(|root| {
        let mut read = Crate::default();
        let shown = root.strip_prefix(folder).unwrap_or(root).display();
        let name = format!("{name}/{shown}");
        match read.read_declared(root, &Vec::new(), true) {
            Ok(()) => read.circles(&name),
            Err(error) => vec![format!("{name}: {error}")],
        }
    });
    circles.collect()
}

/// Returns the files in which the test binaries of a folder begin.
fn test_roots(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let wrong = |error: &dyn std::fmt::Display| format!("{}: {error}", folder.display());
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let entries = entries.map_err(|error| wrong(&error))?;
    let paths = entries.into_iter().map(|entry| entry.path());
    let begin = paths.map(|path| if path.is_dir() { path.join("main.rs") } else { path });
    let is_source =
        |path: &PathBuf| path.is_file() && path.extension().is_some_and(|it| it == "rs");
    let mut roots: Vec<_> = begin.filter(is_source).collect();
    roots.sort();
    Ok(roots)
}

#[derive(Default)]
struct Crate {
    modules: BTreeMap<Module, syn::File>,
}

impl Crate {
    fn read(source: &Path) -> Result<Self, String> {
        let mut read = Self::default();
        read.read_folder(source, &Vec::new())?;
        let tests: Vec<Module> =
            read.modules.iter().flat_map(|(at, file)| tests_of(at, file)).collect();
        read.modules.retain(|module, _| !tests.iter().any(|test| module.starts_with(test)));
        Ok(read)
    }

    fn read_folder(&mut self, folder: &Path, module: &Module) -> Result<(), String> {
        let wrong = |error: &dyn std::fmt::Display| format!("{}: {error}", folder.display());
        let mut entries: Vec<_> = fs::read_dir(folder)
            .and_then(Iterator::collect::<Result<_, _>>)
            .map_err(|error| wrong(&error))?;
        entries.sort_by_key(fs::DirEntry::path);
        for entry in entries {
            let path = entry.path();
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                self.read_folder(&path, &[&module[..], &[stem]].concat())?;
                continue;
            }
            if path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            let module = match &*stem {
                "lib" | "mod" | "main" => module.clone(),
                _ => [&module[..], &[stem]].concat(),
            };
            let text = fs::read_to_string(&path).map_err(|error| wrong(&error))?;
            let file =
                syn::parse_file(&text).map_err(|error| format!("{}: {error}", path.display()))?;
            // A package with a library and a binary has two roots: `lib.rs` and `main.rs`.
            match self.modules.entry(module) {
                Entry::Vacant(entry) => drop(entry.insert(file)),
                Entry::Occupied(mut entry) => entry.get_mut().items.extend(file.items),
            }
        }
        Ok(())
    }

    /// Reads a file, and the files of the modules that it declares. `is_beside` is true if these files are in the same
    /// folder as the file itself.
    fn read_declared(
        &mut self,
        path: &Path,
        module: &Module,
        is_beside: bool,
    ) -> Result<(), String> {
        let wrong = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let text = fs::read_to_string(path).map_err(|error| wrong(&error))?;
        let file = syn::parse_file(&text).map_err(|error| wrong(&error))?;
        let folder = path.parent().unwrap_or(path);
        let below = if is_beside { folder.to_owned() } else { path.with_extension("") };
        for item in &file.items {
            let Item::Mod(declared @ ItemMod { content: None, .. }) = item else { continue };
            let name = declared.ident.to_string();
            let alone = below.join(format!("{name}.rs"));
            let (file, is_beside) = match path_attribute(declared) {
                Some(path) => (folder.join(path), true),
                None if alone.is_file() => (alone, false),
                None => (below.join(&name).join("mod.rs"), true),
            };
            self.read_declared(&file, &[&module[..], &[name]].concat(), is_beside)?;
        }
        self.modules.insert(module.clone(), file);
        Ok(())
    }

    /// Returns the module whose path is the longest beginning of a path, and the number of names in this beginning.
    fn module_of(&self, path: &[String]) -> Option<(Module, usize)> {
        (0..=path.len())
            .rev()
            .map(|len| (path[..len].to_vec(), len))
            .find(|(module, _)| self.modules.contains_key(module))
    }

    /// Returns the module that defines the item of a path, through re-exports.
    fn origin(&self, path: &[String]) -> Option<Module> {
        let (module, len) = self.module_of(path)?;
        let Some(name) = path.get(len) else { return Some(module) };
        for item in &self.modules[&module].items {
            let Item::Use(reexport) = item else { continue };
            if matches!(reexport.vis, Visibility::Inherited) {
                continue;
            }
            for (target, known) in paths_of(&reexport.tree) {
                let target = absolute(&module, &target, &self.modules);
                if known == *name && target != path {
                    return self.origin(&target);
                }
            }
        }
        Some(module)
    }

    /// Returns the modules that a module uses.
    fn used_by(&self, module: &Module) -> BTreeSet<Module> {
        let mut uses = Uses::default();
        uses.visit_file(&self.modules[module]);
        uses.paths
            .iter()
            .map(|path| absolute(module, path, &self.modules))
            .filter_map(|path| self.origin(&path))
            .filter(|used| used != module)
            .collect()
    }

    fn circles(&self, name: &str) -> Vec<String> {
        let uses: BTreeMap<&Module, BTreeSet<Module>> =
            self.modules.keys().map(|module| (module, self.used_by(module))).collect();
        let mut problems = Vec::new();
        let mut reported = BTreeSet::new();
        for start in self.modules.keys() {
            let Some(circle) = way_back(start, &uses) else { continue };
            let mut sorted = circle.clone();
            sorted.sort();
            if reported.insert(sorted) {
                let shown: Vec<String> = circle.iter().map(shown).collect();
                problems.push(format!(
                    "{name}: modules use each other in a circle, {} → {}: move what both need below \
                     them",
                    shown.join(" → "),
                    shown[0],
                ));
            }
        }
        problems
    }

    /// Returns the violations of the order of the rooms.
    fn against(&self, name: &str, rooms: &[String]) -> Vec<String> {
        let rank = |module: &Module| {
            rooms.iter().position(|room| module.first().is_some_and(|first| first == room))
        };
        let mut problems = Vec::new();
        for room in
            rooms.iter().filter(|room| !self.modules.contains_key(std::slice::from_ref(*room)))
        {
            problems.push(format!(
                "{name}: ARCHITECTURE.md lists the room {room}, which does not exist"
            ));
        }
        for module in self.modules.keys().filter(|module| !module.is_empty()) {
            let Some(from) = rank(module) else {
                problems.push(format!(
                    "{name}: {} has no place among the rooms: add it to the crate's table in ARCHITECTURE.md",
                    shown(module),
                ));
                continue;
            };
            for used in self.used_by(module) {
                let message = match rank(&used) {
                    None if used.is_empty() => {
                        "what lib.rs re-exports: name the module it is in".to_owned()
                    }
                    Some(to) if to < from => {
                        format!("{}, a room above it: move what it needs below", shown(&used))
                    }
                    _ => continue,
                };
                problems.push(format!("{name}: {} uses {message}", shown(module)));
            }
        }
        problems
    }
}

/// The paths that a file names, relative to the file's module.
#[derive(Default)]
struct Uses {
    paths: Vec<Vec<String>>,
    /// The number of inline modules around the current item.
    depth: usize,
}

impl Uses {
    /// Adds a path. Inside an inline module, each `super` first leads out of the inline modules.
    fn note(&mut self, mut path: Vec<String>) {
        let supers = path.iter().take_while(|name| *name == "super").count();
        path.drain(..supers.min(self.depth));
        if self.depth == 0 || supers >= self.depth || path.first().is_some_and(|it| it == "crate") {
            self.paths.push(path);
        }
    }
}

impl<'ast> Visit<'ast> for Uses {
    fn visit_item(&mut self, item: &'ast Item) {
        if is_test(item) {
            return;
        }
        let within = usize::from(matches!(item, Item::Mod(_)));
        self.depth += within;
        visit::visit_item(self, item);
        self.depth -= within;
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        // A re-export makes an item available, which is not a use of the item.
        if matches!(item.vis, Visibility::Inherited) {
            for (path, _) in paths_of(&item.tree) {
                self.note(path);
            }
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> =
            path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if names.len() > 1 {
            self.note(names);
        }
        visit::visit_path(self, path);
    }
}

/// Returns the value of the attribute `#[path = "…"]`.
fn path_attribute(declared: &ItemMod) -> Option<String> {
    let value = declared.attrs.iter().find_map(|attribute| match &attribute.meta {
        syn::Meta::NameValue(pair) if pair.path.is_ident("path") => Some(&pair.value),
        _ => None,
    })?;
    match value {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(path), .. }) => Some(path.value()),
        _ => None,
    }
}

/// Returns the test modules that a module declares.
fn tests_of(module: &Module, file: &syn::File) -> Vec<Module> {
    let tests = file.items.iter().filter_map(|item| match item {
        Item::Mod(declared) if is_test(item) => Some(declared.ident.to_string()),
        _ => None,
    });
    tests.map(|name| [&module[..], &[name]].concat()).collect()
}

fn is_test(item: &Item) -> bool {
    let attributes = match item {
        Item::Mod(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => return false,
    };
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|what| {
                what.is_ident("test") || what.is_ident("doctest") || what.is_ident("doc")
            })
    })
}

/// Returns the paths of a `use`, each with the name that it introduces.
fn paths_of(tree: &UseTree) -> Vec<(Vec<String>, String)> {
    match tree {
        UseTree::Path(path) => paths_of(&path.tree)
            .into_iter()
            .map(|(rest, known)| ([&[path.ident.to_string()], &rest[..]].concat(), known))
            .collect(),
        UseTree::Name(name) => vec![(vec![name.ident.to_string()], name.ident.to_string())],
        UseTree::Rename(rename) => {
            vec![(vec![rename.ident.to_string()], rename.rename.to_string())]
        }
        UseTree::Glob(_) => vec![(Vec::new(), "*".to_owned())],
        UseTree::Group(group) => group.items.iter().flat_map(paths_of).collect(),
    }
}

/// Returns the path from the root of the crate, or the module itself if the path leads out of the crate.
fn absolute(
    module: &Module,
    path: &[String],
    modules: &BTreeMap<Module, syn::File>,
) -> Vec<String> {
    let mut path: Vec<String> = path.iter().filter(|name| *name != "self").cloned().collect();
    let supers = path.iter().take_while(|name| *name == "super").count();
    if path.first().is_some_and(|first| first == "crate") {
        return path.split_off(1);
    }
    let base = module.len().saturating_sub(supers);
    let absolute = [&module[..base], &path[supers..]].concat();
    let child = absolute.get(..=base).is_some_and(|child| modules.contains_key(child));
    // Without `crate` or `super`, a path leads to a module below this one or to another crate. A path to another crate
    // is not an arrow.
    if supers > 0 || child { absolute } else { module.clone() }
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

fn shown(module: &Module) -> String {
    if module.is_empty() { "the root".to_owned() } else { module.join("::") }
}

#[cfg(test)]
mod tests {
    use super::{circles_of_tests, problems};

    fn of(files: &[(&str, &str)], rooms: &[&str]) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let rooms: Vec<String> = rooms.iter().map(ToString::to_string).collect();
        problems("it", folder.path(), &rooms)
    }

    #[test]
    fn a_circle_is_found_through_re_exports_and_not_in_tests() {
        let files = [
            ("lib.rs", "mod a; mod b; pub use a::A;"),
            ("a.rs", "pub struct A; fn f() { crate::b::c::g() }"),
            ("b/mod.rs", "mod c; pub use c::g; #[cfg(test)] mod tests { use crate::a::A; }"),
            ("b/c.rs", "pub fn g() {}"),
        ];
        assert_eq!(of(&files, &["a", "b"]), [""; 0]);
        let circle = [files[0], files[1], files[2], ("b/c.rs", "use crate::A; pub fn g() {}")];
        let found = of(&circle, &["a", "b"]);
        assert!(found[0].contains("a → b::c → a"), "{found:?}");
        assert!(found.iter().any(|problem| problem.contains("a room above it")), "{found:?}");
    }

    #[test]
    fn a_module_and_the_one_around_it_may_form_a_circle() {
        let files = [
            ("lib.rs", "mod a;"),
            ("a/mod.rs", "mod b; pub struct A; fn f() { b::g() } mod c { use super::A; }"),
            ("a/b.rs", "pub fn g() {}"),
        ];
        assert_eq!(of(&files, &["a"]), [""; 0]);
        let circle = [files[0], files[1], ("a/b.rs", "use super::A; pub fn g() {}")];
        let found = of(&circle, &["a"]);
        assert!(found[0].contains("a → a::b → a"), "{found:?}");
    }

    #[test]
    fn a_circle_in_a_test_binary_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("one.rs", "mod shared; #[path = \"other/more.rs\"] mod more;");
        write("shared/mod.rs", "mod below; pub fn f() { below::g() }");
        write("shared/below.rs", "use crate::more::M; pub fn g() {}");
        write("other/more.rs", "pub struct M;");
        write("two/main.rs", "mod a; mod b;");
        write("two/a.rs", "pub struct A;");
        write("two/b.rs", "use crate::a::A;");
        assert_eq!(circles_of_tests("it", folder.path()), [""; 0]);
        write("two/a.rs", "pub struct A; use crate::b;");
        write("other/more.rs", "pub struct M; use crate::shared::f;");
        let found = circles_of_tests("it", folder.path());
        assert!(found[0].starts_with("it/one.rs: ") && found[0].contains("more"), "{found:?}");
        assert!(found[1].starts_with("it/two/main.rs: "), "{found:?}");
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn a_room_without_a_place_is_reported() {
        let found = of(&[("lib.rs", "mod a;"), ("a.rs", "")], &["b"]);
        assert!(found[0].contains("lists the room b, which does not exist"), "{found:?}");
        assert!(found[1].contains("a has no place among the rooms"), "{found:?}");
    }
}
