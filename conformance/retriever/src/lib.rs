//! [`Retriever`] is an engine of the conformance suite: it answers timelines with the state machine and the cache of
//! `robots-fetch`.
//!
//! A timeline is a question of the suite: a script of the network's answers, and steps, which ask about URLs at given
//! times. The engine executes the steps of a [`Flight`] for each origin, as the clients do, but takes answers and times
//! from the timeline. The store is a map. This crate does not know the cases of the suite. [`Retriever::begin`] returns
//! the retrieval itself, for code that drives it in another way.

use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

use robots_conformance::engine::{Engine, Profile, Question};
use robots_conformance::kind::{
    Agents, Answer, Ask, Delivered, Retrieve, RetrievedVerdict, Role, SentRequest,
    TimelineQuestion, TimelineStep, UsageAnswer,
};
use robots_core::fetch::Failure;
use robots_core::usage::Usage;
use robots_core::{Crawler, Edition};
use robots_fetch::flight::{Flight, Lease, Step};
use robots_fetch::retrieval::{BodyError, Progress, Reading, Request, Response};
use robots_fetch::{Cache, CacheKey, Lookup, Record, Settings};

/// An engine that answers timelines with the retrieval of `robots-fetch`. It does no I/O.
///
/// ```
/// use robots_conformance::engine::{Engine, Question};
/// use robots_conformance::kind::{
///     Agents, Answer, Delivered, Network, ScriptedReply, ScriptedResponse, TimelineQuestion, TimelineStep,
/// };
/// use robots_core::Edition;
/// use robots_retriever::Retriever;
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
/// let question = Question { profile: Edition::Rfc9309.into(), ask: ask.into() };
/// let Answer::Timeline(answer) = Retriever.answer(&question) else { unreachable!() };
/// assert_eq!(answer[0].requests.len(), 1);
/// assert!(answer[0].verdicts.iter().all(|verdict| verdict.allowed));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Retriever;

impl Retriever {
    /// Begins the retrieval for a crawler, with empty memory and an empty store. [`TimelineQuestion::run`] drives it.
    ///
    /// ```
    /// use robots_conformance::kind::{Agents, Delivered, NetworkFailure, Retrieve, TimelineStep};
    /// use robots_fetch::Settings;
    /// use robots_retriever::Retriever;
    /// let agents = Agents::new(["examplebot"]).unwrap();
    /// let mut retrieval = Retriever::begin(&agents, Settings::default()).unwrap();
    /// let mut send = |_| Delivered::failed(NetworkFailure::Dns);
    /// let urls = vec!["http://example.com/x".to_owned()];
    /// let step = TimelineStep { urls, ..TimelineStep::default() };
    /// let verdicts = retrieval.ask(&step, &mut send)?;
    /// assert!(!verdicts[0].allowed);
    /// # Ok::<(), robots_conformance::kind::Answer>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if a name of the crawler is not a product token, or if its identification cannot be sent.
    pub fn begin(agents: &Agents, settings: Settings) -> Result<impl Retrieve + use<>, Answer> {
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
        answer(question, |agents, edition| Run::new(agents, Settings::default().edition(edition)))
    }
}

/// Answers a timeline. `begin` makes the retrieval for the crawler of the timeline.
pub fn answer<R: Retrieve>(
    question: &Question,
    begin: impl FnOnce(&Agents, Edition) -> Result<R, Answer>,
) -> Answer {
    let (Ask::Timeline(timeline), Some(edition)) = (&question.ask, question.profile.edition())
    else {
        return Answer::unsupported("it answers timelines by editions only");
    };
    let answer =
        begin(&timeline.agents, edition).and_then(|mut retrieval| timeline.run(&mut retrieval));
    answer.map_or_else(Answer::from, Answer::Timeline)
}

/// A crawler during one timeline: its memory and its store.
struct Run {
    crawler: Crawler,
    identification: String,
    memory: Cache,
    store: HashMap<String, Vec<u8>>,
}

