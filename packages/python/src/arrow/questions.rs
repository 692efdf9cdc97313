//! Answers a column of questions: [`Questions`].
//!
//! Questions about equal files are answered together, so each distinct file is parsed once, and the questions of one
//! crawler about it share the compiled rules.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use pyo3::PyResult;
use pyo3::exceptions::PyValueError;
use robots_core::{Crawler, Options, RobotsTxt};

use super::column::Column;
use super::distinct::NULL;
use super::threads::{in_order, in_parts};
use crate::arguments::quoted;

/// The maximum number of questions of a task. A file with more questions is shared by several threads.
const TASK: usize = 4096;

/// The reason why a question has no answer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unanswered {
    NoFile,
    NoAgent,
    NoUrl,
    NotAnAgent,
    NotAUrl,
}

impl Unanswered {
    /// Returns the reason as one word.
    pub(super) fn id(self) -> &'static str {
        match self {
            Self::NoFile => "no-robots-txt",
            Self::NoAgent => "no-agent",
            Self::NoUrl => "no-url",
            Self::NotAnAgent => "not-a-product-token",
            Self::NotAUrl => "not-a-url",
        }
    }
}

/// An argument that is one value for all questions, or a column of values.
pub(super) enum Argument<T> {
    One(T),
    Column(Column),
}

/// The questions of a batch. If URLs are in lists, there is a question for each URL, and `rows` has the row of each.
pub(super) struct Questions<'a> {
    files: Vec<&'a [u8]>,
    /// The number of each row's file.
    file_of: Vec<u32>,
    agents: Vec<Option<Crawler>>,
    /// The number of each row's agent. It is empty if there is only one agent.
    agent_of: Vec<u32>,
    urls: Urls<'a>,
    rows: Option<Vec<u32>>,
}

