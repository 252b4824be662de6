//! Questions, read.

use super::*;
use crate::embed::shipped;
use jiff::civil::date;

fn asked(text: &str) -> Asked {
    let now = Some(date(2023, 5, 10).at(12, 0, 0, 0));
    read(&Question { text: text.into(), now }, &[], &shipped())
}

fn of_days_alone(text: &str) -> bool {
    asked(text).is_of_days_alone()
}

/// Ten ways to ask for a day in each language.
#[test]
fn a_question_that_says_nothing_but_when_is_known_in_ten_languages() {
    for text in [
        "What did I do yesterday?",
        "What happened last Tuesday?",
        "What did I do on Tuesday?",
        "what happens on 20 november",
        "What did I ask you last week?",
        "what is due on 20 november",
        "what did I write on 9 January",
        "what did I note down on 9 January",
        "who did I meet on 9 January",
        "last week's meetings",
        "my notes of yesterday",
        "Was habe ich gestern aufgeschrieben?",
        "Qui ai-je rencontré hier ?",
        "what happens this week",
        "what did i say yesterday",
        "what did i say on the 13th",
        "what did we talk about on the 13th",
        "what happened in the last week of april",
        "what happened over the summer",
        "Was war in der ersten Märzwoche?",
        "Was war am Dienstag los?",
        "周二我做了什么？",
        "火曜日に何をしましたか？",
        "화요일에 뭐 했어?",
        "what happened last week",
        "What have I been up to since Monday last week?",
        "What did we do between 3 and 9 March?",
        "Tell me what happened on 7 March.",
        "What was I doing at the end of March?",
        "What did I do at the weekend?",
        "What happened on 12/03/2023?",
        "Can you tell me what I did the day before yesterday?",
        "Was habe ich gestern gemacht?",
        "Was war gestern los?",
        "Was ist letzte Woche passiert?",
        "Was habe ich letzten Dienstag gemacht?",
        "Was haben wir am Wochenende unternommen?",
        "Was habe ich zwischen dem 3. und dem 9. März gemacht?",
        "Was war Anfang März?",
        "Was habe ich vorgestern getan?",
        "Was hab ich am 7. März so gemacht?",
        "Erzähl mir, was am 7. März passiert ist.",
        "Qu'est-ce que j'ai fait hier ?",
        "Qu'ai-je fait mardi dernier ?",
        "Que s'est-il passé la semaine dernière ?",
        "Qu'est-ce qui s'est passé hier ?",
        "J'ai fait quoi hier ?",
        "Qu'est-ce qu'on a fait le week-end dernier ?",
        "Qu'est-ce que j'ai fait entre le 3 et le 9 mars ?",
        "Qu'avons-nous fait début mars ?",
        "Qu'est-ce qu'il y a eu avant-hier ?",
        "Dis-moi ce que j'ai fait le 7 mars.",
        "¿Qué hice ayer?",
        "¿Qué pasó el martes pasado?",
        "¿Qué he hecho hoy?",
        "¿Qué hicimos el fin de semana?",
        "¿Qué hice entre el 3 y el 9 de marzo?",
        "¿Qué estuve haciendo la semana pasada?",
        "¿Qué hubo anteayer?",
        "¿Qué me pasó a principios de marzo?",
        "Dime qué hice el 7 de marzo.",
        "¿Qué ocurrió hace dos semanas?",
        "Cosa ho fatto ieri?",
        "Che cosa ho fatto il 7 marzo?",
        "Cos'è successo martedì scorso?",
        "Cosa abbiamo fatto lo scorso fine settimana?",
        "Cosa ho fatto tra il 3 e il 9 marzo?",
        "Che è successo la settimana scorsa?",
        "Cosa ho fatto all'inizio di marzo?",
        "Cosa facevo due settimane fa?",
        "Dimmi cosa ho fatto l'altro ieri.",
        "Cosa c'è stato ieri?",
        "O que eu fiz ontem?",
        "Que fiz ontem?",
        "O que aconteceu na semana passada?",
        "O que fizemos no fim de semana?",
        "O que fiz entre 3 e 9 de março?",
        "O que é que eu fiz na terça passada?",
        "O que houve anteontem?",
        "O que eu estava fazendo há duas semanas?",
        "Me diga o que eu fiz em 7 de março.",
        "O que fiz no início de março?",
        "Wat heb ik gisteren gedaan?",
        "Wat deed ik gisteren?",
        "Wat is er vorige week gebeurd?",
        "Wat gebeurde er afgelopen dinsdag?",
        "Wat hebben we in het weekend gedaan?",
        "Wat heb ik tussen 3 en 9 maart gedaan?",
        "Wat was er eergisteren?",
        "Wat heb ik begin maart gedaan?",
        "Vertel me wat ik op 7 maart heb gedaan.",
        "Wat was ik twee weken geleden aan het doen?",
        "昨天我做了什么？",
        "我昨天干了什么？",
        "昨天发生了什么事？",
        "上周二我做了什么？",
        "3月12日做了什么",
        "上周末我们做了什么？",
        "3月5日到9日我做了什么？",
        "三月初发生了什么？",
        "前天我都做了些什么？",
        "告诉我上个月发生了什么。",
        "昨日何をした？",
        "昨日は何をしましたか？",
        "先週何があった？",
        "先週末は何をした？",
        "先週の火曜日に何をしましたか？",
        "3月5日から9日まで何をしていた？",
        "3月初めに何があった？",
        "一昨日何をしたっけ？",
        "昨日何がありましたか？",
        "二週間前に私は何をしていましたか？",
        "어제 뭐 했어?",
        "어제 나는 무엇을 했지?",
        "지난주에 무슨 일이 있었어?",
        "지난주 화요일에 뭐 했어?",
        "지난 주말에 뭐 했어?",
        "3월 5일부터 9일까지 뭐 했어?",
        "3월 초에 무슨 일이 있었지?",
        "그저께 뭐 했더라?",
        "어제 내가 뭐 했는지 알려 줘.",
        "2주 전에 뭘 했나요?",
        // By what most days are parted by.
        "What did I do yesterday after work?",
        "What did I do after work yesterday?",
        "What happened on Tuesday before lunch?",
        "Was habe ich gestern nach der Arbeit gemacht?",
        "Qu'est-ce que j'ai fait hier après le travail ?",
        "¿Qué hice ayer después del trabajo?",
        "Cosa ho fatto ieri dopo il lavoro?",
        "O que eu fiz ontem depois do trabalho?",
        "Wat heb ik gisteren na het werk gedaan?",
        "昨天下班后我做了什么？",
        "昨日仕事の後何をした？",
        "어제 퇴근 후 뭐 했어?",
    ] {
        assert!(of_days_alone(text), "{text}");
    }
}

