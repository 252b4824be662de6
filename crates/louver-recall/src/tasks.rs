//! Things to do: the box before an item of a list, and questions for what is open or done.
//!
//! `- [ ] Book the van` and `- [x] Cancel the lease` say the same to words and vectors as any other line. What
//! is asked for is told by the box alone, so a note is listed under its box as it is under its days, by a word that no
//! text has, and a note whose box says the opposite is ranked below. Only lines of files have boxes: in a
//! talk they are somebody's draft of a list.

use crate::note::{Note, Voice};
use crate::words::{is_among, padded, runs_together};

/// Whether something is to be done, or is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Task {
    /// It says nothing of that.
    #[default]
    Neither,
    /// `[ ]`
    Open,
    /// `[x]`
    Done,
}

impl Task {
    /// What the box before a note says.
    pub(crate) fn of_note(note: &Note) -> Task {
        let line = note.text.trim_start();
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        let marks: &[char] = if digits > 0 { &['.', ')'] } else { &['-', '*', '+'] };
        let item = line[digits..].strip_prefix(marks).and_then(|rest| rest.strip_prefix(' '));
        let Some(item) = item.filter(|_| note.voice == Voice::Other) else { return Task::Neither };
        let has = |mark: &str| item.trim_start().starts_with(mark);
        match () {
            () if has("[ ] ") => Task::Open,
            () if has("[x] ") || has("[X] ") => Task::Done,
            () => Task::Neither,
        }
    }

    /// What a question asks for, in lower case and without accents. One that asks for both asks for neither.
    pub(crate) fn asked(folded: &str) -> Task {
        let (rest, open) = OPEN.cut(&padded(folded));
        let (_, done) = DONE.cut(&rest);
        match (open, done) {
            (true, false) => Task::Open,
            (false, true) => Task::Done,
            _ => Task::Neither,
        }
    }

    /// The word that notes with this box are listed under.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Task::Neither => None,
            Task::Open => Some("@[ ]"),
            Task::Done => Some("@[x]"),
        }
    }

    /// How well a note with this box answers who asks for that: below zero if it is the opposite.
    pub(crate) fn answers(self, asked: Task) -> f32 {
        match (self, asked) {
            (Task::Neither, _) | (_, Task::Neither) => 0.0,
            (own, asked) if own == asked => 1.0,
            _ => -1.0,
        }
    }
}

/// Whether a word of a question that asks for one of the two says no more than that.
pub(crate) fn is_of_asking(word: &str) -> bool {
    let among = |ways: &Ways| match word.starts_with(runs_together) {
        true => ways.letters.contains(word),
        false => ways.words.split(['|', ' ']).any(|own| own == word),
    };
    among(&OPEN) || among(&DONE) || is_among(THINGS, word)
}

/// What people call things to do.
const THINGS: &str = "task tasks thing things item items list yet already \
    aufgabe aufgaben dinge sachen punkte machen tache taches choses tarea tareas cosas compito compiti cose tarefa tarefas coisas \
    taak taken dingen 任务 任務 事情 タスク こと 과제 일이";

/// Ways to ask for one of the two, apart by bars: whole words, and letters of languages that do not set words apart.
struct Ways {
    words: &'static str,
    letters: &'static str,
}

impl Ways {
    /// The text without them, and whether there was one. "Not finished" is not "finished".
    fn cut(&self, apart: &str) -> (String, bool) {
        let mut rest = apart.to_owned();
        for words in self.words.split('|') {
            rest = rest.replace(&format!(" {words} "), " | ");
        }
        if apart.contains(runs_together) {
            for letters in self.letters.split('|') {
                rest = rest.replace(letters, " | ");
            }
        }
        let cut = rest != apart;
        (rest, cut)
    }
}

