//! Where in a file something stands: YAML gives values without lines, so lines are found in the text.

use std::ops::Range;

use crate::problem::{Place, Problem};

/// The text of a file, and the lines at which the items of its lists begin.
pub(crate) struct Source<'a> {
    pub(crate) file: &'a str,
    lines: Vec<&'a str>,
}

impl<'a> Source<'a> {
    pub(crate) fn new(file: &'a str, text: &'a str) -> Self {
        Self { file, lines: text.lines().collect() }
    }

    /// Returns the place of a line, from 1.
    pub(crate) fn place(&self, line: usize) -> Place {
        Place { file: self.file.to_owned(), line }
    }

    /// Returns the place of a key at the top of the file, line 1 where there is none.
    pub(crate) fn top(&self, key: &str) -> Place {
        let all = 0..self.lines.len();
        self.place(self.find(&all, key).unwrap_or(1))
    }

    /// Returns the lines of each item of the block list below a key at the top of the file.
    pub(crate) fn items(&self, list: &str) -> Vec<Block> {
        let Some(head) = self.lines.iter().position(|line| names(line, list)) else {
            return Vec::new();
        };
        let mut starts: Vec<usize> = Vec::new();
        let mut indent = None;
        let mut end = self.lines.len();
        for (index, line) in self.lines.iter().enumerate().skip(head + 1) {
            let depth = line.len() - line.trim_start_matches(' ').len();
            let is_item = line[depth..].starts_with("- ") || &line[depth..] == "-";
            if is_item && depth == *indent.get_or_insert(depth) {
                starts.push(index);
            } else if depth == 0 && !is_item && !line.is_empty() && !line.starts_with('#') {
                end = index;
                break;
            }
        }
        let ends = starts.iter().skip(1).copied().chain([end]).collect::<Vec<_>>();
        starts.into_iter().zip(ends).map(|(start, end)| Block(start..end)).collect()
    }

    /// Returns the place of a key within a block, of the block's `id:` where the key is not found.
    pub(crate) fn key(&self, block: Option<&Block>, key: &str) -> Place {
        let Some(Block(range)) = block else { return self.place(1) };
        let found = self.find(range, key).or_else(|| self.find(range, "id"));
        self.place(found.unwrap_or(range.start + 1))
    }

    /// Returns the place of an edition within a block, of the map it stands in where that is one line.
    pub(crate) fn edition(&self, block: Option<&Block>, id: &str) -> Place {
        let Some(Block(range)) = block else { return self.place(1) };
        let keys = [id, "expect", "editions"];
        let found = keys.into_iter().find_map(|key| self.find(range, key));
        found.map_or_else(|| self.key(block, "id"), |line| self.place(line))
    }

    /// Returns the place of a text within a block.
    pub(crate) fn text(&self, block: Option<&Block>, text: &str) -> Place {
        let head: String = text.chars().take(40).collect();
        let Some(Block(range)) = block else { return self.place(1) };
        let found = range.clone().find(|index| self.lines[*index].contains(&head));
        self.place(found.unwrap_or(range.start) + 1)
    }

    /// Returns the places of the keys at the top of the file, in order.
    pub(crate) fn top_keys(&self) -> Vec<Place> {
        let is_key = |line: &str| {
            !line.is_empty() && !line.starts_with([' ', '#', '-', '\t']) && line != "..."
        };
        let keys = self.lines.iter().enumerate().filter(|(_, line)| is_key(line));
        keys.map(|(index, _)| self.place(index + 1)).collect()
    }

    /// Returns where a plain scalar of prose is cut short by ` #`, which begins a comment of YAML.
    pub(crate) fn cut_prose(&self) -> Vec<Problem> {
        const PROSE: [&str; 7] =
            ["about", "says", "why", "passage", "not-testable", "note", "because"];
        let is_cut = |line: &str| {
            let line = line.trim_start_matches([' ', '-']);
            let value = PROSE.iter().find_map(|key| line.strip_prefix(key)?.strip_prefix(": "));
            value.is_some_and(|value| {
                !value.trim_start().starts_with(['"', '\'', '>', '|']) && value.contains(" #")
            })
        };
        let cut = self.lines.iter().enumerate().filter(|(_, line)| is_cut(line));
        let problem = |(index, _)| Problem {
            place: self.place(index + 1),
            message: "` #` begins a comment here and cuts the text short; quote the text"
                .to_owned(),
        };
        cut.map(problem).collect()
    }

    fn find(&self, range: &Range<usize>, key: &str) -> Option<usize> {
        range.clone().find(|index| names(self.lines[*index], key)).map(|index| index + 1)
    }
}

/// The lines of one item of a list.
pub(crate) struct Block(Range<usize>);

/// Returns whether the line begins, maybe as the first of an item, with this key.
fn names(line: &str, key: &str) -> bool {
    let line = line.trim_start_matches([' ', '-']);
    let quoted = [format!("\"{key}\":"), format!("'{key}':")];
    quoted.iter().any(|quoted| line.starts_with(quoted))
        || line.strip_prefix(key).is_some_and(|rest| rest.starts_with(':'))
}

#[cfg(test)]
mod tests {
    use super::Source;

    #[test]
    fn prose_that_a_comment_cuts_short_is_found() {
        let text = "cases:
  - id: a # a comment of the file's own
    about: A # before the colon leaves a line without one.
    # about: a comment # of its own
  - id: b
    about: \"A `#` in quotes is text.\"
    why: Nothing is cut#here.
    - says: >-
      Folded # text has no comments.
";
        let cut = Source::new("x.yaml", text).cut_prose();
        let places: Vec<String> = cut.iter().map(|problem| problem.place.to_string()).collect();
        assert_eq!(places, ["x.yaml:3"]);
    }
}
