//! Tests that both clients answer the timelines of the suite. Each timeline provides the script of the transport, and
//! the clock.
//!
//! The test uses the real client with its memory, its flights and a store. Only the clock and the transport
//! ([`Exchange`]) are replaced. The transport [`Scripted`] gives every request to the thread that runs the timeline,
//! and sets the clock to the time when the answer arrives. The flights of the blocking client run on the thread of that
//! client. Start at [`every_timeline_is_answered`].

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::UNIX_EPOCH;

use robots_conformance::engine::{Engine, Profile, Question};
use robots_conformance::kind::{
    Agents, Answer, Delivered, Retrieve, RetrievedVerdict, Role, SentRequest, TimelineStep,
};
use robots_conformance::report::failure;
use robots_conformance::run::outcome::OutcomeKind;
use robots_conformance::run::{Finished, Runner};
use robots_conformance::suite::{Suite, load};
use robots_core::fetch::Failure;
use robots_retriever::{Retriever, answer, since_epoch, usage};
use rstest::rstest;
use tokio::runtime::{self, Runtime};

use crate::client::builder::Builder;
use crate::machine::retrieval::{BodyError, Progress, Reading, Request, Response};
use crate::store::Memory;
use crate::transport::{Exchange, Exchanged, Failed};
use crate::verdict::Verdict;
use crate::{Client, Error, Settings, blocking};

/// The test asks both clients every timeline, and all answers conform. Each client acts exactly like [`Retriever`]: it
/// sends the same requests at the same times, and gives the same verdicts for the same reasons.
#[rstest]
#[case(Of::Tokio)]
#[case(Of::Blocking)]
#[trace]
fn every_timeline_is_answered(#[case] client: Of) {
    let suite = load::embedded().unwrap();
    let finished = run(ClientEngine { client, clock: Clock::Running }, &suite);
    let timelines: HashSet<&str> = finished.iter().map(|done| &*done.trial.case().id).collect();
    assert!(timelines.len() >= 250, "{} timelines are asked", timelines.len());
    for done in &finished {
        let name = done.trial.name();
        // The clients can answer every timeline. If a client cannot answer a timeline in future, name that timeline
        // here with the reason.
        let is_answered = !matches!(
            done.outcome.kind(),
            OutcomeKind::Unanswered | OutcomeKind::NotAsked | OutcomeKind::Errored
        );
        assert!(is_answered, "{name}: {:?}", done.outcome);
        assert!(!done.outcome.is_failure(), "{}", failure::of(done, "client", &suite, ""));
        let machine = Retriever.answer(&done.trial.question());
        assert_eq!(done.answer.as_ref(), Some(&machine), "{name}");
    }
}

/// A client with a stopped clock fails some timelines, which shows that the script and the clock reach the client.
#[rstest]
#[case(Of::Tokio)]
#[case(Of::Blocking)]
#[trace]
fn a_client_whose_clock_stands_still_is_noticed(#[case] client: Of) {
    let suite = load::embedded().unwrap();
    let finished = run(ClientEngine { client, clock: Clock::Stopped }, &suite);
    assert!(finished.iter().any(|done| done.outcome.is_failure()));
}

fn run(engine: ClientEngine, suite: &Suite) -> Vec<Finished> {
    let runner = Runner::new(Arc::new(engine)).jobs(2);
    let mut trials = runner.trials(suite);
    trials.retain(|trial| trial.role() == Role::Retriever);
    runner.run(&trials, |_| {})
}

/// The kind of client that is tested.
#[derive(Clone, Copy, Debug)]
enum Of {
    Tokio,
    Blocking,
}

/// Whether the clock of the client shows the times of the steps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Clock {
    Running,
    Stopped,
}

/// A client as an engine that answers timelines.
struct ClientEngine {
    client: Of,
    clock: Clock,
}

impl Engine for ClientEngine {
    fn name(&self) -> &str {
        match self.client {
            Of::Tokio => "client",
            Of::Blocking => "blocking-client",
        }
    }

    fn profiles(&self) -> &[Profile] {
        Retriever.profiles()
    }

    fn roles(&self) -> &[Role] {
        &[Role::Retriever]
    }

    fn answer(&self, question: &Question) -> Answer {
        answer(question, |agents, edition| {
            let settings = Settings::default().edition(edition);
            Run::new(self, agents, settings).map_err(|error| failed(&error))
        })
    }
}

/// A client that answers one timeline.
struct Run {
    asked: Asked,
    of: Of,
    agents: Agents,
    settings: Settings,
    store: Memory,
    shows: Clock,
    /// The time in seconds from the start of the timeline.
    clock: Arc<AtomicU64>,
    events: Receiver<Event>,
    sender: Sender<Event>,
}

enum Asked {
    Tokio(Client, Runtime),
    Blocking(blocking::Client),
}

/// The messages from the threads of a client to the thread that runs the timeline.
enum Event {
    /// A request, and the channel for its answer.
    Request(SentRequest, Sender<Delivered>),
    /// The client has answered the questions, or has panicked.
    Answered,
}

/// Reports the end of a thread when it is dropped, also after a panic.
struct Ending(Sender<Event>);

impl Drop for Ending {
    fn drop(&mut self) {
        let _ = self.0.send(Event::Answered);
    }
}

