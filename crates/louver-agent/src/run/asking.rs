//! Asking the model: shorter when the provider says so, and without pictures that it refuses.

use std::sync::Arc;

use louver_context::epoch::Why;
use louver_context::{Message, Recipe, Tokens};
use louver_store::Problem;

use super::{Run, TurnFailed};
use crate::happening::{Happening, Sending};
use crate::provider::{Ask, AskError, Trouble};
use crate::reply::{Delta, Reply};

impl Run<'_> {
    /// Asks the model. `None` when the person stopped it.
    pub(super) async fn ask(&mut self) -> Result<Option<Reply>, TurnFailed> {
        if self.is_stale {
            self.fit_anew(None, Why::Room)?;
        }
        let mut asked = self.ask_once().await;
        if let Some(Err(AskError { trouble: Trouble::TooLong { window, .. }, .. })) = &asked {
            self.make_shorter(*window)?;
            asked = self.ask_once().await;
        }
        match asked {
            Some(Err(error)) if error.trouble.may_be_of_pictures() && self.has_picture() => {
                self.ask_without_pictures(error).await
            }
            asked => asked.transpose().map_err(TurnFailed::from),
        }
    }

    /// Makes a request shorter that was too long for the provider. A window that it names is believed as
    /// long as the program runs; where it names none, this turn alone is shorter.
    fn make_shorter(&mut self, window: Option<u64>) -> Result<(), TurnFailed> {
        let window = window.and_then(|window| u32::try_from(window).ok()).map(Tokens);
        let smaller = window.filter(|window| *window < self.brain.model.window);
        if smaller.is_some_and(|window| self.keep_to(window)) {
            return Ok(());
        }
        // What we counted was too little: a provider's own count is what matters.
        let total = self.context.ledger.total;
        self.tell("the provider says the request is too long; it is made shorter for this turn");
        self.fit_anew(Some(Tokens(total.0 / 4 * 3)), Why::Refused)
    }

    /// Keeps to a window from here on, and tells the person. Says whether that can be done: one in which
    /// not even this turn has room would be the end of every later one.
    fn keep_to(&mut self, window: Tokens) -> bool {
        let mut smaller = (*self.brain).clone();
        smaller.model.hold(window);
        let before = std::mem::replace(&mut self.brain, Arc::new(smaller));
        self.agent.know(&self.brain);
        if self.fit_anew(None, Why::Window).is_err() {
            self.agent.know(&before);
            self.brain = before;
            return false;
        }
        let (server, name) = (&self.brain.endpoint.name, &self.brain.model.name);
        self.tell(&format!(
            "`{server}` says that `{name}` holds {window} tokens: louver keeps to that until it ends; \
             `models.\"{name}\".window = {window}` at the top of louver.toml makes it last"
        ));
        true
    }

    fn has_picture(&self) -> bool {
        self.context.prompt.messages.iter().any(|message| message.has_picture())
    }

    /// Asks again without pictures. When that is answered they were the reason, and they are left out
    /// from then on: one in the history would have every later request refused.
    async fn ask_without_pictures(
        &mut self,
        refused: AskError,
    ) -> Result<Option<Reply>, TurnFailed> {
        let bare = |message: &Arc<Message>| match message.has_picture() {
            true => Arc::new(message.without_pictures()),
            false => message.clone(),
        };
        let messages: Vec<_> = self.context.prompt.messages.iter().map(bare).collect();
        let bare = {
            let mind = self.agent.mind();
            let recipe = Recipe { model: &self.brain.model, ..mind.builder.recipe() };
            recipe.replay(&self.context.frozen(), self.context.prompt.tools.clone(), &messages)
        };
        let whole = std::mem::replace(&mut self.context, bare);
        match self.ask_once().await {
            Some(Ok(reply)) => {
                self.conversation.leave_out_pictures()?;
                self.fit_anew(None, Why::Summary)?;
                let what = format!("`{}` refuses them; the answer is made without", refused.server);
                let hint = "they are left out from here on; send them again to a model that sees";
                let problem = Problem::warning("pictures", what).hint(hint);
                let _ = self.ears.send(Happening::Problem(problem));
                Ok(Some(reply))
            }
            Some(Err(_)) => {
                self.context = whole;
                Err(refused.into())
            }
            None => Ok(None),
        }
    }

    async fn ask_once(&mut self) -> Option<Result<Reply, AskError>> {
        let sending = self.sending();
        self.outcome.last = Some(sending);
        self.outcome.asked += 1;
        let _ = self.ears.send(Happening::Sending(sending));
        let habits = &self.agent.habits;
        let ask = Ask {
            stream: habits.stream,
            session: &self.inbound.session,
            temperature: habits.temperature,
            effort: habits.effort,
            ..Ask::new(&self.brain.name, &self.context.prompt, self.brain.model.reply.0)
        };
        let (ears, heard) = (self.ears, &mut self.heard);
        heard.clear();
        let mut on = |delta| {
            match &delta {
                Delta::Text(text) => heard.push_str(text),
                Delta::Again { .. } => heard.clear(),
                _ => {}
            }
            let _ = ears.send(Happening::Delta(delta));
        };
        tokio::select! {
            biased;
            () = self.stop.stopped() => None,
            reply = self.agent.sender.ask(&self.brain.endpoint, &ask, &mut on) => Some(reply),
        }
    }

    fn sending(&self) -> Sending {
        let ledger = &self.context.ledger;
        Sending {
            tokens: ledger.total.0,
            budget: ledger.budget().0,
            left_out: ledger.left_out.iter().map(|gone| gone.tokens.0).sum(),
            epoch: self.epoch,
        }
    }
}
