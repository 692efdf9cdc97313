//! Fetches robots.txt for verdicts in bulk: [`Fetcher`].
//!
//! Lines with the same crawler and edition use the same client of `robots-fetch`. If there are too many clients, the
//! fetcher removes all of them, but the results of their fetches stay in the shared store.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use robots_core::Edition;
use robots_fetch::guard::PublicOnly;
use robots_fetch::store::Memory;

use super::{identification, named, number, of_the_library};
use crate::verdicts;
use robots_console::error::Error;

/// Fetches robots.txt for bulk verdicts. The fetcher has a client for each crawler and edition, and all clients share
/// one store in memory.
pub(crate) struct Fetcher {
    store: Memory,
    allows_private: bool,
    clients: Mutex<HashMap<(Vec<String>, Edition), robots_fetch::Client>>,
}

/// The maximum number of clients. `MEMORY` has two limits in octets: for the memory of each client, and for the shared
/// store.
const CLIENTS: usize = 64;
const MEMORY: (u64, u64) = (16 << 20, 256 << 20);

impl Fetcher {
    /// Makes a fetcher, which connects only to public addresses unless `allows_private` is true.
    #[must_use]
    pub(crate) fn new(allows_private: bool) -> Self {
        let clients = Mutex::default();
        Self { store: Memory::of_octets(MEMORY.1), allows_private, clients }
    }

    fn client(&self, agents: &[String], edition: Edition) -> Result<robots_fetch::Client, Error> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (agents.to_vec(), edition);
        if let Some(client) = clients.get(&key) {
            return Ok(client.clone());
        }
        let (first, more) = named(agents)?;
        let begun = robots_fetch::Client::builder(first)
            .edition(edition)
            .identification(identification(first));
        let builder = more.iter().fold(begun, robots_fetch::Builder::also_named);
        let mut builder = builder.store(self.store.clone()).memory(MEMORY.0);
        if !self.allows_private {
            builder = builder.guard(PublicOnly::default());
        }
        let client = builder.build().map_err(of_the_library)?;
        if clients.len() >= CLIENTS {
            clients.clear();
        }
        clients.insert(key, client.clone());
        Ok(client)
    }
}

impl verdicts::Fetch for Fetcher {
    fn verdict<'a>(
        &'a self,
        agents: &'a [String],
        edition: Edition,
        url: &'a str,
    ) -> verdicts::Fetching<'a> {
        Box::pin(async move {
            let client = self.client(agents, edition)?;
            let verdict = client.verdict(url).await.map_err(of_the_library)?;
            Ok(verdicts::Fetched {
                allowed: verdict.is_allowed(),
                line: number(&verdict),
                reason: verdict.to_string(),
            })
        })
    }
}
