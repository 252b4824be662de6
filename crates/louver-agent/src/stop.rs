//! Stopping what runs: the person's Ctrl-C, as turns hear of it.

use tokio::sync::watch;

/// Stops turns.
#[derive(Debug, Clone)]
pub struct Stop(watch::Sender<bool>);

impl Default for Stop {
    fn default() -> Stop {
        Stop(watch::channel(false).0)
    }
}

impl Stop {
    /// Stops whatever runs with this.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }

    /// Whether it is stopped.
    pub fn is_stopped(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until it is stopped.
    pub async fn stopped(&self) {
        let mut seen = self.0.subscribe();
        // The sender is ours, so the wait can only end well.
        let _ = seen.wait_for(|stopped| *stopped).await;
    }

    /// What comes of something, unless it is stopped first.
    pub(crate) async fn unless<T>(&self, doing: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            () = self.stopped() => None,
            done = doing => Some(done),
        }
    }
}
