//! [`Retriever`] is an engine of the conformance suite: it answers timelines with the state machine of this crate.
//!
//! A timeline is a question of the suite: a script of the network's answers, and steps, which ask about URLs at given
//! times. The engine executes the steps of a [`Flight`] for each origin, as the clients do, but takes answers and times
//! from the timeline. Memory and store are maps. This module does not know the cases of the suite. [`Retriever::begin`]
//! returns the retrieval itself, for code that drives it in another way.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use robots_core::engine::{
    Agents, Answer, Ask, Delivered, Engine, Profile, Question, Retrieve, RetrievedVerdict, Role,
    SentRequest, TimelineQuestion, TimelineStep, UsageAnswer,
};
use robots_core::error::NoVerdicts;
use robots_core::fetch::Failure;

use crate::entry::{Entry, Reader};
use crate::error::{Error, ErrorKind};
use crate::key::CacheKey;
use crate::lifetime;
use crate::machine::flight::{Flight, Lease, Step};
use crate::machine::retrieval::{BodyError, Progress, Reading, Request, Response};
use crate::record::Record;
use crate::settings::Settings;
use crate::verdict::{Held, Verdict};

/// An engine that answers timelines with the retrieval of this crate. It does no I/O.
///
/// ```
/// use robots_core::engine::{
///     Agents, Answer, Delivered, Engine, Network, Profile, Question, ScriptedReply,
///     ScriptedResponse, TimelineQuestion, TimelineStep,
/// };
/// use robots_core::Edition;
/// use robots_fetch::{robots_core, Retriever};
///
/// let missing = ScriptedResponse { status: 404, ..ScriptedResponse::default() };
/// let line = ScriptedReply {
///     url: "http://example.com/robots.txt".to_owned(),
///     from: 0,
///     when: None,
///     reply: Delivered { delay: 0, end: Ok(missing) },
/// };
/// let urls = vec!["http://example.com/a".to_owned(), "http://example.com/b".to_owned()];
/// let ask = TimelineQuestion {
///     agents: Agents::new(["examplebot"]).unwrap(),
///     steps: vec![TimelineStep { urls, ..TimelineStep::default() }],
///     network: Network::Script(vec![line]),
/// };
/// let question = Question { profile: Profile::Edition(Edition::Rfc9309), ask: ask.into() };
/// let Answer::Timeline(answer) = Retriever.answer(&question) else { unreachable!() };
/// assert_eq!(answer.steps[0].requests.len(), 1);
/// assert!(answer.steps[0].verdicts.iter().all(|verdict| verdict.allowed));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Retriever;

impl Retriever {
    /// Begins the retrieval for a crawler, with empty memory and an empty store. [`TimelineQuestion::run`] drives it.
    ///
    /// ```
    /// use robots_core::engine::{Agents, Delivered, NetworkFailure, Retrieve, TimelineStep};
    /// use robots_fetch::{robots_core, Retriever, Settings};
    /// let agents = Agents::new(["examplebot"]).unwrap();
    /// let mut retrieval = Retriever::begin(&agents, Settings::default()).unwrap();
    /// let mut send = |_| Delivered::failed(NetworkFailure::Dns);
    /// let urls = vec!["http://example.com/x".to_owned()];
    /// let step = TimelineStep { urls, ..TimelineStep::default() };
    /// let verdicts = retrieval.ask(&step, &mut send)?;
    /// assert!(!verdicts[0].allowed);
    /// # Ok::<(), robots_core::error::NoVerdicts>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if a name of the crawler is not a product token.
    pub fn begin(agents: &Agents, settings: Settings) -> Result<impl Retrieve + use<>, Error> {
        Run::new(agents, settings)
    }
}

impl Engine for Retriever {
    fn name(&self) -> &str {
        "retriever"
    }

    fn profiles(&self) -> &[Profile] {
        Profile::WITH_DRAFTS
    }

    fn roles(&self) -> &[Role] {
        &[Role::Retriever]
    }