impl Run {
    fn new(agents: &Agents, settings: Settings) -> Result<Self, Answer> {
        let crawler = agents.crawler().map_err(failed)?.clone();
        let identification = agents.identification().unwrap_or(&agents.texts()[0]).to_owned();
        let memory = memory(&crawler, &identification, settings)?;
        Ok(Self { crawler, identification, memory, store: HashMap::new() })
    }

    fn verdict(
        &mut self,
        url: &str,
        header: Option<&[Vec<u8>]>,
        at: &mut u64,
        send: &mut dyn FnMut(SentRequest) -> Delivered,
    ) -> Result<RetrievedVerdict, Answer> {
        let found = self.memory.look_up(url, since_epoch(*at)).map_err(failed)?;
        let origin = if let Lookup::Fresh(origin) = found {
            origin
        } else {
            let key = CacheKey::of(url).map_err(failed)?;
            let record = self.fly(self.memory.flight(&key).with_store(), at, send);
            self.memory.keep(record, since_epoch(*at)).map_err(failed)?
        };
        let verdict = origin.verdict(url).map_err(failed)?;
        let usage = header.map(|header| {
            let header: Vec<&[u8]> = header.iter().map(Vec::as_slice).collect();
            usage(verdict.usage(&header).as_ref(), &verdict)
        });
        Ok(RetrievedVerdict { allowed: verdict.is_allowed(), basis: Some(verdict.basis()), usage })
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
                Step::Done => return flight.into_record(),
                // The store grants every lease, so nothing is waited for or released.
                _ => flight.done(),
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
        let url = request.url().as_str();
        if flight.follows_redirect() && self.memory.forbids(url, since_epoch(*at)) {
            return flight.disallowed(since_epoch(*at));
        }
        let fields = request.fields().map(|(name, value)| (name.to_owned(), value.to_owned()));
        let delivered =
            send(SentRequest { at: *at, url: url.to_owned(), fields: fields.collect() });
        *at = at.saturating_add(delivered.delay);
        let now = since_epoch(*at);
        match read(&delivered, self.memory.settings().limit()) {
            Ok(response) => flight.answered(response, now),
            Err((failure, why)) => flight.failed(failure, why, now),
        }
    }
}

impl Retrieve for Run {
    fn restart(&mut self) {
        let settings = self.memory.settings().clone();
        self.memory = memory(&self.crawler, &self.identification, settings)
            .expect("the same memory was made before");
    }

    fn ask(
        &mut self,
        step: &TimelineStep,
        send: &mut dyn FnMut(SentRequest) -> Delivered,
    ) -> Result<Vec<RetrievedVerdict>, Answer> {
        let mut at = step.at;
        let header = step.usage.as_deref();
        step.urls.iter().map(|url| self.verdict(url, header, &mut at, send)).collect()
    }
}

/// Makes an empty memory. No timeline has more octets than fit in it.
fn memory(crawler: &Crawler, identification: &str, settings: Settings) -> Result<Cache, Answer> {
    Cache::new(crawler.clone(), identification, settings, 64 << 20).map_err(failed)
}

fn failed(error: impl fmt::Display) -> Answer {
    Answer::Error(error.to_string())
}

/// Makes the answer about the use of a URL's content. If the site forbids the URL because it fails, there is no usage;
/// then the verdict is the reason.
pub fn usage(usage: Option<&Usage<'_>>, verdict: &impl fmt::Display) -> UsageAnswer {
    usage.map_or_else(
        || UsageAnswer {
            preferences: None,
            lines: Some(Vec::new()),
            evidence: Some(format!("not applicable: {verdict}")),
        },
        UsageAnswer::from,
    )
}

/// Reads a reply of the script as a transport reads an answer from the network.
fn read(delivered: &Delivered, limit: usize) -> Result<Response, (Failure, String)> {
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
pub fn since_epoch(at: u64) -> Duration {
    Duration::from_secs(TimelineQuestion::START.saturating_add(at))
}
