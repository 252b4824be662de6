//! Things to do: the box before an item of a list, the word before a heading of Org, and questions for what is open or
//! done.
//!
//! `- [ ] Book the van` and `- [x] Cancel the lease` say the same to words and vectors as any other line, and so do
//! `TODO Book the van` and `DONE Cancel the lease`. What is asked for is told by the box alone, so a note is listed under its box as it is under its days, by a word that no
//! text has, and a note whose box says the opposite is ranked below. Only lines of files have boxes: in a
//! talk they are somebody's draft of a list.

use crate::note::{Note, Voice};
use crate::words::{padded, runs_together};

/// Whether something is to be done, or is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Task {
    /// It says nothing of that.
    #[default]
    Neither,
    /// `[ ]`, `TODO`
    Open,
    /// `[x]`, `DONE`
    Done,
}

impl Task {
    /// What the box before a note says.
    pub(crate) fn of_note(note: &Note) -> Task {
        if note.voice == Voice::Other { Task::of_line(&note.text) } else { Task::Neither }
    }

    /// What the box or the word says that a line begins with.
    pub fn of_line(line: &str) -> Task {
        let line = line.trim_start();
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        let marks: &[char] = if digits > 0 { &['.', ')'] } else { &['-', '*', '+'] };
        let item = line[digits..].strip_prefix(marks).and_then(|rest| rest.strip_prefix(' '));
        let has = |mark: &str| item.is_some_and(|item| item.trim_start().starts_with(mark));
        let said = item.unwrap_or(line).trim_start();
        let begins =
            |word| said.strip_prefix(word).is_some_and(|rest| rest.starts_with([' ', ':']));
        match () {
            () if has("[ ] ") || begins("TODO") => Task::Open,
            () if has("[x] ") || has("[X] ") || begins("DONE") => Task::Done,
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

/// What a question says besides asking for one of the two, in lower case and without accents.
pub(crate) fn besides(folded: &str) -> String {
    let ways = [&OPEN, &DONE, &THINGS];
    ways.iter().fold(padded(folded), |rest, ways| ways.cut(&rest).0)
}

/// Whether a word of such a question says no more than that. Pairs of letters say something where they are in what it
/// says besides.
pub(crate) fn is_of_asking(word: &str, besides: &str) -> bool {
    let among = |ways: &Ways| ways.words.split(['|', ' ']).any(|own| own == word);
    match word.starts_with(runs_together) {
        true => !besides.contains(word),
        false => among(&OPEN) || among(&DONE) || among(&THINGS),
    }
}

/// What people call things to do.
const THINGS: Ways = Ways {
    words: "task|tasks|thing|things|item|items|list|yet|already\
        |aufgabe|aufgaben|dinge|sachen|punkte|machen|tache|taches|choses|tarea|tareas|cosas|compito|compiti|cose|tarefa|tarefas|coisas\
        |taak|taken|dingen",
    letters: "任务|任務|事情|事项|事項|清单|清單|タスク|リスト|一覧|用事|こと|과제|목록|아직|일이| 일 |已经|已經",
};

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
            // Hardly a question says one.
            if rest.contains(words) {
                rest = rest.replace(&format!(" {words} "), " | ");
            }
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
        |undone|outstanding|pending|still have to|still need to|still must|open tasks|open items|is open|are open|tasks remain|tasks left|tasks are left\
        |noch offen|offen|offene|offenen|noch zu tun|zu tun|zu erledigen|nicht erledigt|nicht fertig|unerledigt|muss ich noch|fehlt noch|steht noch aus|steht noch an|noch nicht gemacht|noch nicht erledigt\
        |reste a faire|a faire|pas fini|pas termine|pas fait|inacheve\
        |pendiente|pendientes|por hacer|sin hacer|sin terminar|no termine|no he terminado|queda por|quedan por\
        |da fare|in sospeso|ancora aperto|ancora aperte|ancora aperti|non finito|non ho finito|non ho completato\
        |por fazer|pendente|pendentes|falta fazer|em aberto|nao terminei|nao acabei\
        |nog open|te doen|nog doen|openstaand|openstaande|moet ik nog|niet af|niet afgerond|niet klaar",
    letters: "没做完|没完成|沒完成|未完成|没做|沒做|没办|沒辦|待办|待辦|待处理|還要做|还要做|需要做什么|需要做什麼|要做什么|要做什麼|该做什么|該做什麼|要做的|该做的|該做的\
        |还没|還沒|还剩|還剩|剩下|終わっていない|終わってない|終えていない|未完了|残って|残りの|やり残|やること|やるべき|やらなきゃいけない|やらなければならない\
        |やらないといけない|やらなきゃ|しなければならない|しなきゃいけない|やっていない|やってない|안 끝난|미완료|할 일|할일|해야 할|해야 하는|해야 돼|남은|남았|못 한|못한|안 한|안한",
};

const DONE: Ways = Ways {
    words: "finish|finished|completed|is done|are done|have i done|already done|get done|got done|checked off|ticked off\
        |erledigt|fertig|abgeschlossen|abgehakt|geschafft|fini|ai termine|as termine|a termine|avons termine|sont terminees|est termine|acheve|accompli\
        |terminado|terminadas|acabe|acabado|completado|completadas|finito|completato|completate|terminato|concluso\
        |terminei|acabei|concluido|concluidas|conclui|completei|afgerond|klaar|voltooid|afgemaakt|afgevinkt",
    letters: "完成了|已完成|做完|做好了|办完|辦完|搞定|終わった|終わらせた|完了|済んだ|済ませた|終えた|끝냈|끝낸|끝났|완료|마쳤|마친",
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
            ("TODO Book the van", Task::Open),
            ("- TODO: book the van", Task::Open),
            ("DONE Cancel the lease\nlast week", Task::Done),
            ("TODOs are listed below", Task::Neither),
            ("Todo of today", Task::Neither),
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
            "待办事项有哪些？",
            "还剩什么要做？",
            "我需要做什么？",
            "まだ残っていることは？",
            "未完了のタスク",
            "やらなきゃいけないことは？",
            "まだやっていないことは何？",
            "아직 할 일이 뭐야?",
            "아직 안 한 일이 뭐야?",
            "What tasks remain?",
            "Was steht noch an?",
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
            "哪些事做好了？",
            "何が終わった？",
            "뭘 끝냈어?",
        ] {
            assert_eq!(asked(text), Task::Done, "{text}");
        }
        for text in [
            "What is done and what is still open?",
            "Where is the key?",
            "Welche Termine habe ich diese Woche?",
            "When does the shop open?",
        ] {
            assert_eq!(asked(text), Task::Neither, "{text}");
        }
    }
}