impl Run {
    fn new(engine: &ClientEngine, agents: &Agents, settings: Settings) -> Result<Self, Error> {
        let (sender, events) = mpsc::channel();
        let clock = Arc::new(AtomicU64::new(0));
        let store = Memory::of_octets(64 << 20);
        let scripted = Scripted { events: sender.clone(), clock: Arc::clone(&clock) };
        let asked = Asked::new(engine.client, agents, settings.clone(), store.clone(), scripted);
        Ok(Self {
            asked: asked?,
            of: engine.client,
            agents: agents.clone(),
            settings,
            store,
            shows: engine.clock,
            clock,
            events,
            sender,
        })
    }
}

impl Retrieve for Run {
    fn restart(&mut self) {
        let scripted = Scripted { events: self.sender.clone(), clock: Arc::clone(&self.clock) };
        let (settings, store) = (self.settings.clone(), self.store.clone());
        self.asked = Asked::new(self.of, &self.agents, settings, store, scripted).unwrap();
    }

    fn ask(
        &mut self,
        step: &TimelineStep,
        send: &mut dyn FnMut(SentRequest) -> Delivered,
    ) -> Result<Vec<RetrievedVerdict>, Answer> {
        if self.shows == Clock::Running {
            self.clock.store(step.at, Ordering::SeqCst);
        }
        let (asked, ending) = (&self.asked, Ending(self.sender.clone()));
        thread::scope(|scope| {
            let verdicts = scope.spawn(move || {
                let _ending = ending;
                asked.verdicts(step)
            });
            while let Ok(Event::Request(request, answer)) = self.events.recv() {
                // A client may stop waiting for the answer.
                let _ = answer.send(send(request));
            }
            verdicts.join().unwrap()
        })
    }
}

impl Asked {
    fn new(
        of: Of,
        agents: &Agents,
        settings: Settings,
        store: Memory,
        scripted: Scripted,
    ) -> Result<Self, Error> {
        let clock = Arc::clone(&scripted.clock);
        let (first, others) = agents.texts().split_first().unwrap();
        let builder = Builder::<Client>::new(first.clone())
            .identification(agents.identification().unwrap_or(first))
            .settings(settings)
            .store(store)
            .clock(move || UNIX_EPOCH + since_epoch(clock.load(Ordering::SeqCst)));
        let builder = others.iter().fold(builder, Builder::also_named);
        let client = Client::over(builder, Box::new(scripted))?;
        Ok(match of {
            Of::Tokio => Self::Tokio(
                client,
                runtime::Builder::new_current_thread().enable_all().build().unwrap(),
            ),
            Of::Blocking => Self::Blocking(blocking::Client::of(client)?),
        })
    }

    /// Asks about all URLs of a step. The client for tokio is asked about all URLs at once, and the blocking client
    /// about one URL after another.
    fn verdicts(&self, step: &TimelineStep) -> Result<Vec<RetrievedVerdict>, Answer> {
        let header = step.usage.as_deref();
        match self {
            Self::Tokio(client, runtime) => runtime.block_on(async {
                let tasks = step.urls.iter().map(|url| {
                    let (client, url, header) = (client.clone(), url.clone(), step.usage.clone());
                    tokio::spawn(async move {
                        match client.verdict(&url).await {
                            Ok(verdict) => Ok(retrieved(&verdict, header.as_deref())),
                            Err(error) => Err(failed(&error)),
                        }
                    })
                });
                let mut verdicts = Vec::new();
                for task in tasks.collect::<Vec<_>>() {
                    verdicts.push(task.await.unwrap()?);
                }
                Ok(verdicts)
            }),
            Self::Blocking(client) => {
                let verdict = |url| match client.verdict(url) {
                    Ok(verdict) => Ok(retrieved(&verdict, header)),
                    Err(error) => Err(failed(&error)),
                };
                step.urls.iter().map(verdict).collect()
            }
        }
    }
}

fn failed(error: &Error) -> Answer {
    Answer::Error(error.to_string())
}

/// Makes the answer for one URL of a step: the verdict and, if the step has a header, the usage.
fn retrieved(verdict: &Verdict<'_>, header: Option<&[Vec<u8>]>) -> RetrievedVerdict {
    let usage = header.map(|header| {
        let header: Vec<&[u8]> = header.iter().map(Vec::as_slice).collect();
        usage(verdict.usage(&header).as_ref(), verdict)
    });
    RetrievedVerdict { allowed: verdict.is_allowed(), basis: Some(verdict.basis()), usage }
}

/// Reads a reply of the script as the transport reads an answer from the network.
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

/// A transport that sends requests to the thread with the script of the timeline, not to a network.
struct Scripted {
    events: Sender<Event>,
    clock: Arc<AtomicU64>,
}

impl Exchange for Scripted {
    /// Blocks the thread until the answer arrives. So a client sends its requests one after another, as [`Retriever`]
    /// does, and all threads see the same time.
    fn send<'e>(&'e self, request: &'e Request, limit: usize) -> Exchanged<'e> {
        Box::pin(async move {
            let nobody = |()| Failed::of_client(Failure::Connection, "the timeline has ended");
            let (answer, delivered) = mpsc::channel();
            let fields = request.fields().map(|(name, value)| (name.to_owned(), value.to_owned()));
            let at = self.clock.load(Ordering::SeqCst);
            let url = request.url().to_string();
            let request = SentRequest { at, url, fields: fields.collect() };
            self.events.send(Event::Request(request, answer)).map_err(|_| nobody(()))?;
            let delivered = delivered.recv().map_err(|_| nobody(()))?;
            self.clock.fetch_add(delivered.delay, Ordering::SeqCst);
            read(&delivered, limit).map_err(|(failure, why)| Failed::new(failure, why))
        })
    }

    fn received(&self) -> u64 {
        0
    }
}
