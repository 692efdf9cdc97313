//! Checks that findings name the same sections as the suite's catalogue of requirements.

use robots_conformance::suite::load;
use robots_core::Edition;
use robots_lint::FindingKind;

#[test]
fn findings_name_the_sections_of_the_catalogue() {
    let suite = load::embedded().unwrap_or_else(|problems| panic!("{problems}"));
    for kind in FindingKind::ALL {
        for edition in Edition::ALL {
            let source = kind.source(*edition).expect("every kind rests on a section");
            let requirement = suite.requirement(source.requirement());
            let requirement = requirement.unwrap_or_else(|| panic!("{}", source.requirement()));
            let editions = || requirement.editions.keys();
            let newest = editions().rfind(|edition| !edition.is_draft()).or(editions().next());
            let speaks = requirement.editions.get_key_value(edition).map(|(edition, _)| edition);
            assert_eq!(Some(&source.edition()), speaks.or(newest), "{kind} under {edition}");
            let stated = &requirement.editions[&source.edition()];
            assert_eq!(source.section(), stated.source, "{kind} under {edition}");
        }
    }
}
