//! The version and the repository of the next release, from `[workspace.package]` of Cargo.toml.
//!
//! [`Release`] holds the values. [`Release::faults_of_a_tag`] decides whether the two values can be released under a
//! tag.

/// The last part of the repository's address. Every form of the address ends with this part, so a search can find it.
pub(super) const NAME: &str = "robots-conformance";

/// The values that all other files must repeat.
pub(super) struct Release {
    pub(super) version: String,
    pub(super) repository: String,
}

impl Release {
    /// Returns `OWNER/NAME`, which is the name of an action or an image. If the address has no owner, `OWNER` is
    /// `owner.invalid`.
    pub(super) fn slug(&self) -> String {
        let path = self.repository.split_once("://").map_or("", |(_, rest)| rest);
        match path.split('/').collect::<Vec<_>>()[..] {
            [_, owner, name] => format!("{owner}/{name}"),
            _ => format!("owner.invalid/{NAME}"),
        }
    }

    /// Returns the reasons why the version cannot be released under a tag: a tag of another version, a change log
    /// without a section for the version, or an address that belongs to nobody.
    pub(super) fn faults_of_a_tag(&self, tag: &str, changes: &str) -> Vec<String> {
        let version = &self.version;
        let mut wrong = Vec::new();
        if tag.strip_prefix('v') != Some(version) {
            wrong.push(format!(
                "the tag is {tag}, but the version is {version}; use the tag v{version}"
            ));
        }
        let part = format!("\n## [{version}] - ");
        if !changes.contains(&part) {
            wrong.push(format!("CHANGELOG.md has no part `{}YYYY-MM-DD`", part.trim_start()));
        }
        if self.is_unpublished() {
            wrong.push(format!(
                "Cargo.toml: nobody can reach `repository = \"{}\"`; write the project's address there, then run \
                 `cargo xtask version {version}` and `cargo xtask vectors`",
                self.repository
            ));
        }
        wrong
    }

    /// Returns an error message if the address does not have the required form.
    pub(super) fn fault_of_the_address(&self) -> Option<String> {
        let is_address = self.repository.starts_with("https://")
            && self.repository.ends_with(&format!("/{NAME}"));
        (!is_address).then(|| {
            format!(
                "Cargo.toml: `repository = \"{}\"` has to begin with https:// and end with /{NAME}",
                self.repository
            )
        })
    }

    /// Returns whether the address has a reserved name, which never belongs to anyone (RFC 6761).
    fn is_unpublished(&self) -> bool {
        let rest = self.repository.trim_start_matches("https://");
        rest.split('/').next().is_some_and(|host| host.ends_with(".invalid"))
    }
}

#[cfg(test)]
mod tests {
    use super::Release;

    fn release(repository: &str) -> Release {
        Release { version: "1.2.3".to_owned(), repository: repository.to_owned() }
    }

    const CHANGES: &str = "# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-01-31\n";

    #[test]
    fn a_tag_needs_its_version_its_changes_and_an_address() {
        let ready = release("https://example.com/us/robots-conformance");
        assert_eq!(ready.faults_of_a_tag("v1.2.3", CHANGES), Vec::<String>::new());
        let unpublished = release("https://repository.invalid/robots-conformance");
        insta::assert_snapshot!(unpublished.faults_of_a_tag("1.2.4", "").join("\n"), @r#"
        the tag is 1.2.4, but the version is 1.2.3; use the tag v1.2.3
        CHANGELOG.md has no part `## [1.2.3] - YYYY-MM-DD`
        Cargo.toml: nobody can reach `repository = "https://repository.invalid/robots-conformance"`; write the project's address there, then run `cargo xtask version 1.2.3` and `cargo xtask vectors`
        "#);
    }

    #[test]
    fn an_action_is_named_by_owner_and_name() {
        let hosted = release("https://example.com/us/robots-conformance");
        assert_eq!(hosted.slug(), "us/robots-conformance");
        let unpublished = release("https://repository.invalid/robots-conformance");
        assert_eq!(unpublished.slug(), "owner.invalid/robots-conformance");
    }

    #[test]
    fn an_address_is_secure_and_ends_with_the_name() {
        assert_eq!(release("https://a.example/robots-conformance").fault_of_the_address(), None);
        for wrong in ["http://a.example/robots-conformance", "https://a.example/robots"] {
            assert!(release(wrong).fault_of_the_address().is_some(), "{wrong}");
        }
    }
}