/// English; German, French, Spanish, Italian, Portuguese, Dutch; Chinese, Japanese, Korean. A longer one comes before its
/// part.
const OPEN: Ways = Ways {
    words: "still open|still to do|left to do|to do|todo|todos|to dos|not done|not finished|not completed|unfinished\
        |undone|outstanding|pending|still have to|still need to|still must|open tasks|open items|is open|are open\
        |noch offen|offen|offene|offenen|noch zu tun|zu tun|zu erledigen|nicht erledigt|nicht fertig|unerledigt|muss ich noch|fehlt noch|steht noch aus\
        |reste a faire|a faire|pas fini|pas termine|pas fait|inacheve\
        |pendiente|pendientes|por hacer|sin hacer|sin terminar|no termine|no he terminado|queda por|quedan por\
        |da fare|in sospeso|ancora aperto|ancora aperte|ancora aperti|non finito|non ho finito|non ho completato\
        |por fazer|pendente|pendentes|falta fazer|em aberto|nao terminei|nao acabei\
        |nog open|te doen|nog doen|openstaand|openstaande|moet ik nog|niet af|niet afgerond|niet klaar",
    letters: "没做完|没完成|沒完成|未完成|没做|沒做|待办|待辦|还要做|還要做|还没|還沒|剩下\
        |終わっていない|終わってない|未完了|残って|やり残|やること|안 끝난|미완료|할 일|남은|남았|못 한",
};

const DONE: Ways = Ways {
    words: "finish|finished|completed|is done|are done|have i done|already done|get done|got done|checked off|ticked off\
        |erledigt|fertig|abgeschlossen|abgehakt|geschafft|fini|termine|terminees|acheve|accompli\
        |terminado|terminadas|acabe|acabado|completado|completadas|finito|completato|completate|terminato|concluso\
        |terminei|acabei|concluido|concluidas|conclui|completei|afgerond|klaar|voltooid|afgemaakt|afgevinkt",
    letters: "完成了|已完成|做完|搞定|終わった|終わらせた|完了|済んだ|終えた|끝냈|끝낸|끝났|완료|마쳤|마친",
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::fold;

    fn note(text: &str) -> Note {
        Note { text: text.into(), ..Note::default() }
    }

    #[test]
    fn a_box_before_an_item_is_read() {
        for (text, task) in [
            ("- [ ] Book the van", Task::Open),
            ("* [x] Cancel the lease", Task::Done),
            ("  1. [X] Call Ada\n  about it", Task::Done),
            ("- Book the [ ] van", Task::Neither),
            ("[ ] not an item", Task::Neither),
            ("- [link](x.md)", Task::Neither),
            ("- [ ]", Task::Neither),
            ("", Task::Neither),
        ] {
            assert_eq!(Task::of_note(&note(text)), task, "{text}");
        }
        let said = Note { voice: Voice::Agent, ..note("- [ ] Book the van") };
        assert_eq!(Task::of_note(&said), Task::Neither);
    }

    #[test]
    fn who_asks_for_what_is_open_or_done_is_understood_in_ten_languages() {
        let asked = |text: &str| Task::asked(&fold(text));
        for text in [
            "What is still open?",
            "What do I still have to do for the move?",
            "What have I not finished?",
            "Was ist noch offen?",
            "Was muss ich noch machen?",
            "Qu'est-ce qui reste à faire ?",
            "¿Qué tareas tengo pendientes?",
            "Cosa c'è ancora da fare?",
            "O que ainda está por fazer?",
            "Wat moet ik nog doen?",
            "还有什么没完成？",
            "まだ残っていることは？",
            "아직 할 일이 뭐야?",
        ] {
            assert_eq!(asked(text), Task::Open, "{text}");
        }
        for text in [
            "What did I finish?",
            "Which tasks are done?",
            "Was habe ich erledigt?",
            "Qu'est-ce que j'ai fini ?",
            "¿Qué he terminado?",
            "Che cosa ho completato?",
            "O que eu já terminei?",
            "Wat heb ik afgerond?",
            "我完成了什么？",
            "何が終わった？",
            "뭘 끝냈어?",
        ] {
            assert_eq!(asked(text), Task::Done, "{text}");
        }
        for text in [
            "What is done and what is still open?",
            "Where is the key?",
            "When does the shop open?",
        ] {
            assert_eq!(asked(text), Task::Neither, "{text}");
        }
    }
}
