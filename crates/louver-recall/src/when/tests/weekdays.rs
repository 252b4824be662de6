//! Weekdays by their names alone.

use super::*;

#[test]
fn a_weekday_in_a_question_is_the_last_or_the_coming_one() {
    let (last, next) = (LAST_TUESDAY, day(2023, 5, 16));
    wanted(&[
        ("What did I do on Tuesday?", last),
        ("Who was there on Tuesday evening?", last),
        ("What will I do on Tuesday?", next),
        ("Was war am Dienstag?", last),
        ("Was wird am Dienstag sein?", next),
        ("Que s'est-il passé mardi ?", last),
        ("¿Qué hice el martes?", last),
        ("Che cosa ho fatto martedì?", last),
        ("O que eu fiz na terça-feira?", last),
        ("O que eu fiz na terça?", last),
        ("Wat heb ik dinsdag gedaan?", last),
        ("What happened since Tuesday?", SINCE_TUESDAY),
        ("Was ist seit Dienstag passiert?", SINCE_TUESDAY),
        ("Qu'est-ce que j'ai fait depuis mardi ?", SINCE_TUESDAY),
        ("What did I do on Tuesday, 2 May?", yearly(5, 2)),
        ("Was war am Dienstag, dem 2. Mai?", yearly(5, 2)),
        ("What did I do on Tuesday last week?", TUESDAY_OF_LAST_WEEK),
        ("周二我做了什么？", last),
        ("星期二发生了什么？", last),
        ("火曜日に何をしましたか？", last),
        ("화요일에 뭐 했어?", last),
        ("지난 화요일에 뭐 했어?", last),
        ("화요일부터 뭐 했어?", SINCE_TUESDAY),
        ("5月2日火曜日に何をした？", yearly(5, 2)),
    ]);
    // Today is called so, but may be meant too.
    let (before, after) = (day(2023, 5, 3), day(2023, 5, 17));
    for text in [
        "What did I say on Wednesday?",
        "Was war am Mittwoch?",
        "周三我做了什么？",
        "수요일에 뭐 했어?",
    ] {
        assert_eq!(asked(text, Some(NOW)), [before, TODAY], "{text}");
    }
    for text in ["What will I do on Wednesday?", "Was wird am Mittwoch sein?"] {
        assert_eq!(asked(text, Some(NOW)), [after, TODAY], "{text}");
    }
    assert_eq!(asked("What do I have on Wednesday?", Some(NOW)), [before, after, TODAY]);
    assert_eq!(asked("What did I do last Wednesday?", Some(NOW)), [before]);
    assert_eq!(
        asked("What happened since Wednesday?", Some(NOW)),
        [Span::Days(date(2023, 5, 3), NOW)]
    );
    for text in [
        "周二有什么事？",
        "火曜日は何がある？",
        "화요일에 뭐 있어?",
        "What do I have on Tuesday?",
        "What did I say I will do on Tuesday?",
        "Was habe ich am Dienstag?",
        "Qu'est-ce que j'ai mardi ?",
        "¿Qué tengo el martes?",
        "Cosa devo fare martedì?",
    ] {
        assert_eq!(asked(text, Some(NOW)), [last, next], "{text}");
    }
    for text in [
        "Is Tuesday fine?",
        "What do I do on Tuesdays?",
        "What must be in before Tuesday?",
        "Que dois-je faire avant mardi ?",
        "Qu'est-ce que je fais le mardi ?",
        "Che cosa faccio ogni martedì?",
        "Wat doe ik elke dinsdag?",
        "O que eu disse na terça reunião?",
        "Who sat on sun loungers?",
        "每周二我做什么？",
        "两周一次的课",
        "周二之前要交什么？",
        "목요일까지 뭐 해야 해?",
        "日曜大工は何？",
        "When is Mardi Gras?",
        "毎週火曜日は？",
        "매주 화요일은?",
        "日本の水道",
    ] {
        assert_eq!(asked(text, Some(NOW)), [], "{text}");
    }
    assert_eq!(seen("We met on Tuesday"), []);
    assert_eq!(asked("What did I do on Tuesday?", None), []);
}
