//! Reads the modules of a crate from its sources: which modules each of them uses, in which order the root declares
//! the outermost ones, and which names a module contains.
//!
//! An arrow is a path to another module of the crate, in a `use` or elsewhere. A re-export (`pub use`) is not an arrow;
//! a path to a re-export is an arrow to the module that defines the item. Modules for tests are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, UseTree, Visibility};

/// A module's path in its crate; empty for the root.
pub(crate) type Module = Vec<String>;

/// The modules of a crate.
#[derive(Default)]
pub(crate) struct Crate {
    modules: BTreeMap<Module, syn::File>,
    /// The outermost modules that are files, in the order of their `mod` lines.
    pub(crate) rooms: Vec<String>,
    /// The rooms without a comment above their `mod` line.
    pub(crate) without_comment: Vec<String>,
}

impl Crate {
    /// Reads the crate whose root is a file.
    pub(crate) fn read(root: &Path) -> Result<Self, String> {
        let mut read = Self::default();
        read.read_file(root, &Vec::new(), true)?;
        let declared = read.modules[&Vec::new()].items.iter().filter_map(declared);
        read.rooms = declared.map(|room| room.ident.to_string()).collect();
        let text = fs::read_to_string(root).map_err(|error| error.to_string())?;
        let lines: Vec<&str> = text.lines().collect();
        let has_comment = |room: &&String| {
            let is_line = |line: &&str| line.ends_with(&format!("mod {room};"));
            let at = lines.iter().position(is_line).unwrap_or_default();
            let mut above = lines[..at].iter().rev().skip_while(|line| line.starts_with("#["));
            above.next().is_some_and(|line| line.starts_with("//"))
        };
        read.without_comment =
            read.rooms.iter().filter(|room| !has_comment(room)).cloned().collect();
        Ok(read)
    }

    /// Reads a file, and the files of the modules that it declares. `is_beside` is true if these files are in the same
    /// folder as the file itself.
    fn read_file(&mut self, path: &Path, module: &Module, is_beside: bool) -> Result<(), String> {
        let wrong = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let text = fs::read_to_string(path).map_err(|error| wrong(&error))?;
        let file = syn::parse_file(&text).map_err(|error| wrong(&error))?;
        let folder = path.parent().unwrap_or(path);
        let below = if is_beside { folder.to_owned() } else { path.with_extension("") };
        for declared in file.items.iter().filter_map(declared) {
            let name = declared.ident.to_string();
            let alone = below.join(format!("{name}.rs"));
            let (file, is_beside) = match path_attribute(declared) {
                Some(path) => (folder.join(path), true),
                None if alone.is_file() => (alone, false),
                None => (below.join(&name).join("mod.rs"), true),
            };
            self.read_file(&file, &[&module[..], &[name]].concat(), is_beside)?;
        }
        self.modules.insert(module.clone(), file);
        Ok(())
    }

    /// Returns the modules, each with the modules that it uses.
    pub(crate) fn arrows(&self) -> BTreeMap<&Module, BTreeSet<Module>> {
        self.modules.keys().map(|module| (module, self.used_by(module))).collect()
    }

    fn used_by(&self, module: &Module) -> BTreeSet<Module> {
        let used = self.uses(module).paths.into_iter();
        used.map(|path| self.absolute(module, &path))
            .filter_map(|path| self.origin(&path))
            .filter(|used| used != module)
            .collect()
    }

    /// Returns the modules that name a variant of an enum in an expression or a pattern, as in `Edition::Rfc9309`.
    pub(crate) fn naming_variant(&self, of: &str) -> Vec<&Module> {
        let is_variant = |path: &Vec<String>| {
            path.windows(2).any(|pair| {
                // `Edition::ALL` is a constant.
                pair[0] == of
                    && pair[1].contains(char::is_lowercase)
                    && pair[1].starts_with(char::is_uppercase)
            })
        };
        self.modules.keys().filter(|module| self.uses(module).all.iter().any(is_variant)).collect()
    }

    /// Returns the names in the paths and definitions of the crate.
    pub(crate) fn names(&self) -> BTreeSet<String> {
        self.modules.keys().flat_map(|module| self.uses(module).names).collect()
    }

    fn uses(&self, module: &Module) -> Uses {
        let mut uses = Uses::default();
        uses.visit_file(&self.modules[module]);
        uses
    }

    /// Returns the module that defines the item of a path, through re-exports, also those of an inline module.
    fn origin(&self, path: &[String]) -> Option<Module> {
        let module = (0..=path.len()).rev().map(|len| path[..len].to_vec());
        let module = module.into_iter().find(|module| self.modules.contains_key(module))?;
        let (mut items, mut rest) = (&self.modules[&module].items, &path[module.len()..]);
        while let [name, below @ ..] = rest
            && let Some(inline) = items.iter().find_map(|item| inline(item, name))
        {
            (items, rest) = (inline, below);
        }
        let Some(name) = rest.first() else { return Some(module) };
        for item in items {
            let Item::Use(reexport) = item else { continue };
            if matches!(reexport.vis, Visibility::Inherited) {
                continue;
            }
            for (target, known) in paths_of(&reexport.tree) {
                let target = self.absolute(&module, &target);
                if known == *name && target != path {
                    return self.origin(&target);
                }
            }
        }
        Some(module)
    }

