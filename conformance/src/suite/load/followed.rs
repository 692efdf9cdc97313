//! Defines [`Followed`], the editions that follow another edition (`same-as`). Start at [`Followed::inherit`], which
//! copies the expectations of a case.

use std::collections::BTreeMap;

use robots_core::Edition;

use crate::suite::requirement::Requirement;

/// The editions that follow another edition. Such an edition has the expectations of the followed edition, unless a
/// case states a different expectation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Followed(BTreeMap<Edition, Edition>);

impl Followed {
    /// Returns whether an edition follows another edition.
    pub(crate) fn has(&self, edition: Edition) -> bool {
        self.0.contains_key(&edition)
    }

    /// Copies the expectations of a case to the editions that follow another edition. An edition is left out if the
    /// case states an expectation for it, or if the requirement names the followed edition but not this edition.
    pub(crate) fn inherit<T: Clone>(
        &self,
        requirement: Option<&Requirement>,
        is_stated: impl Fn(Edition) -> bool,
        expect: &mut BTreeMap<Edition, T>,
    ) {
        let asks = |edition| requirement.is_some_and(|it| it.editions.contains_key(&edition));
        self.complete(|edition, base| is_stated(edition) || asks(base) && !asks(edition), expect);
    }

    /// Copies the entry of each followed edition to the edition that follows it, unless `is_left_out` returns true.
    pub(super) fn complete<T: Clone>(
        &self,
        is_left_out: impl Fn(Edition, Edition) -> bool,
        stated: &mut BTreeMap<Edition, T>,
    ) {
        for (edition, base) in self.iter() {
            if let (false, Some(of_base)) = (is_left_out(edition, base), stated.get(&base)) {
                stated.insert(edition, of_base.clone());
            }
        }
    }

    /// Returns each edition that follows another edition, with the followed edition.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Edition, Edition)> + '_ {
        self.0.iter().map(|(edition, base)| (*edition, *base))
    }

    pub(super) fn insert(&mut self, edition: Edition, base: Edition) {
        self.0.insert(edition, base);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use robots_core::Edition;
    use rstest::rstest;

    use crate::suite::load;

    const TEXT: &str = "same-as: { google-2022: rfc9309 }
requirements:
  - { id: BOTH, area: a, says: x, editions: { rfc9309: { level: must, source: '1' } } }
  - { id: ONE, area: a, says: x, editions: { rfc9309: { level: must, source: '1' }, google-2022: not-asked } }
  - { id: NONE, area: a, says: x, editions: { google-2018: { level: must, source: '1' } } }
";

    /// A case may ask about an edition that the requirement does not name, with its own level and source.
    #[rstest]
    #[trace]
    #[case::the_requirement_is_asked("BOTH", false, true)]
    #[case::the_edition_states_its_own("BOTH", true, false)]
    #[case::the_requirement_is_not_asked("ONE", false, false)]
    #[case::the_requirement_names_neither("NONE", false, true)]
    #[case::there_is_no_such_requirement("UNKNOWN", false, true)]
    fn expectations_are_inherited(
        #[case] id: &str,
        #[case] is_stated: bool,
        #[case] inherits: bool,
    ) {
        let suite = load::suite([("requirements.yaml", TEXT)]).unwrap();
        let mut expect = BTreeMap::from([(Edition::Rfc9309, "allow")]);
        suite.followed.inherit(suite.requirement(id), |_| is_stated, &mut expect);
        assert_eq!(expect.contains_key(&Edition::Google2022), inherits);
    }
}
