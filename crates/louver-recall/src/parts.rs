//! What a score is made of: one number for each reason to recall a note, and what it is worth.

/// One number for each reason to recall a note.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Parts {
    /// The question's words are in it (BM25).
    pub words: f32,
    /// The question's words are in its heading.
    pub heading: f32,
    /// Its best passage has many of the question's words.
    pub passage: f32,
    /// For each word of the question it has one that means nearly the same.
    pub near: f32,
    /// Much of its best passage is about the question.
    pub focus: f32,
    /// As a whole it means the same as the question: by a sentence model where there is one, else by its
    /// word pieces.
    pub meaning: f32,
    /// Its heading means the same as the question.
    pub title: f32,
    /// What stands around it means the same as the question.
    pub around: f32,
    /// The question's words are in the note before it.
    pub before: f32,
    /// It is the agent's answer to the same question, asked before.
    pub again: f32,
    /// The best note of its talk.
    pub talk: f32,
    /// It is said by the one the question is after.
    pub voice: f32,
    /// It is of a day the question names.
    pub time: f32,
    /// It holds what an answer would hold: a time, a number.
    pub wants: f32,
    /// It has what the question quotes, or names as only the same is written.
    pub phrase: f32,
    /// It says how the person wants things done, and something is to be done.
    pub standing: f32,
    /// It is open, and that is asked for, or done; below zero if it is the opposite.
    pub task: f32,
    /// It is a question itself.
    pub asks: f32,
    /// It came late in its talk: what matters is said first.
    pub late: f32,
    /// It is long.
    pub long: f32,
    /// It means what all the candidates mean: what is near everything tells little.
    pub usual: f32,
    /// It is on a page that one of the best notes names.
    pub linked: f32,
    /// Speaking of whom or what the best note speaks of.
    pub kin: f32,
    /// It answers a sentence of the message that asks, beside others that only tell.
    pub asked: f32,
    /// It is not the first of its day, and the course of things is asked for.
    pub course: f32,
}

impl Parts {
    /// What one unit of each part is worth.
    pub const WEIGHTS: Parts = Parts {
        words: 0.35,
        heading: 1.9,
        passage: 0.45,
        near: 2.9,
        focus: 2.5,
        meaning: 0.65,
        title: 1.95,
        around: 1.4,
        before: 1.1,
        again: 6.0,
        talk: 2.0,
        voice: 1.0,
        time: 1.0,
        wants: 1.0,
        phrase: 3.0,
        standing: 2.5,
        task: 2.0,
        asks: -0.3,
        late: -0.54,
        long: -0.25,
        usual: -0.5,
        linked: 1.5,
        kin: 1.0,
        asked: 8.0,
        course: 1.0,
    };

    /// The parts with their names, in the order of the struct.
    pub fn named(&self) -> [(&'static str, f32); 25] {
        [
            ("words", self.words),
            ("heading", self.heading),
            ("passage", self.passage),
            ("near", self.near),
            ("focus", self.focus),
            ("meaning", self.meaning),
            ("title", self.title),
            ("around", self.around),
            ("before", self.before),
            ("again", self.again),
            ("talk", self.talk),
            ("voice", self.voice),
            ("time", self.time),
            ("wants", self.wants),
            ("phrase", self.phrase),
            ("standing", self.standing),
            ("task", self.task),
            ("asks", self.asks),
            ("late", self.late),
            ("long", self.long),
            ("usual", self.usual),
            ("linked", self.linked),
            ("kin", self.kin),
            ("asked", self.asked),
            ("course", self.course),
        ]
    }

    fn values(&mut self) -> [&mut f32; 25] {
        [
            &mut self.words,
            &mut self.heading,
            &mut self.passage,
            &mut self.near,
            &mut self.focus,
            &mut self.meaning,
            &mut self.title,
            &mut self.around,
            &mut self.before,
            &mut self.again,
            &mut self.talk,
            &mut self.voice,
            &mut self.time,
            &mut self.wants,
            &mut self.phrase,
            &mut self.standing,
            &mut self.task,
            &mut self.asks,
            &mut self.late,
            &mut self.long,
            &mut self.usual,
            &mut self.linked,
            &mut self.kin,
            &mut self.asked,
            &mut self.course,
        ]
    }

    pub(crate) fn weigh(&mut self, weights: &Parts) -> f32 {
        let weights = weights.named();
        let values = self.values();
        values
            .into_iter()
            .zip(weights)
            .map(|(value, (_, weight))| {
                *value *= weight;
                *value
            })
            .sum()
    }
}
