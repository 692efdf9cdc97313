//! Asks the questions of a measurement. Several lanes, which are tasks, work at the same time, and each lane asks one
//! question after the other.

use std::sync::Arc;

use tokio::task::JoinSet;

pub(crate) async fn each<F, A>(
    urls: &Arc<Vec<String>>,
    at_once: usize,
    ask: F,
) -> Result<(), String>
where
    F: Fn(String) -> A + Clone + Send + 'static,
    A: Future<Output = bool> + Send + 'static,
{
    let mut tasks = JoinSet::new();
    for lane in 0..at_once {
        let (urls, ask) = (Arc::clone(urls), ask.clone());
        tasks.spawn(async move {
            for url in urls.iter().skip(lane).step_by(at_once) {
                if !ask(url.clone()).await {
                    return Err(format!("{url} was answered wrongly"));
                }
            }
            Ok(())
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.map_err(|error| error.to_string())??;
    }
    Ok(())
}
