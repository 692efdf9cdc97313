//! Measures the cost of an unavailable store.
//!
//! The measured number is the rate at which a client answers questions about new origins. Three clients take turns
//! within one run: one with a Redis server that hangs, one with a Redis server that refuses connections, and one
//! without a store. Start at [`measure()`].

use std::sync::Arc;
use std::time::{Duration, Instant};

use robots_fetch::Client;
use robots_fetch::store::Redis;

use crate::lanes::each;
use crate::server::Server;
use crate::stores::RedisServer;
use crate::table::{Row, median};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

const ROUNDS: u32 = 15;

/// A client, and the number of the next origin about which the client will be asked.
struct Lane {
    client: Client,
    next: u32,
}

impl Lane {
    fn new(store: Option<&RedisServer>) -> Outcome<Self> {
        let builder = Client::builder("examplebot").no_proxy();
        let client = match store {
            Some(store) => builder.store(Redis::open(&store.url())?).build()?,
            None => builder.build()?,
        };
        Ok(Self { client, next: 0 })
    }

    /// Asks about the next origins, which are new to the client, and returns the time that this took.
    async fn ask(&mut self, server: &Server, origins: u32, at_once: usize) -> Outcome<Duration> {
        let numbers = self.next..self.next + origins;
        self.next += origins;
        let urls: Vec<String> =
            numbers.map(|number| format!("{}/private/x", server.origin(number))).collect();
        let client = self.client.clone();
        let began = Instant::now();
        each(&Arc::new(urls), at_once, move |url| {
            let client = client.clone();
            async move { client.verdict(&url).await.is_ok_and(|verdict| !verdict.is_allowed()) }
        })
        .await?;
        Ok(began.elapsed())
    }
}

/// Measures a client whose Redis server hangs and a client whose Redis server refuses connections, or reports that no
/// server can be started.
pub(crate) async fn measure(server: &Server, quick: bool) -> Outcome<Vec<Row>> {
    let (mut hangs, mut refuses) = match (RedisServer::start().await, RedisServer::start().await) {
        (Ok(hangs), Ok(refuses)) => (hangs, refuses),
        (Err(error), _) | (_, Err(error)) => {
            return Ok(vec![Row::new("a Redis that is away", format!("not run: {error}"))]);
        }
    };
    let mut lanes = [Lane::new(None)?, Lane::new(Some(&hangs))?, Lane::new(Some(&refuses))?];
    for lane in &mut lanes {
        lane.ask(server, 100, 1).await?;
        if lane.client.counts().store_errors > 0 {
            return Err("a store failed before it was stopped".into());
        }
    }
    hangs.suspend()?;
    refuses.stop()?;
    let [_, to_hang, to_refuse] = &mut lanes;
    let noticed = [to_hang.ask(server, 10, 1).await?, to_refuse.ask(server, 10, 1).await?];
    let mut rows = vec![Row::new(
        "the first 10 questions, one after the other, after the server of a store hangs, and after it refuses",
        format!("{:.2} s and {:.3} s", noticed[0].as_secs_f64(), noticed[1].as_secs_f64()),
    )];
    for (at_once, origins) in [(1, 300), (64, 2_000)] {
        let origins = if quick { origins / 4 } else { origins };
        let mut rates = [const { Vec::new() }; 3];
        for round in 0..ROUNDS {
            // Each client begins a round equally often, because the client that begins a round finds other data in the
            // processor's caches.
            for place in 0..3 {
                let place = (place + round as usize) % 3;
                let took = lanes[place].ask(server, origins, at_once).await?;
                rates[place].push(f64::from(origins) / took.as_secs_f64());
            }
        }
        for (place, what) in [(1, "hangs"), (2, "refuses")] {
            let ratios = rates[0].iter().zip(&rates[place]).map(|(memory, away)| away / memory);
            let ratio = median(ratios.collect());
            let (away, memory) = (median(rates[place].clone()), median(rates[0].clone()));
            let what = format!(
                "{origins} new origins {ROUNDS} times, {at_once} at once, with a Redis that {what}, beside memory alone"
            );
            rows.push(
                Row::new(what, format!("{ratio:.2} × ({away:.0} and {memory:.0} origins/s)"))
                    .wanted("≥ 0.9 ×", ratio >= 0.9),
            );
        }
    }
    for lane in &lanes[1..] {
        if lane.client.counts().store_skips == 0 {
            return Err("a store that is away was never skipped".into());
        }
    }
    Ok(rows)
}