enum Urls<'a> {
    One(&'a str),
    Each(Vec<Option<&'a [u8]>>),
}

impl<'a> Questions<'a> {
    /// Makes the questions from the columns. Their lengths must be equal, as the caller has checked.
    pub(super) fn new(
        files: &'a Column,
        agent: &'a Argument<Crawler>,
        url: &'a Argument<String>,
        rows: Option<Vec<u32>>,
        threads: usize,
    ) -> Self {
        let (files, file_of) = files.distinct(threads);
        let (agents, agent_of) = match agent {
            Argument::One(crawler) => (vec![Some(crawler.clone())], Vec::new()),
            Argument::Column(column) => {
                let (tokens, numbers) = column.distinct(threads);
                (tokens.into_iter().map(crawler).collect(), numbers)
            }
        };
        let urls = match url {
            Argument::One(url) => Urls::One(url),
            Argument::Column(column) => Urls::Each(column.rows().collect()),
        };
        Self { files, file_of, agents, agent_of, urls, rows }
    }

    fn len(&self) -> usize {
        match &self.urls {
            Urls::One(_) => self.file_of.len(),
            Urls::Each(urls) => urls.len(),
        }
    }

    /// Returns the answer to each question. `answer` is called with a file, a crawler and several URLs, and adds one
    /// answer for each URL to the list.
    pub(super) fn answers<T: Clone + Send>(
        &self,
        options: Options,
        threads: usize,
        answer: impl Fn(&RobotsTxt<&[u8]>, &Crawler, UrlsOf<'_>, &mut Vec<Result<T, Unanswered>>) + Sync,
    ) -> Vec<Result<T, Unanswered>> {
        let mut answers = vec![Err(Unanswered::NoFile); self.len()];
        let (order, of_file) = self.by_file_and_agent(&mut answers);
        let tasks: Vec<Range<usize>> =
            of_file.iter().flat_map(|range| in_parts(range.clone(), TASK)).collect();
        let shared: HashMap<u32, OnceLock<RobotsTxt<&[u8]>>> = of_file
            .iter()
            .filter(|range| range.len() > TASK)
            .map(|range| (self.file(order[range.start]), OnceLock::new()))
            .collect();
        let results = in_order(threads, tasks.len(), |task| {
            let questions = &order[tasks[task].clone()];
            let file = self.file(questions[0]);
            let parse = || robots_nom_parser::parse_with(self.files[file as usize], options);
            let mut own = None;
            let robots = match shared.get(&file) {
                Some(shared) => shared.get_or_init(parse),
                None => own.insert(parse()),
            };
            let mut results = Vec::with_capacity(questions.len());
            for same in questions.chunk_by(|a, b| self.agent(*a) == self.agent(*b)) {
                if let Some(crawler) = &self.agents[self.agent(same[0]) as usize] {
                    answer(robots, crawler, UrlsOf { questions: self, same }, &mut results);
                }
            }
            results
        });
        for (question, result) in order.into_iter().zip(results.into_iter().flatten()) {
            answers[question as usize] = result;
        }
        answers
    }

    /// Returns the questions in the order of their files and agents, with the range of each file. Questions that cannot
    /// be answered are left out, with their reason in `answers`.
    fn by_file_and_agent<T>(
        &self,
        answers: &mut [Result<T, Unanswered>],
    ) -> (Vec<u32>, Vec<Range<usize>>) {
        let (mut asked, mut starts) = (Vec::new(), vec![0; self.files.len() + 1]);
        for (question, answer) in (0..).zip(answers) {
            if let Some(reason) = self.unanswered(question) {
                *answer = Err(reason);
            } else {
                asked.push(question);
                starts[self.file(question) as usize + 1] += 1;
            }
        }
        for file in 1..starts.len() {
            starts[file] += starts[file - 1];
        }
        let (mut next, mut order) = (starts.clone(), vec![0; asked.len()]);
        for question in asked {
            let next = &mut next[self.file(question) as usize];
            order[*next] = question;
            *next += 1;
        }
        let ranges = starts.windows(2).map(|ends| ends[0]..ends[1]);
        let ranges: Vec<_> = ranges.filter(|range| !range.is_empty()).collect();
        if !self.agent_of.is_empty() {
            for range in &ranges {
                order[range.clone()].sort_by_key(|question| self.agent(*question));
            }
        }
        (order, ranges)
    }

    fn unanswered(&self, question: u32) -> Option<Unanswered> {
        if self.file(question) == NULL {
            return Some(Unanswered::NoFile);
        }
        match self.agent(question) {
            NULL => return Some(Unanswered::NoAgent),
            agent if self.agents[agent as usize].is_none() => return Some(Unanswered::NotAnAgent),
            _ => {}
        }
        match &self.urls {
            Urls::One(_) => None,
            Urls::Each(urls) => urls[question as usize].is_none().then_some(Unanswered::NoUrl),
        }
    }

    fn row(&self, question: usize) -> usize {
        self.rows.as_ref().map_or(question, |rows| rows[question] as usize)
    }

    fn file(&self, question: u32) -> u32 {
        self.file_of[self.row(question as usize)]
    }

    fn agent(&self, question: u32) -> u32 {
        if self.agent_of.is_empty() { 0 } else { self.agent_of[self.row(question as usize)] }
    }

    /// Returns the octets of a question's file.
    pub(super) fn body(&self, question: usize) -> &'a [u8] {
        self.files[self.file_of[self.row(question)] as usize]
    }

    /// Makes the error for a question that is not valid, with its row and its value.
    pub(super) fn error(&self, question: usize, reason: Unanswered) -> PyResult<()> {
        let row = self.row(question);
        let error = match (reason, &self.urls) {
            (Unanswered::NotAUrl, Urls::One(url)) => format!("url: {} is not a URL", quoted(url)),
            (Unanswered::NotAUrl, Urls::Each(urls)) => {
                let url = String::from_utf8_lossy(urls[question].unwrap_or_default());
                format!("url, row {row}: {} is not a URL", quoted(&url))
            }
            (Unanswered::NotAnAgent, _) => format!("agent, row {row}: not a product token"),
            _ => return Ok(()),
        };
        Err(PyValueError::new_err(error))
    }
}

/// The URLs of questions about one file for one crawler. An octet sequence that is not UTF-8 is an empty text here, which
/// is not a URL.
#[derive(Clone, Copy)]
pub(super) struct UrlsOf<'q> {
    questions: &'q Questions<'q>,
    same: &'q [u32],
}

impl<'q> UrlsOf<'q> {
    pub(super) fn iter(self) -> impl Iterator<Item = &'q str> + Clone {
        self.same.iter().map(move |question| match &self.questions.urls {
            Urls::One(url) => *url,
            Urls::Each(urls) => {
                let octets = urls[*question as usize].unwrap_or_default();
                std::str::from_utf8(octets).unwrap_or_default()
            }
        })
    }
}

fn crawler(token: &[u8]) -> Option<Crawler> {
    match token {
        b"*" => Some(Crawler::unnamed()),
        token => Crawler::new([std::str::from_utf8(token).ok()?]).ok(),
    }
}
