//! Reads a line of the output of cargo mutants, `FILE:LINE:COLUMN: CHANGE`: the file, and a name without line and
//! column.

/// Returns the file of a mutant.
pub(super) fn file(mutant: &str) -> &str {
    mutant.split(':').next().unwrap_or_default()
}

/// Returns a mutant without its line and column, which change when lines above it are edited.
pub(super) fn name(mutant: &str) -> String {
    let mut parts = mutant.trim().splitn(4, ':');
    match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some(file), Some(line), Some(column), Some(what))
            if [line, column]
                .iter()
                .all(|part| part.bytes().all(|octet| octet.is_ascii_digit())) =>
        {
            format!("{file}:{what}")
        }
        _ => mutant.trim().to_owned(),
    }
}