    /// Returns the path from the root of the crate, or the module itself if the path leads out of the crate.
    fn absolute(&self, module: &Module, path: &[String]) -> Vec<String> {
        let mut path: Vec<String> = path.iter().filter(|name| *name != "self").cloned().collect();
        let supers = path.iter().take_while(|name| *name == "super").count();
        if path.first().is_some_and(|first| first == "crate") {
            return path.split_off(1);
        }
        let base = module.len().saturating_sub(supers);
        let absolute = [&module[..base], &path[supers..]].concat();
        let child = absolute.get(..=base).is_some_and(|child| self.modules.contains_key(child));
        // Without `crate` or `super`, a path leads to a module below this one or to another crate. A path to another
        // crate is not an arrow.
        if supers > 0 || child { absolute } else { module.clone() }
    }
}

/// The paths that a file names, relative to the file's module.
#[derive(Default)]
struct Uses {
    /// The paths that may lead to another module.
    paths: Vec<Vec<String>>,
    /// All paths, as they are written.
    all: Vec<Vec<String>>,
    /// All names.
    names: BTreeSet<String>,
    /// The number of inline modules around the current item.
    depth: usize,
}

impl Uses {
    /// Adds a path. Inside an inline module, each `super` first leads out of the inline modules.
    fn note(&mut self, mut path: Vec<String>) {
        self.all.push(path.clone());
        let supers = path.iter().take_while(|name| *name == "super").count();
        path.drain(..supers.min(self.depth));
        if self.depth == 0 || supers >= self.depth || path.first().is_some_and(|it| it == "crate") {
            self.paths.push(path);
        }
    }

    /// Adds the paths in the arguments of a macro or of an attribute, outside strings and comments.
    fn note_tokens(&mut self, tokens: &str) {
        let text = tokens.replace("\\\"", "").replace(" :: ", "::");
        let text = text.split('"').step_by(2).collect::<Vec<_>>().join(" ");
        let is_path = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
        for path in text.split(|letter| !is_path(letter)).filter(|path| path.contains("::")) {
            self.note(path.split("::").map(str::to_owned).collect());
        }
    }
}

impl<'ast> Visit<'ast> for Uses {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes = match item {
            Item::Mod(item) => &item.attrs[..],
            Item::Fn(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            _ => &[],
        };
        if is_for_tests(attributes) {
            return;
        }
        let within = usize::from(matches!(item, Item::Mod(_)));
        self.depth += within;
        visit::visit_item(self, item);
        self.depth -= within;
    }

    /// `pub(in crate::a)` uses nothing of `a`.
    fn visit_visibility(&mut self, _: &'ast Visibility) {}

    fn visit_ident(&mut self, name: &'ast syn::Ident) {
        self.names.insert(name.to_string());
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        // A re-export makes an item available, which is not a use of the item.
        if matches!(item.vis, Visibility::Inherited) {
            for (path, _) in paths_of(&item.tree) {
                self.note(path);
            }
        }
    }

    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        self.note_tokens(&called.tokens.to_string());
        visit::visit_macro(self, called);
    }

    fn visit_meta_list(&mut self, attribute: &'ast syn::MetaList) {
        self.note_tokens(&attribute.tokens.to_string());
        visit::visit_meta_list(self, attribute);
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

/// Returns the module that an item declares, if it is a file and not for tests.
fn declared(item: &Item) -> Option<&ItemMod> {
    match item {
        Item::Mod(declared) if declared.content.is_none() && !is_for_tests(&declared.attrs) => {
            Some(declared)
        }
        _ => None,
    }
}

/// Returns the items of an inline module with a name.
fn inline<'i>(item: &'i Item, name: &str) -> Option<&'i Vec<Item>> {
    match item {
        Item::Mod(module) if module.ident == name => Some(&module.content.as_ref()?.1),
        _ => None,
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|what| {
                what.is_ident("test") || what.is_ident("doctest") || what.is_ident("doc")
            })
    })
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

/// Returns the paths of a `use`, each with the name that it introduces.
fn paths_of(tree: &UseTree) -> Vec<(Vec<String>, String)> {
    let one =
        |path: &syn::Ident, known: &syn::Ident| vec![(vec![path.to_string()], known.to_string())];
    match tree {
        UseTree::Path(path) => paths_of(&path.tree)
            .into_iter()
            .map(|(rest, known)| ([&[path.ident.to_string()], &rest[..]].concat(), known))
            .collect(),
        UseTree::Name(name) => one(&name.ident, &name.ident),
        UseTree::Rename(rename) => one(&rename.ident, &rename.rename),
        UseTree::Glob(_) => vec![(Vec::new(), "*".to_owned())],
        UseTree::Group(group) => group.items.iter().flat_map(paths_of).collect(),
    }
}