    fn answer(&self, question: &Question) -> Answer {
        answer(question, Run::new)
    }
}

/// Answers a timeline. `begin` makes the retrieval for the crawler of the timeline.
pub(crate) fn answer<R: Retrieve>(
    question: &Question,
    begin: impl FnOnce(&Agents, Settings) -> Result<R, Error>,
) -> Answer {
    let (Ask::Timeline(timeline), Some(edition)) = (&question.ask, question.profile.edition())
    else {
        return Answer::unsupported("it answers timelines by editions only");
    };
    let settings = Settings::default().edition(edition);
    let retrieval = begin(&timeline.agents, settings).map_err(|error| failed(&error));
    let answer = retrieval.and_then(|mut retrieval| timeline.run(&mut retrieval));
    answer.map_or_else(Answer::from, Answer::Timeline)
}

/// A crawler during one timeline: its memory and its store.
struct Run {
    reader: Arc<Reader>,
    identification: String,
    memory: HashMap<CacheKey, Record>,
    store: HashMap<String, Vec<u8>>,
}

impl Run {
    fn new(agents: &Agents, settings: Settings) -> Result<Self, Error> {
        let crawler =
            agents.crawler().map_err(|error| Error::new(ErrorKind::Agent, error))?.clone();
        let identification = agents.identification().unwrap_or(&agents.texts()[0]).to_owned();
        Ok(Self {
            reader: Arc::new(Reader { crawler, settings }),
            identification,
            memory: HashMap::new(),
            store: HashMap::new(),
        })
    }

    fn verdict(
        &mut self,
        url: &str,
        header: Option<&[Vec<u8>]>,
        at: &mut u64,
        send: &mut dyn FnMut(SentRequest) -> Delivered,
    ) -> Result<RetrievedVerdict, NoVerdicts> {
        let key = CacheKey::of(url).map_err(|error| failed(&error))?;
        let settings = &self.reader.settings;
        let known = self.memory.get(&key);
        let is_known =
            known.is_some_and(|record| !lifetime::is_due(record, settings, since_epoch(*at)));
        if !is_known {
            let known = known.cloned();
            let flight = Flight::new(&key, settings, &self.identification, known).with_store();
            let record = self.fly(flight, at, send);
            self.memory.insert(key.clone(), record);
        }
        let entry = Arc::new(Entry::new(self.memory[&key].clone(), &self.reader));
        let verdict = Verdict::new(Held::Borrowed(&entry), url, since_epoch(*at));
        retrieved(&verdict, header)
    }

    /// Drives a flight to its end. `at` is set to the time of the last answer.
    fn fly(
        &mut self,
        mut flight: Flight,
        at: &mut u64,
        send: &mut dyn FnMut(SentRequest) -> Delivered,
    ) -> Record {
        loop {
            match flight.step(since_epoch(*at)) {
                Step::Get { key } => {
                    flight.found(self.store.get(&key).cloned(), since_epoch(*at));
                }
                // No other process uses the store.
                Step::Lease { .. } => flight.leased(Lease(1)),
                Step::Request(request) => self.request(&mut flight, &request, at, send),
                Step::Put { key, record, .. } => {
                    self.store.insert(key, record);
                    flight.done();
                }
                Step::Wait { .. } | Step::Release { .. } => flight.done(),
                Step::Done => return flight.into_record(),
            }
        }
    }

    fn request(
        &self,
        flight: &mut Flight,
        request: &Request,
        at: &mut u64,
        send: &mut dyn FnMut(SentRequest) -> Delivered,
    ) {
        if flight.follows_redirect() && self.forbids(request.url().as_str(), *at) {
            return flight.disallowed(since_epoch(*at));
        }
        let delivered = send(sent(request, *at));
        *at = at.saturating_add(delivered.delay);
        let now = since_epoch(*at);
        match read(&delivered, self.reader.settings.limit()) {
            Ok(response) => flight.answered(response, now),
            Err((failure, why)) => flight.failed(failure, why, now),
        }
    }