#[test]
fn who_is_after_a_number_asks_for_no_more() {
    for (text, wants, requests) in [
        ("what temperature for the bread", Wants::Number, false),
        ("Bei welcher Hitze backen wir das Brot, wie heiß?", Wants::Number, false),
        ("bake some bread for the weekend", Wants::Anything, true),
        // What an answer would hold is said by what asks.
        ("It rains here again today. When does the choir rehearse?", Wants::Time, false),
    ] {
        let asked = read(&Question { text: text.into(), now: None }, &[], &shipped());
        assert_eq!((asked.wants, asked.requests), (wants, requests), "{text}");
    }
}

#[test]
fn a_question_that_says_what_as_well_as_when_is_not() {
    for text in [
        "What did I eat yesterday?",
        "What did Anna do yesterday?",
        "What did I write to Anna yesterday?",
        "the meeting about the shed last week",
        "Was habe ich gestern gekauft?",
        "Was hat Anna gestern gemacht?",
        "Qu'est-ce que j'ai mangé hier ?",
        "¿Qué compré ayer?",
        "Cosa ho comprato ieri?",
        "O que comprei ontem?",
        "Wat heb ik gisteren gekocht?",
        "昨天我买了什么？",
        "昨天安娜做了什么？",
        "昨日何を買った？",
        "昨日アンナは何をした？",
        "어제 뭐 샀어?",
        "What did I do?",
        "What did I do at work yesterday?",
        "What did I tell you yesterday about the work on the shed?",
        "Was habe ich gestern in der Arbeit gemacht?",
        "What did I do after work?",
        "Who is April Okonkwo?",
        // What is on each Tuesday is on the next.
        "What do I have on Tuesday?",
        "Was habe ich am Dienstag?",
        "周二有什么事？",
    ] {
        assert!(!of_days_alone(text), "{text}");
    }
}

#[test]
fn a_day_that_goes_on_with_one_that_is_named_is_read_too() {
    for text in [
        "What did I do yesterday and the day before?",
        "Who called yesterday or the day before?",
        "What is on tomorrow and the day after?",
    ] {
        assert_eq!(asked(text).spans.len(), 2, "{text}");
    }
    assert_eq!(asked("What did I do yesterday, the day before the exam?").spans.len(), 1);
}

#[test]
fn who_asks_how_something_works_does_not_ask_for_work() {
    for (text, says) in [
        ("How do tides work?", vec!["tides"]),
        ("Explain how a heat pump works.", vec!["heat", "pump"]),
        ("How do I get to work?", vec!["work"]),
        ("Where does Anna work?", vec!["anna", "work"]),
    ] {
        let asked = asked(text);
        let said: Vec<&str> =
            asked.terms.iter().filter(|term| term.says()).map(|term| &*term.surface).collect();
        assert_eq!(said, says, "{text}");
    }
}

#[test]
fn what_a_clock_shows_goes_on_with_nothing() {
    for text in ["What time is it?", "How late is it?", "ok", ""] {
        assert!(!leans(text), "{text}");
    }
    assert!(leans("How much is it?") && leans("And when?"));
}

#[test]
fn whatever_is_asked_is_read_to_its_end() {
    const PARTS: [&str; 28] = [
        "what",
        "when's",
        "and",
        "und",
        "where is",
        ", ",
        "? ",
        ". ",
        "\n",
        " ",
        "é",
        "备份在哪里",
        "？",
        "。",
        "🦊",
        "the key",
        "dentist",
        "1,865",
        "tell me",
        "¿",
        "'",
        "\"",
        "17 * 23",
        "in april",
        "for christmas",
        "\u{202e}",
        "code",
        "it",
    ];
    let mut state = 7u64;
    let mut next = |most: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % most
    };
    for round in 0..2_000 {
        let parts = 1 + next(if round % 50 == 0 { 900 } else { 14 });
        let text: String = (0..parts).map(|_| PARTS[next(PARTS.len())].to_owned() + " ").collect();
        let asked = asked(&text);
        assert!(asked.terms.iter().all(|term| !term.surface.is_empty()), "{text}");
        assert_eq!(leans(&text), leans(&format!(" {text}")), "{text}");
    }
}