    /// Returns whether a robots.txt in memory forbids the target of a redirect, by a rule or because its site fails.
    fn forbids(&self, url: &str, at: u64) -> bool {
        let record = CacheKey::of(url).ok().and_then(|key| self.memory.get(&key).cloned());
        let entry = record.map(|record| Entry::new(record, &self.reader));
        entry.is_some_and(|entry| !entry.decide(url, since_epoch(at)).allowed)
    }
}

impl Retrieve for Run {
    fn restart(&mut self) {
        self.memory.clear();
    }

    fn ask(
        &mut self,
        step: &TimelineStep,
        send: &mut dyn FnMut(SentRequest) -> Delivered,
    ) -> Result<Vec<RetrievedVerdict>, NoVerdicts> {
        let mut at = step.at;
        let header = step.usage.as_deref();
        step.urls.iter().map(|url| self.verdict(url, header, &mut at, send)).collect()
    }
}

pub(crate) fn failed(error: &Error) -> NoVerdicts {
    NoVerdicts::Failed(error.to_string())
}

/// Makes the answer for one URL of a step: the verdict and, if the step has a header, the usage.
pub(crate) fn retrieved(
    verdict: &Verdict<'_>,
    header: Option<&[Vec<u8>]>,
) -> Result<RetrievedVerdict, NoVerdicts> {
    let usage = header.map(|header| usage(verdict, header)).transpose()?;
    Ok(RetrievedVerdict { allowed: verdict.is_allowed(), basis: Some(verdict.basis()), usage })
}

/// Returns the preferences about the use of a URL's content, given the `Content-Usage` lines of its response.
#[cfg(feature = "usage")]
#[expect(clippy::unnecessary_wraps, reason = "without the feature there is only the error")]
fn usage(verdict: &Verdict<'_>, header: &[Vec<u8>]) -> Result<UsageAnswer, NoVerdicts> {
    let header: Vec<&[u8]> = header.iter().map(Vec::as_slice).collect();
    Ok(verdict.usage(&header).map_or_else(
        || UsageAnswer {
            preferences: None,
            lines: Some(Vec::new()),
            evidence: Some(format!("not applicable: {verdict}")),
        },
        |usage| UsageAnswer::from(&usage),
    ))
}

#[cfg(not(feature = "usage"))]
fn usage(_verdict: &Verdict<'_>, _header: &[Vec<u8>]) -> Result<UsageAnswer, NoVerdicts> {
    Err(NoVerdicts::Unsupported("robots-fetch was built without the feature `usage`".to_owned()))
}

/// Converts a request to the form that the script reads; `at` is the time at which it is sent.
pub(crate) fn sent(request: &Request, at: u64) -> SentRequest {
    let fields = request.fields().map(|(name, value)| (name.to_owned(), value.to_owned()));
    SentRequest { at, url: request.url().to_string(), fields: fields.collect() }
}

/// Reads a reply of the script as a transport reads an answer from the network.
pub(crate) fn read(delivered: &Delivered, limit: usize) -> Result<Response, (Failure, String)> {
    let scripted = match &delivered.end {
        Ok(response) => response,
        Err(failure) => return Err((failure.failure(), failure.id().to_owned())),
    };
    let fields = scripted.fields.iter();
    let fields = fields.map(|(name, value)| (name.as_str(), value.as_bytes()));
    let invalid = |why: BodyError| (Failure::InvalidResponse, why.to_string());
    let mut reading = Reading::new(scripted.status, fields, limit).map_err(invalid)?;
    let progress = reading.push(&scripted.body).map_err(invalid)?;
    if scripted.is_cut && progress == Progress::More {
        return Err((Failure::Incomplete, "the body was cut".to_owned()));
    }
    reading.finish().map_err(invalid)
}

/// Converts a time of a timeline to the time since the Unix epoch.
pub(crate) fn since_epoch(at: u64) -> Duration {
    Duration::from_secs(TimelineQuestion::START.saturating_add(at))
}
