//! What is said in ten languages, and the days it means.

use super::calendar::Unit;
use super::*;
use jiff::civil::date;

/// A Wednesday.
const NOW: Date = date(2023, 5, 10);

fn asked(text: &str, from: Option<Date>) -> Vec<Span> {
    super::asked(text, from).into_iter().map(|named| named.span).collect()
}

fn seen(text: &str) -> Vec<Span> {
    spans(text, Some(NOW))
}

fn days(from: Date, to: Date) -> Vec<Span> {
    vec![Span::Days(from, to)]
}

#[test]
fn dates_are_read_in_every_usual_form() {
    let seventh = days(date(2023, 5, 7), date(2023, 5, 7));
    for text in
        ["on 7 May 2023", "on 7th of May, 2023", "May 7th, 2023?", "at 2023-05-07", "2023/05/07"]
    {
        assert_eq!(seen(text), seventh, "{text}");
    }
    assert_eq!(seen("in March 2022"), days(date(2022, 3, 1), date(2022, 3, 31)));
    assert_eq!(seen("in 2022"), days(date(2022, 1, 1), date(2022, 12, 31)));
}

#[test]
fn days_are_counted_from_now() {
    assert_eq!(seen("yesterday"), days(date(2023, 5, 9), date(2023, 5, 9)));
    assert_eq!(seen("3 days ago"), days(date(2023, 5, 7), date(2023, 5, 7)));
    assert_eq!(seen("last Tuesday"), days(date(2023, 5, 9), date(2023, 5, 9)));
    assert_eq!(seen("last Wednesday"), days(date(2023, 5, 3), date(2023, 5, 3)));
    assert_eq!(seen("next Friday"), days(date(2023, 5, 12), date(2023, 5, 12)));
    assert_eq!(seen("last week"), days(date(2023, 5, 1), date(2023, 5, 7)));
    assert_eq!(seen("last month"), days(date(2023, 4, 1), date(2023, 4, 30)));
    assert_eq!(seen("in the past two weeks"), days(date(2023, 4, 26), date(2023, 5, 10)));
    assert_eq!(seen("two weeks ago"), days(date(2023, 4, 23), date(2023, 4, 29)));
    assert_eq!(seen("last June"), days(date(2022, 6, 1), date(2022, 6, 30)));
}

#[test]
fn a_month_without_a_year_is_that_of_every_year() {
    assert_eq!(seen("in March"), [Span::Yearly { month: 3, day: None }]);
    assert!(seen("in March")[0].meets(&Span::Days(date(2021, 3, 5), date(2021, 3, 5))));
    assert!(!seen("in March")[0].meets(&Span::Days(date(2021, 4, 5), date(2021, 4, 5))));
    assert!(seen("in March")[0].meets(&Span::Days(date(2020, 1, 1), date(2020, 12, 31))));
}

#[test]
fn what_cannot_be_resolved_is_skipped() {
    assert!(seen("two weeks before the move").is_empty());
    assert!(seen("in the last two weeks before the move").is_empty());
    assert!(seen("I may march there, last but not least").is_empty());
    assert!(spans("yesterday", None).is_empty());
    assert!(seen("99999999999999999999 days ago").is_empty());
}

#[test]
fn a_day_stays_one_where_before_or_after_something_follows() {
    assert_eq!(seen("3 days ago before lunch"), [THREE_DAYS_AGO]);
    wanted(&[
        ("What did I do yesterday after work?", YESTERDAY),
        ("What did I do yesterday before lunch?", YESTERDAY),
        ("What happened on 10 March before noon?", yearly(3, 10)),
        ("What did I pack last week before the trip?", LAST_WEEK),
        ("Where was I in 2022 after the move?", IN_2022),
    ]);
}

#[test]
fn a_number_is_read_whole_or_not_at_all() {
    let days_ago = |back: i32| calendar::ago(Unit::Day, back, NOW).unwrap();
    let years_ago = |back: i32| calendar::ago(Unit::Year, back, NOW).unwrap();
    for (text, span) in [
        ("twenty-five years ago", years_ago(25)),
        ("It was twenty five years ago", years_ago(25)),
        ("a hundred years ago", years_ago(100)),
        ("twenty-one days ago", days_ago(21)),
        ("nineteen days ago", days_ago(19)),
        ("I was twenty. Five years ago I left", years_ago(5)),
        ("That one two days ago", days_ago(2)),
        ("the payment due two days ago", days_ago(2)),
        ("in the last twenty-five days", Span::Days(date(2023, 4, 15), NOW)),
        ("vor zwanzig Jahren", years_ago(20)),
        ("vor dreißig Jahren", years_ago(30)),
        ("il y a vingt-cinq ans", years_ago(25)),
        ("il y a vingt et un jours", days_ago(21)),
        ("les vingt-cinq derniers jours", Span::Days(date(2023, 4, 15), NOW)),
        ("treinta y dos días atrás", days_ago(32)),
        ("hace treinta y dos días", days_ago(32)),
        ("venti giorni fa", days_ago(20)),
        ("vinte e cinco dias atrás", days_ago(25)),
        ("vinte e cinco de maio de 2022", day(2022, 5, 25)),
        ("twintig jaar geleden", years_ago(20)),
        ("一百二十天前", days_ago(120)),
        ("一百零五天前", days_ago(105)),
        ("百年前", years_ago(100)),
        ("三十五年前", years_ago(35)),
        ("二三天前", days_ago(3)),
        ("스물다섯 달 전", calendar::ago(Unit::Month, 25, NOW).unwrap()),
        ("열두 달 전에", calendar::ago(Unit::Month, 12, NOW).unwrap()),
    ] {
        assert_eq!(seen(text), [span], "{text}");
    }
    none(&[
        "1.5 years ago",
        "1,000 days ago",
        "the last 1.5 years",
        "two hundred years ago",
        "a hundred and five days ago",
        "one hundred twenty-one days ago",
        "1,5 jaar geleden",
        "vor 1,5 Jahren",
        "hace 1,5 años",
        "1,5 anos atrás",
        "les quatre-vingt derniers jours",
        "ciento treinta y dos días atrás",
        "honderd vijf dagen geleden",
        "1.5年前",
        "1.5개월 전",
        "三千二百二十五天前",
        "几十年前",
        "十几年前",
        "one point five years ago",
        "数百年前",
    ]);
    let list = [day(2026, 3, 5), day(2026, 3, 6)];
    assert_eq!(seen("2026-03-05,2026-03-06"), list);
    assert_eq!(seen("05.03.2026,06.03.2026"), list);
}

#[test]
fn the_past_week_goes_up_to_now() {
    let since = |month: i8, year: i16| Span::Days(date(year, month, 10), NOW);
    let week = Span::Days(date(2023, 5, 3), NOW);
    all(&[
        ("in the past week", week),
        ("this past week", week),
        ("the past month", since(4, 2023)),
        ("over the past year", since(5, 2022)),
        ("the last week", LAST_WEEK),
        ("past Tuesday", LAST_TUESDAY),
        ("the past weekend", LAST_WEEKEND),
        ("in der vergangenen Woche", LAST_WEEK),
        ("la semaine passée", LAST_WEEK),
        ("en la última semana", week),
        ("en el último año", since(5, 2022)),
        ("nell'ultimo mese", since(4, 2023)),
        ("no último mês", since(4, 2023)),
        ("de afgelopen maand", since(4, 2023)),
        ("het afgelopen jaar", since(5, 2022)),
        ("afgelopen week dinsdag", TUESDAY_OF_LAST_WEEK),
        ("过去一周", week),
        ("この一週間", week),
        ("지난 일주일", week),
    ]);
    none(&["l'ultima settimana di lavoro", "la última semana de clases"]);
}

#[test]
fn a_long_word_is_no_word_of_time() {
    assert!(!is_of_time(&"w".repeat(32)));
    assert!(!is_of_time("donaudampfschifffahrtsgesellschaften"));
}

#[test]
fn the_next_season_is_not_the_one_that_has_begun() {
    let season = |year: i16, first: i8, last: Date| Span::Days(date(year, first, 1), last);
    for (text, from, span) in [
        ("next summer", date(2023, 5, 10), season(2023, 6, date(2023, 8, 31))),
        ("next summer", date(2023, 7, 10), season(2024, 6, date(2024, 8, 31))),
        ("nächsten Sommer", date(2023, 6, 1), season(2024, 6, date(2024, 8, 31))),
        ("next spring", date(2023, 11, 10), season(2024, 3, date(2024, 5, 31))),
        ("next winter", date(2023, 10, 10), season(2023, 12, date(2024, 2, 29))),
        ("next winter", date(2023, 12, 10), season(2024, 12, date(2025, 2, 28))),
        ("next winter", date(2024, 1, 10), season(2024, 12, date(2025, 2, 28))),
        ("this summer", date(2023, 7, 10), season(2023, 6, date(2023, 8, 31))),
        ("last winter", date(2024, 1, 10), season(2022, 12, date(2023, 2, 28))),
    ] {
        assert_eq!(spans(text, Some(from)), [span], "{text}, seen from {from}");
    }
}

#[test]
fn a_span_goes_on_into_the_next_year() {
    for (text, start, end) in [
        ("between 20 December 2025 and 5 January", date(2025, 12, 20), date(2026, 1, 5)),
        ("from 28 December 2023 to 3 January", date(2023, 12, 28), date(2024, 1, 3)),
        ("28 December 2023 to 3 January", date(2023, 12, 28), date(2024, 1, 3)),
        ("from 28 December to 3 January 2021", date(2020, 12, 28), date(2021, 1, 3)),
        ("from 28 December to 3 January", date(2022, 12, 28), date(2023, 1, 3)),
        ("vom 28.12.2023 bis 3. Januar", date(2023, 12, 28), date(2024, 1, 3)),
        ("2023年12月28日到1月3日", date(2023, 12, 28), date(2024, 1, 3)),
    ] {
        assert_eq!(asked(text, Some(NOW)), [Span::Days(start, end)], "{text}");
    }
}

/// The tables that every language must pass: what is said, and the days it means.
fn all(cases: &[(&str, Span)]) {
    for (text, span) in cases {
        assert_eq!(seen(text), [*span], "{text}");
    }
}

fn none(texts: &[&str]) {
    for text in texts {
        assert_eq!(seen(text), [], "{text}");
    }
}

const fn day(year: i16, month: i8, day: i8) -> Span {
    Span::Days(date(year, month, day), date(year, month, day))
}

const fn yearly(month: i8, day: i8) -> Span {
    Span::Yearly { month, day: Some(day) }
}

const fn each_year(month: i8) -> Span {
    Span::Yearly { month, day: None }
}

const BEFORE_YESTERDAY: Span = day(2023, 5, 8);
const YESTERDAY: Span = day(2023, 5, 9);
const TODAY: Span = day(2023, 5, 10);
const TOMORROW: Span = day(2023, 5, 11);
const AFTER_TOMORROW: Span = day(2023, 5, 12);
const LAST_TUESDAY: Span = day(2023, 5, 9);
const NEXT_FRIDAY: Span = day(2023, 5, 12);
const TWO_WEEKS_AGO: Span = Span::Days(date(2023, 4, 23), date(2023, 4, 29));
const THREE_DAYS_AGO: Span = day(2023, 5, 7);
const A_YEAR_AGO: Span = Span::Days(date(2021, 11, 11), date(2022, 11, 6));
const LAST_WEEK: Span = Span::Days(date(2023, 5, 1), date(2023, 5, 7));
const LAST_MONTH: Span = Span::Days(date(2023, 4, 1), date(2023, 4, 30));
const THIS_YEAR: Span = Span::Days(date(2023, 1, 1), date(2023, 12, 31));
const NEXT_WEEK: Span = Span::Days(date(2023, 5, 15), date(2023, 5, 21));
const NEXT_MONTH: Span = Span::Days(date(2023, 6, 1), date(2023, 6, 30));
const LAST_YEAR: Span = Span::Days(date(2022, 1, 1), date(2022, 12, 31));
const LAST_THREE_MONTHS: Span = Span::Days(date(2023, 2, 10), date(2023, 5, 10));
const LAST_JUNE: Span = Span::Days(date(2022, 6, 1), date(2022, 6, 30));
const MARCH_2024: Span = Span::Days(date(2024, 3, 1), date(2024, 3, 31));
const IN_2022: Span = LAST_YEAR;

#[test]
fn german_is_understood() {
    all(&[
        ("Vorgestern war ich krank", BEFORE_YESTERDAY),
        ("Was habe ich gestern gesagt?", YESTERDAY),
        ("heute", TODAY),
        ("Was steht morgen an?", TOMORROW),
        ("übermorgen", AFTER_TOMORROW),
        ("letzten Dienstag", LAST_TUESDAY),
        ("nächsten Freitag", NEXT_FRIDAY),
        ("am 3. März 2024", day(2024, 3, 3)),
        ("am 3.5.2024 um zehn", day(2024, 5, 3)),
        ("Termin: 3. Mai", yearly(5, 3)),
        ("im März", each_year(3)),
        ("im März 2024", MARCH_2024),
        ("Wo war ich im Jahr 2022?", IN_2022),
        ("vor zwei Wochen", TWO_WEEKS_AGO),
        ("vor 3 Tagen", THREE_DAYS_AGO),
        ("vor einem Jahr", A_YEAR_AGO),
        ("letzte Woche", LAST_WEEK),
        ("vergangenen Monat", LAST_MONTH),
        ("dieses Jahr", THIS_YEAR),
        ("nächste Woche", NEXT_WEEK),
        ("letzten Juni", LAST_JUNE),
        ("in den letzten drei Monaten", LAST_THREE_MONTHS),
    ]);
    none(&[
        "Guten Morgen!",
        "hier ist der Schlüssel",
        "zwei Wochen vor dem Umzug",
        "der letzte Mann",
    ]);
    assert_eq!(seen("heute Morgen"), [TODAY]);
}

#[test]
fn french_is_understood() {
    all(&[
        ("avant-hier", BEFORE_YESTERDAY),
        ("Qu'est-ce que j'ai mangé hier ?", YESTERDAY),
        ("aujourd'hui", TODAY),
        ("demain", TOMORROW),
        ("après-demain", AFTER_TOMORROW),
        ("mardi dernier", LAST_TUESDAY),
        ("vendredi prochain", NEXT_FRIDAY),
        ("le 3 mars 2024", day(2024, 3, 3)),
        ("le 1er août", yearly(8, 1)),
        ("le 3 mars", yearly(3, 3)),
        ("en février", each_year(2)),
        ("en mars 2024", MARCH_2024),
        ("Où étais-je en 2022 ?", IN_2022),
        ("il y a deux semaines", TWO_WEEKS_AGO),
        ("il y a 3 jours", THREE_DAYS_AGO),
        ("il y a un an", A_YEAR_AGO),
        ("la semaine dernière", LAST_WEEK),
        ("le mois dernier", LAST_MONTH),
        ("cette année", THIS_YEAR),
        ("la semaine prochaine", NEXT_WEEK),
        ("l'an dernier", LAST_YEAR),
        ("les trois derniers mois", LAST_THREE_MONTHS),
    ]);
    none(&["la planète Mars est rouge", "il y a deux chats", "le dernier jour"]);
}

#[test]
fn spanish_is_understood() {
    all(&[
        ("anteayer", BEFORE_YESTERDAY),
        ("¿Qué dije ayer?", YESTERDAY),
        ("hoy", TODAY),
        ("mañana", TOMORROW),
        ("pasado mañana", AFTER_TOMORROW),
        ("el martes pasado", LAST_TUESDAY),
        ("el próximo viernes", NEXT_FRIDAY),
        ("el 3 de marzo de 2024", day(2024, 3, 3)),
        ("el 3 de mayo", yearly(5, 3)),
        ("en marzo", each_year(3)),
        ("marzo de 2024", MARCH_2024),
        ("¿Dónde estaba en 2022?", IN_2022),
        ("hace dos semanas", TWO_WEEKS_AGO),
        ("hace tres días", THREE_DAYS_AGO),
        ("hace un año", A_YEAR_AGO),
        ("la semana pasada", LAST_WEEK),
        ("el mes pasado", LAST_MONTH),
        ("este año", THIS_YEAR),
        ("la semana que viene", NEXT_WEEK),
        ("el año pasado", LAST_YEAR),
        ("los últimos tres meses", LAST_THREE_MONTHS),
    ]);
    none(&["por la mañana", "el sol y el mar", "esta casa", "hace frío"]);
}

#[test]
fn italian_is_understood() {
    all(&[
        ("l'altro ieri", BEFORE_YESTERDAY),
        ("Che cosa ho detto ieri?", YESTERDAY),
        ("oggi", TODAY),
        ("domani", TOMORROW),
        ("dopodomani", AFTER_TOMORROW),
        ("martedì scorso", LAST_TUESDAY),
        ("venerdì prossimo", NEXT_FRIDAY),
        ("il 3 marzo 2024", day(2024, 3, 3)),
        ("il 3 maggio", yearly(5, 3)),
        ("a maggio", each_year(5)),
        ("marzo 2024", MARCH_2024),
        ("Dov'ero nel 2022?", IN_2022),
        ("due settimane fa", TWO_WEEKS_AGO),
        ("tre giorni fa", THREE_DAYS_AGO),
        ("un anno fa", A_YEAR_AGO),
        ("la settimana scorsa", LAST_WEEK),
        ("il mese scorso", LAST_MONTH),
        ("quest'anno", THIS_YEAR),
        ("la prossima settimana", NEXT_WEEK),
        ("l'anno scorso", LAST_YEAR),
        ("gli ultimi tre mesi", LAST_THREE_MONTHS),
    ]);
    none(&["non ho mai visto il mare", "che cosa fa", "una settimana"]);
}

#[test]
fn portuguese_is_understood() {
    all(&[
        ("anteontem", BEFORE_YESTERDAY),
        ("O que eu disse ontem?", YESTERDAY),
        ("hoje", TODAY),
        ("amanhã", TOMORROW),
        ("depois de amanhã", AFTER_TOMORROW),
        ("terça-feira passada", LAST_TUESDAY),
        ("na próxima sexta-feira", NEXT_FRIDAY),
        ("3 de março de 2024", day(2024, 3, 3)),
        ("1º de maio", yearly(5, 1)),
        ("em maio", each_year(5)),
        ("março de 2024", MARCH_2024),
        ("Onde eu estava em 2022?", IN_2022),
        ("há duas semanas", TWO_WEEKS_AGO),
        ("três dias atrás", THREE_DAYS_AGO),
        ("há um ano", A_YEAR_AGO),
        ("na semana passada", LAST_WEEK),
        ("no mês passado", LAST_MONTH),
        ("este ano", THIS_YEAR),
        ("a semana que vem", NEXT_WEEK),
        ("o ano passado", LAST_YEAR),
        ("os últimos três meses", LAST_THREE_MONTHS),
    ]);
    none(&["bom dia", "de manhã", "na segunda vez"]);
}

#[test]
fn dutch_is_understood() {
    all(&[
        ("eergisteren", BEFORE_YESTERDAY),
        ("Wat heb ik gisteren gezegd?", YESTERDAY),
        ("vandaag", TODAY),
        ("morgen", TOMORROW),
        ("overmorgen", AFTER_TOMORROW),
        ("afgelopen dinsdag", LAST_TUESDAY),
        ("volgende vrijdag", NEXT_FRIDAY),
        ("op 3 maart 2024", day(2024, 3, 3)),
        ("op 3 mei is het feest", yearly(5, 3)),
        ("begin maart", EARLY_MARCH),
        ("in maart 2024", MARCH_2024),
        ("in het jaar 2022", IN_2022),
        ("twee weken geleden", TWO_WEEKS_AGO),
        ("drie dagen geleden", THREE_DAYS_AGO),
        ("een jaar geleden", A_YEAR_AGO),
        ("vorige week", LAST_WEEK),
        ("vorige maand", LAST_MONTH),
        ("dit jaar", THIS_YEAR),
        ("volgende week", NEXT_WEEK),
        ("vorig jaar", LAST_YEAR),
        ("de afgelopen drie maanden", LAST_THREE_MONTHS),
    ]);
    none(&["goede morgen", "hier ligt de sleutel", "de laatste man"]);
}

#[test]
fn chinese_is_understood() {
    all(&[
        ("我前天去了医院", BEFORE_YESTERDAY),
        ("昨天说了什么？", YESTERDAY),
        ("今天", TODAY),
        ("我们明天见", TOMORROW),
        ("后天", AFTER_TOMORROW),
        ("上周二的会议", day(2023, 5, 2)),
        ("下周五", day(2023, 5, 19)),
        ("在2024年3月5日见面", day(2024, 3, 5)),
        ("三月五号", yearly(3, 5)),
        ("12月", each_year(12)),
        ("2024年3月", MARCH_2024),
        ("2022年", IN_2022),
        ("两周前", TWO_WEEKS_AGO),
        ("三天前", THREE_DAYS_AGO),
        ("一年前", A_YEAR_AGO),
        ("上周", LAST_WEEK),
        ("上个月", LAST_MONTH),
        ("今年", THIS_YEAR),
        ("下个星期", NEXT_WEEK),
        ("下个月", NEXT_MONTH),
        ("去年", LAST_YEAR),
        ("去年六月", LAST_JUNE),
    ]);
    none(&["以前天气很好", "登上月球", "三个月", "我有两只猫"]);
    assert_eq!(seen("上周日本队赢了"), [LAST_WEEK]);
}

#[test]
fn japanese_is_understood() {
    all(&[
        ("一昨日は雨でした", BEFORE_YESTERDAY),
        ("昨日何を食べましたか", YESTERDAY),
        ("今日", TODAY),
        ("明日の会議", TOMORROW),
        ("明後日", AFTER_TOMORROW),
        ("先週の火曜日", day(2023, 5, 2)),
        ("来週の金曜", day(2023, 5, 19)),
        ("2024年3月5日に会う", day(2024, 3, 5)),
        ("３月５日", yearly(3, 5)),
        ("3月", each_year(3)),
        ("2024年3月", MARCH_2024),
        ("2022年", IN_2022),
        ("二週間前", TWO_WEEKS_AGO),
        ("3日前", THREE_DAYS_AGO),
        ("一年前", A_YEAR_AGO),
        ("先週", LAST_WEEK),
        ("先月", LAST_MONTH),
        ("今年", THIS_YEAR),
        ("来週", NEXT_WEEK),
        ("昨年", LAST_YEAR),
    ]);
    none(&["三ヶ月", "2年前期", "駅前"]);
    let two_months_ago = Span::Days(date(2023, 2, 23), date(2023, 3, 25));
    assert_eq!(seen("2ヶ月前"), [two_months_ago]);
}

#[test]
fn korean_is_understood() {
    all(&[
        ("그저께", BEFORE_YESTERDAY),
        ("어제는 무엇을 먹었지?", YESTERDAY),
        ("오늘", TODAY),
        ("내일 만나요", TOMORROW),
        ("모레", AFTER_TOMORROW),
        ("지난 화요일", LAST_TUESDAY),
        ("다음 금요일에", NEXT_FRIDAY),
        ("지난주 화요일", day(2023, 5, 2)),
        ("2024년 3월 5일에", day(2024, 3, 5)),
        ("3월 5일", yearly(3, 5)),
        ("3월에", each_year(3)),
        ("2024년 3월", MARCH_2024),
        ("2022년에", IN_2022),
        ("2주 전", TWO_WEEKS_AGO),
        ("3일 전에", THREE_DAYS_AGO),
        ("1년 전", A_YEAR_AGO),
        ("지난 주에", LAST_WEEK),
        ("지난달", LAST_MONTH),
        ("올해", THIS_YEAR),
        ("다음 주", NEXT_WEEK),
        ("작년", LAST_YEAR),
    ]);
    none(&["다음에 봐요", "고양이 두 마리", "3개월"]);
    let a_month_ago = Span::Days(date(2023, 3, 26), date(2023, 4, 25));
    assert_eq!(seen("한 달 전"), [a_month_ago]);
}

#[test]
fn words_of_other_languages_are_no_dates_in_english() {
    none(&[
        "a mayo sandwich with 2 mayo packets",
        "six Mars bars and the Mars 2020 rover",
        "5 lug nuts, 3 set pieces, 2 out of 3",
        "a 2023 report that I ate 2000 calories for",
        "Mei told me in Mei's room that Julio left",
        "the sun set, he sat by the sea",
        "no 2024 model, half 2022 stock",
        "an era of die casting in the des Moines plant",
    ]);
}

/// What a question means that says this.
fn wanted(cases: &[(&str, Span)]) {
    for (text, span) in cases {
        assert_eq!(asked(text, Some(NOW)), [*span], "{text}");
    }
}

const EARLIEST: Date = date(1900, 1, 1);
const SINCE_3_MAY: Span = Span::Days(date(2023, 5, 3), NOW);
const AFTER_3_MAY: Span = Span::Days(date(2023, 5, 4), NOW);
const BEFORE_3_MAY: Span = Span::Days(EARLIEST, date(2023, 5, 2));
const UNTIL_3_MAY: Span = Span::Days(EARLIEST, date(2023, 5, 3));
const SINCE_MARCH: Span = Span::Days(date(2023, 3, 1), NOW);
const BEFORE_MARCH: Span = Span::Days(EARLIEST, date(2023, 2, 28));
const SINCE_YESTERDAY: Span = Span::Days(date(2023, 5, 9), NOW);
const SINCE_TUESDAY: Span = SINCE_YESTERDAY;
const FROM_5_TO_9_MARCH: Span = Span::Days(date(2023, 3, 5), date(2023, 3, 9));
const FROM_28_MARCH_TO_2_APRIL: Span = Span::Days(date(2023, 3, 28), date(2023, 4, 2));
const MARCH_AND_APRIL: Span = Span::Days(date(2023, 3, 1), date(2023, 4, 30));
const EARLY_MARCH: Span = Span::Days(date(2023, 3, 1), date(2023, 3, 10));
const MID_MARCH: Span = Span::Days(date(2023, 3, 11), date(2023, 3, 20));
const LATE_MARCH: Span = Span::Days(date(2023, 3, 21), date(2023, 3, 31));
const LATE_APRIL: Span = Span::Days(date(2023, 4, 21), date(2023, 4, 30));
const LATE_2022: Span = Span::Days(date(2022, 9, 1), date(2022, 12, 31));
const LAST_WEEKEND: Span = Span::Days(date(2023, 5, 5), date(2023, 5, 7));
const WEEKEND_BEFORE: Span = Span::Days(date(2023, 4, 28), date(2023, 4, 30));
const TUESDAY_OF_LAST_WEEK: Span = day(2023, 5, 2);
const A_WEEK_AGO: Span = Span::Days(date(2023, 4, 30), date(2023, 5, 6));
const TWO_MONTHS_AGO: Span = Span::Days(date(2023, 2, 23), date(2023, 3, 25));
const LAST_SUMMER: Span = Span::Days(date(2022, 6, 1), date(2022, 8, 31));
const LAST_SPRING: Span = Span::Days(date(2022, 3, 1), date(2022, 5, 31));
const LAST_TWO_WEEKS: Span = Span::Days(date(2023, 4, 26), NOW);
const WEEK_BEFORE_LAST: Span = Span::Days(date(2023, 4, 24), date(2023, 4, 30));

#[test]
fn english_spans_are_read() {
    wanted(&[
        ("What happened since May 3rd?", SINCE_3_MAY),
        ("What happened after 3 May?", AFTER_3_MAY),
        ("What did I write before 3 May?", BEFORE_3_MAY),
        ("What did I write before the 3rd of May?", BEFORE_3_MAY),
        ("Everything until 3 May", UNTIL_3_MAY),
        ("since March", SINCE_MARCH),
        ("before march", BEFORE_MARCH),
        ("since yesterday", SINCE_YESTERDAY),
        ("since last Tuesday", SINCE_TUESDAY),
        ("What did I do between 5 and 9 March?", FROM_5_TO_9_MARCH),
        ("between the 5th and the 9th of March", FROM_5_TO_9_MARCH),
        ("between March 5 and 9", FROM_5_TO_9_MARCH),
        ("between March 28 and 2 April", FROM_28_MARCH_TO_2_APRIL),
        ("from 5 to 9 March", FROM_5_TO_9_MARCH),
        ("from March 5 to March 9", FROM_5_TO_9_MARCH),
        ("from March to April", MARCH_AND_APRIL),
        ("between March and April", MARCH_AND_APRIL),
        ("in early March", EARLY_MARCH),
        ("at the beginning of March", EARLY_MARCH),
        ("mid-March", MID_MARCH),
        ("in late March", LATE_MARCH),
        ("at the end of March", LATE_MARCH),
        ("at the end of last month", LATE_APRIL),
        ("in late 2022", LATE_2022),
        ("at the end of last year", LATE_2022),
        ("in late June", Span::Days(date(2022, 6, 21), date(2022, 6, 30))),
        ("mid January 2021", Span::Days(date(2021, 1, 11), date(2021, 1, 20))),
        ("What did I do at the weekend?", LAST_WEEKEND),
        ("last weekend", LAST_WEEKEND),
        ("the weekend before last", WEEKEND_BEFORE),
        ("two weekends ago", WEEKEND_BEFORE),
        ("the week before last", WEEK_BEFORE_LAST),
        ("What did I do on Tuesday last week?", TUESDAY_OF_LAST_WEEK),
        ("Tuesday of last week", TUESDAY_OF_LAST_WEEK),
        ("last week on Tuesday", TUESDAY_OF_LAST_WEEK),
        ("a week ago", A_WEEK_AGO),
        ("a fortnight ago", TWO_WEEKS_AGO),
        ("two months ago", TWO_MONTHS_AGO),
        ("the day before yesterday", BEFORE_YESTERDAY),
        ("the day after tomorrow", AFTER_TOMORROW),
        ("last summer", LAST_SUMMER),
        ("in the summer of 2022", LAST_SUMMER),
        ("last spring", LAST_SPRING),
        ("What did I do on the 3rd?", day(2023, 5, 3)),
        ("What did I do on the 12th?", day(2023, 4, 12)),
    ]);
    for text in [
        "the end of the month of plenty",
        "between you and me",
        "after 5 of them",
        "Tuesday is fine",
        "in the end may I ask",
        "from 5 to 9 people",
        "I live on the 12th floor",
        "every weekend",
        "the weekend of the fair",
    ] {
        assert_eq!(asked(text, Some(NOW)), [], "{text}");
    }
}

#[test]
fn german_spans_are_read() {
    wanted(&[
        ("Was ist seit dem 3. Mai passiert?", SINCE_3_MAY),
        ("Was habe ich nach dem 3. Mai gemacht?", AFTER_3_MAY),
        ("Was habe ich vor dem 3. Mai gemacht?", BEFORE_3_MAY),
        ("Was war alles bis zum 3. Mai?", UNTIL_3_MAY),
        ("Was war seit März los?", SINCE_MARCH),
        ("vor März", BEFORE_MARCH),
        ("seit gestern", SINCE_YESTERDAY),
        ("seit letztem Dienstag", SINCE_TUESDAY),
        ("Was habe ich zwischen dem 5. und dem 9. März gemacht?", FROM_5_TO_9_MARCH),
        ("zwischen dem 5. und 9. März", FROM_5_TO_9_MARCH),
        ("vom 5. bis 9. März", FROM_5_TO_9_MARCH),
        ("vom 5. bis zum 9. März", FROM_5_TO_9_MARCH),
        ("vom 5.3. bis 9.3.2023", FROM_5_TO_9_MARCH),
        ("vom 28. März bis 2. April", FROM_28_MARCH_TO_2_APRIL),
        ("von März bis April", MARCH_AND_APRIL),
        ("Was war Anfang März?", EARLY_MARCH),
        ("Mitte März", MID_MARCH),
        ("Was habe ich Ende März gemacht?", LATE_MARCH),
        ("Ende letzten Monats", LATE_APRIL),
        ("Ende 2022, was war da?", LATE_2022),
        ("Ende letzten Jahres", LATE_2022),
        ("Was habe ich am Wochenende gemacht?", LAST_WEEKEND),
        ("Was habe ich letztes Wochenende gemacht?", LAST_WEEKEND),
        ("am vergangenen Wochenende", LAST_WEEKEND),
        ("vorletztes Wochenende", WEEKEND_BEFORE),
        ("vor zwei Wochenenden", WEEKEND_BEFORE),
        ("vorletzte Woche", WEEK_BEFORE_LAST),
        ("Was war am Dienstag letzter Woche?", TUESDAY_OF_LAST_WEEK),
        ("Dienstag der letzten Woche", TUESDAY_OF_LAST_WEEK),
        ("letzte Woche Dienstag", TUESDAY_OF_LAST_WEEK),
        ("letzte Woche am Dienstag", TUESDAY_OF_LAST_WEEK),
        ("vor einer Woche", A_WEEK_AGO),
        ("vor zwei Monaten", TWO_MONTHS_AGO),
        ("vorgestern", BEFORE_YESTERDAY),
        ("letztes Jahr", LAST_YEAR),
        ("letzten Sommer", LAST_SUMMER),
        ("im Sommer 2022", LAST_SUMMER),
        ("letzten Frühling", LAST_SPRING),
        ("letztes Frühjahr", LAST_SPRING),
        ("seit zwei Wochen", LAST_TWO_WEEKS),
        ("Was habe ich am 3. gemacht?", day(2023, 5, 3)),
        ("Was war am 12.4.?", yearly(4, 12)),
        ("Was war am 12.4. los?", yearly(4, 12)),
    ]);
    for text in ["am 12. Spieltag", "nach 3 Tagen", "vor dem Umzug", "jedes Wochenende", "Ende gut"]
    {
        assert_eq!(asked(text, Some(NOW)), [], "{text}");
    }
}

#[test]
fn french_spans_are_read() {
    wanted(&[
        ("Qu'est-ce qui s'est passé depuis le 3 mai ?", SINCE_3_MAY),
        ("Qu'ai-je fait après le 3 mai ?", AFTER_3_MAY),
        ("Qu'ai-je fait avant le 3 mai ?", BEFORE_3_MAY),
        ("Qu'est-ce que j'ai écrit jusqu'au 3 mai ?", UNTIL_3_MAY),
        ("Qu'est-ce que j'ai fait depuis mars ?", SINCE_MARCH),
        ("Qu'est-ce que j'ai fait avant mars ?", BEFORE_MARCH),
        ("depuis hier", SINCE_YESTERDAY),
        ("depuis mardi dernier", SINCE_TUESDAY),
        ("Qu'ai-je fait entre le 5 et le 9 mars ?", FROM_5_TO_9_MARCH),
        ("du 5 au 9 mars", FROM_5_TO_9_MARCH),
        ("du 28 mars au 2 avril", FROM_28_MARCH_TO_2_APRIL),
        ("de mars à avril", MARCH_AND_APRIL),
        ("entre mars et avril", MARCH_AND_APRIL),
        ("Qu'est-ce que j'ai fait début mars ?", EARLY_MARCH),
        ("au début du mois de mars", EARLY_MARCH),
        ("à la mi-mars, où étais-je ?", MID_MARCH),
        ("Où étais-je fin mars ?", LATE_MARCH),
        ("à la fin de mars, que s'est-il passé ?", LATE_MARCH),
        ("à la fin du mois dernier", LATE_APRIL),
        ("Où étais-je fin 2022 ?", LATE_2022),
        ("à la fin de l'année dernière", LATE_2022),
        ("Qu'est-ce que j'ai fait le week-end ?", LAST_WEEKEND),
        ("Qu'est-ce que j'ai fait le week-end dernier ?", LAST_WEEKEND),
        ("le weekend dernier", LAST_WEEKEND),
        ("l'avant-dernier week-end", WEEKEND_BEFORE),
        ("il y a deux week-ends", WEEKEND_BEFORE),
        ("l'avant-dernière semaine", WEEK_BEFORE_LAST),
        ("mardi de la semaine dernière", TUESDAY_OF_LAST_WEEK),
        ("le mardi de la semaine passée", TUESDAY_OF_LAST_WEEK),
        ("il y a une semaine", A_WEEK_AGO),
        ("il y a deux mois", TWO_MONTHS_AGO),
        ("avant-hier", BEFORE_YESTERDAY),
        ("l'année dernière", LAST_YEAR),
        ("l'été dernier", LAST_SUMMER),
        ("à l'été 2022", LAST_SUMMER),
        ("le printemps dernier", LAST_SPRING),
        ("depuis deux semaines", LAST_TWO_WEEKS),
        ("Qu'est-ce que j'ai fait le 3 ?", day(2023, 5, 3)),
    ]);
    for text in ["il a été dernier", "après le déménagement", "entre nous", "le 12 rue Monge"]
    {
        assert_eq!(asked(text, Some(NOW)), [], "{text}");
    }
}

#[test]
fn spanish_spans_are_read() {
    wanted(&[
        ("¿Qué ha pasado desde el 3 de mayo?", SINCE_3_MAY),
        ("¿Qué hice después del 3 de mayo?", AFTER_3_MAY),
        ("¿Qué hice antes del 3 de mayo?", BEFORE_3_MAY),
        ("¿Qué hice hasta el 3 de mayo?", UNTIL_3_MAY),
        ("desde marzo", SINCE_MARCH),
        ("antes de marzo", BEFORE_MARCH),
        ("desde ayer", SINCE_YESTERDAY),
        ("desde el martes pasado", SINCE_TUESDAY),
        ("¿Qué hice entre el 5 y el 9 de marzo?", FROM_5_TO_9_MARCH),
        ("del 5 al 9 de marzo", FROM_5_TO_9_MARCH),
        ("desde el 5 hasta el 9 de marzo", FROM_5_TO_9_MARCH),
        ("del 28 de marzo al 2 de abril", FROM_28_MARCH_TO_2_APRIL),
        ("de marzo a abril", MARCH_AND_APRIL),
        ("¿Qué hice a principios de marzo?", EARLY_MARCH),
        ("a mediados de marzo", MID_MARCH),
        ("a finales de marzo", LATE_MARCH),
        ("a fines de marzo", LATE_MARCH),
        ("a finales del mes pasado", LATE_APRIL),
        ("a finales de 2022", LATE_2022),
        ("a finales del año pasado", LATE_2022),
        ("¿Qué hice el fin de semana?", LAST_WEEKEND),
        ("¿Qué hice el fin de semana pasado?", LAST_WEEKEND),
        ("el fin de semana antepasado", WEEKEND_BEFORE),
        ("hace dos fines de semana", WEEKEND_BEFORE),
        ("la semana antepasada", WEEK_BEFORE_LAST),
        ("el martes de la semana pasada", TUESDAY_OF_LAST_WEEK),
        ("la semana pasada el martes", TUESDAY_OF_LAST_WEEK),
        ("hace una semana", A_WEEK_AGO),
        ("hace dos meses", TWO_MONTHS_AGO),
        ("anteayer", BEFORE_YESTERDAY),
        ("el año pasado", LAST_YEAR),
        ("el verano pasado", LAST_SUMMER),
        ("en el verano de 2022", LAST_SUMMER),
        ("la primavera pasada", LAST_SPRING),
        ("desde hace dos semanas", LAST_TWO_WEEKS),
        ("¿Qué hice el día 3?", day(2023, 5, 3)),
        ("¿Qué hice el 3?", day(2023, 5, 3)),
    ]);
    for text in
        ["entre tú y yo", "desde luego", "antes de comer", "el 12 por ciento", "al final del libro"]
    {
        assert_eq!(asked(text, Some(NOW)), [], "{text}");
    }
}

#[test]
fn italian_spans_are_read() {
    wanted(&[
        ("Che cosa è successo dal 3 maggio?", SINCE_3_MAY),
        ("Cosa ho fatto dopo il 3 maggio?", AFTER_3_MAY),
        ("Cosa ho fatto prima del 3 maggio?", BEFORE_3_MAY),
        ("Cosa ho fatto fino al 3 maggio?", UNTIL_3_MAY),
        ("da marzo", SINCE_MARCH),
        ("prima di marzo", BEFORE_MARCH),
        ("da ieri", SINCE_YESTERDAY),
        ("da martedì scorso", SINCE_TUESDAY),
        ("Cosa ho fatto tra il 5 e il 9 marzo?", FROM_5_TO_9_MARCH),
        ("dal 5 al 9 marzo", FROM_5_TO_9_MARCH),
        ("dal 28 marzo al 2 aprile", FROM_28_MARCH_TO_2_APRIL),
        ("da marzo ad aprile", MARCH_AND_APRIL),
        ("Cosa ho fatto all'inizio di marzo?", EARLY_MARCH),
        ("a inizio marzo", EARLY_MARCH),
        ("a metà marzo", MID_MARCH),
        ("a fine marzo", LATE_MARCH),
        ("alla fine di marzo", LATE_MARCH),
        ("alla fine del mese scorso", LATE_APRIL),
        ("alla fine del 2022", LATE_2022),
        ("alla fine dell'anno scorso", LATE_2022),
        ("Cosa ho fatto nel fine settimana?", LAST_WEEKEND),
        ("Cosa ho fatto lo scorso fine settimana?", LAST_WEEKEND),
        ("il weekend scorso", LAST_WEEKEND),
        ("due weekend fa", WEEKEND_BEFORE),
        ("martedì della settimana scorsa", TUESDAY_OF_LAST_WEEK),
        ("martedì della scorsa settimana", TUESDAY_OF_LAST_WEEK),
        ("una settimana fa", A_WEEK_AGO),
        ("due mesi fa", TWO_MONTHS_AGO),
        ("l'altro ieri", BEFORE_YESTERDAY),
        ("ieri l'altro", BEFORE_YESTERDAY),
        ("l'anno scorso", LAST_YEAR),
        ("l'estate scorsa", LAST_SUMMER),
        ("la scorsa estate", LAST_SUMMER),
        ("nell'estate del 2022", LAST_SUMMER),
        ("la primavera scorsa", LAST_SPRING),
        ("da due settimane", LAST_TWO_WEEKS),
        ("Cosa ho fatto il 3?", day(2023, 5, 3)),
    ]);
    for text in ["tra noi due", "dopo il trasloco", "alla fine del film", "da solo a casa"] {
        assert_eq!(asked(text, Some(NOW)), [], "{text}");
    }
}

#[test]
fn portuguese_spans_are_read() {
    wanted(&[
        ("O que aconteceu desde 3 de maio?", SINCE_3_MAY),
        ("O que fiz depois de 3 de maio?", AFTER_3_MAY),
        ("O que fiz antes do dia 3 de maio?", BEFORE_3_MAY),
        ("O que fiz até 3 de maio?", UNTIL_3_MAY),
        ("desde março", SINCE_MARCH),
        ("antes de março", BEFORE_MARCH),
        ("desde ontem", SINCE_YESTERDAY),
        ("desde terça passada", SINCE_TUESDAY),
        ("O que fiz entre 5 e 9 de março?", FROM_5_TO_9_MARCH),
        ("entre os dias 5 e 9 de março", FROM_5_TO_9_MARCH),
        ("de 5 a 9 de março", FROM_5_TO_9_MARCH),
        ("do dia 5 ao dia 9 de março", FROM_5_TO_9_MARCH),
        ("de 28 de março a 2 de abril", FROM_28_MARCH_TO_2_APRIL),
        ("de março a abril", MARCH_AND_APRIL),
        ("O que fiz no início de março?", EARLY_MARCH),
        ("no começo de março", EARLY_MARCH),
        ("em meados de março", MID_MARCH),
        ("no fim de março", LATE_MARCH),
        ("no final de março", LATE_MARCH),
        ("no final do mês passado", LATE_APRIL),
        ("no final de 2022", LATE_2022),
        ("no fim do ano passado", LATE_2022),
        ("O que fiz no fim de semana?", LAST_WEEKEND),
        ("O que fiz no fim de semana passado?", LAST_WEEKEND),
        ("no último fim de semana", LAST_WEEKEND),
        ("no fim de semana retrasado", WEEKEND_BEFORE),
        ("há dois fins de semana", WEEKEND_BEFORE),
        ("na semana retrasada", WEEK_BEFORE_LAST),
        ("na terça da semana passada", TUESDAY_OF_LAST_WEEK),
        ("terça-feira da semana passada", TUESDAY_OF_LAST_WEEK),
        ("há uma semana", A_WEEK_AGO),
        ("uma semana atrás", A_WEEK_AGO),
        ("dois meses atrás", TWO_MONTHS_AGO),
        ("anteontem", BEFORE_YESTERDAY),
        ("no ano passado", LAST_YEAR),
        ("no verão passado", LAST_SUMMER),
        ("no verão de 2022", LAST_SUMMER),
        ("na primavera passada", LAST_SPRING),
        ("desde há duas semanas", LAST_TWO_WEEKS),
        ("O que fiz no dia 3?", day(2023, 5, 3)),
    ]);
    for text in ["na semana passada, na segunda reunião", "de casa a casa", "antes de comer"] {
        assert!(asked(text, Some(NOW)).iter().all(|span| *span == LAST_WEEK), "{text}");
    }
}

#[test]
fn dutch_spans_are_read() {
    wanted(&[
        ("Wat is er sinds 3 mei gebeurd?", SINCE_3_MAY),
        ("Wat heb ik na 3 mei gedaan?", AFTER_3_MAY),
        ("Wat heb ik voor 3 mei gedaan?", BEFORE_3_MAY),
        ("Wat heb ik tot 3 mei gedaan?", UNTIL_3_MAY),
        ("sinds maart", SINCE_MARCH),
        ("voor maart", BEFORE_MARCH),
        ("sinds gisteren", SINCE_YESTERDAY),
        ("sinds afgelopen dinsdag", SINCE_TUESDAY),
        ("Wat heb ik tussen 5 en 9 maart gedaan?", FROM_5_TO_9_MARCH),
        ("van 5 tot 9 maart", FROM_5_TO_9_MARCH),
        ("van 5 t/m 9 maart", FROM_5_TO_9_MARCH),
        ("van 5 tot en met 9 maart", FROM_5_TO_9_MARCH),
        ("van 28 maart tot 2 april", FROM_28_MARCH_TO_2_APRIL),
        ("van maart tot april", MARCH_AND_APRIL),
        ("Wat deed ik begin maart?", EARLY_MARCH),
        ("half maart", MID_MARCH),
        ("eind maart", LATE_MARCH),
        ("eind vorige maand", LATE_APRIL),
        ("Waar was ik eind 2022?", LATE_2022),
        ("eind vorig jaar", LATE_2022),
        ("Wat heb ik in het weekend gedaan?", LAST_WEEKEND),
        ("Wat heb ik afgelopen weekend gedaan?", LAST_WEEKEND),
        ("vorig weekend", LAST_WEEKEND),
        ("twee weekenden geleden", WEEKEND_BEFORE),
        ("dinsdag van vorige week", TUESDAY_OF_LAST_WEEK),
        ("vorige week dinsdag", TUESDAY_OF_LAST_WEEK),
        ("een week geleden", A_WEEK_AGO),
        ("twee maanden geleden", TWO_MONTHS_AGO),
        ("eergisteren", BEFORE_YESTERDAY),
        ("vorig jaar", LAST_YEAR),
        ("afgelopen zomer", LAST_SUMMER),
        ("in de zomer van 2022", LAST_SUMMER),
        ("vorig voorjaar", LAST_SPRING),
        ("sinds twee weken", LAST_TWO_WEEKS),
        ("Wat deed ik op de 3e?", day(2023, 5, 3)),
    ]);
    for text in ["tussen ons", "voor mijn moeder", "het einde van de film", "van huis tot huis"] {
        assert_eq!(asked(text, Some(NOW)), [], "{text}");
    }
}

#[test]
fn chinese_spans_are_read() {
    wanted(&[
        ("5月3日以来发生了什么？", SINCE_3_MAY),
        ("从5月3日开始我做了什么？", SINCE_3_MAY),
        ("5月3日之后发生了什么？", AFTER_3_MAY),
        ("5月3号以后我做了什么", AFTER_3_MAY),
        ("5月3日之前我做了什么？", BEFORE_3_MAY),
        ("直到5月3日", UNTIL_3_MAY),
        ("到5月3日为止", UNTIL_3_MAY),
        ("三月以来", SINCE_MARCH),
        ("三月之前", BEFORE_MARCH),
        ("从昨天开始", SINCE_YESTERDAY),
        ("3月5日到9日我做了什么？", FROM_5_TO_9_MARCH),
        ("从3月5号到3月9号", FROM_5_TO_9_MARCH),
        ("3月5日和9日之间发生了什么", FROM_5_TO_9_MARCH),
        ("3月5日至9日", FROM_5_TO_9_MARCH),
        ("3月5-9日", FROM_5_TO_9_MARCH),
        ("2023年3月5日到9日", FROM_5_TO_9_MARCH),
        ("3月28日到4月2日", FROM_28_MARCH_TO_2_APRIL),
        ("三月到四月", MARCH_AND_APRIL),
        ("三月初我做了什么？", EARLY_MARCH),
        ("3月上旬", EARLY_MARCH),
        ("3月中旬", MID_MARCH),
        ("3月底", LATE_MARCH),
        ("三月下旬", LATE_MARCH),
        ("上个月底", LATE_APRIL),
        ("2022年底", LATE_2022),
        ("去年年底", LATE_2022),
        ("周末我做了什么？", LAST_WEEKEND),
        ("上周末做了什么？", LAST_WEEKEND),
        ("上个周末", LAST_WEEKEND),
        ("上上个周末", WEEKEND_BEFORE),
        ("上上周", WEEK_BEFORE_LAST),
        ("上周二", TUESDAY_OF_LAST_WEEK),
        ("上个星期二", TUESDAY_OF_LAST_WEEK),
        ("上週二", TUESDAY_OF_LAST_WEEK),
        ("一周前", A_WEEK_AGO),
        ("一个星期前", A_WEEK_AGO),
        ("两个月前", TWO_MONTHS_AGO),
        ("前天", BEFORE_YESTERDAY),
        ("去年", LAST_YEAR),
        ("去年夏天", LAST_SUMMER),
        ("2022年夏天", LAST_SUMMER),
        ("去年春天", LAST_SPRING),
        ("过去两周", LAST_TWO_WEEKS),
        ("3月12日做了什么", yearly(3, 12)),
    ]);
    for text in ["每个周末", "我们之间", "以后再说", "这个人", "最近怎么样", "去了三家店"]
    {
        assert_eq!(asked(text, Some(NOW)), [], "{text}");
    }
    assert_eq!(seen("去年春节"), [LAST_YEAR]);
    assert_eq!(seen("周末去爬山"), []);
    assert_eq!(seen("5月3日之前交"), [yearly(5, 3)]);
}

#[test]
fn japanese_spans_are_read() {
    wanted(&[
        ("5月3日から何があった？", SINCE_3_MAY),
        ("5月3日以降に何をしましたか", SINCE_3_MAY),
        ("5月3日の後に何をした？", AFTER_3_MAY),
        ("5月3日より前に何をした？", BEFORE_3_MAY),
        ("5月3日以前", BEFORE_3_MAY),
        ("5月3日まで", UNTIL_3_MAY),
        ("3月から", SINCE_MARCH),
        ("3月より前", BEFORE_MARCH),
        ("昨日から", SINCE_YESTERDAY),
        ("3月5日から9日まで何をした？", FROM_5_TO_9_MARCH),
        ("3月5日から3月9日まで", FROM_5_TO_9_MARCH),
        ("3月5日と9日の間に", FROM_5_TO_9_MARCH),
        ("3月5日〜9日", FROM_5_TO_9_MARCH),
        ("3月28日から4月2日まで", FROM_28_MARCH_TO_2_APRIL),
        ("3月から4月まで", MARCH_AND_APRIL),
        ("3月初めに何をした？", EARLY_MARCH),
        ("3月の初め", EARLY_MARCH),
        ("3月上旬", EARLY_MARCH),
        ("3月半ば", MID_MARCH),
        ("3月中旬", MID_MARCH),
        ("3月末", LATE_MARCH),
        ("3月の終わり", LATE_MARCH),
        ("3月下旬", LATE_MARCH),
        ("先月末", LATE_APRIL),
        ("2022年末", LATE_2022),
        ("昨年末", LATE_2022),
        ("週末は何をした？", LAST_WEEKEND),
        ("先週末は何をした？", LAST_WEEKEND),
        ("先週の週末", LAST_WEEKEND),
        ("先々週末", WEEKEND_BEFORE),
        ("先々週の週末", WEEKEND_BEFORE),
        ("先々週", WEEK_BEFORE_LAST),
        ("先週の火曜日", TUESDAY_OF_LAST_WEEK),
        ("先週火曜", TUESDAY_OF_LAST_WEEK),
        ("この前の火曜日", LAST_TUESDAY),
        ("一週間前", A_WEEK_AGO),
        ("1週間前", A_WEEK_AGO),
        ("二ヶ月前", TWO_MONTHS_AGO),
        ("2か月前", TWO_MONTHS_AGO),
        ("おととい", BEFORE_YESTERDAY),
        ("去年", LAST_YEAR),
        ("昨年の夏", LAST_SUMMER),
        ("去年の夏", LAST_SUMMER),
        ("2022年の夏", LAST_SUMMER),
        ("去年の春", LAST_SPRING),
        ("この二週間", LAST_TWO_WEEKS),
        ("過去二週間", LAST_TWO_WEEKS),
    ]);
    for text in ["毎週末", "駅の前の店", "この二人", "ここにある", "これから", "この前二人で"]
    {
        assert_eq!(asked(text, Some(NOW)), [], "{text}");
    }
    assert_eq!(seen("3月初めて会った"), [each_year(3)]);
    assert_eq!(seen("週末に行く"), []);
}

#[test]
fn korean_spans_are_read() {
    wanted(&[
        ("5월 3일부터 무슨 일이 있었어?", SINCE_3_MAY),
        ("5월 3일 이후에 뭐 했어?", SINCE_3_MAY),
        ("5월 3일 후에 뭐 했어?", AFTER_3_MAY),
        ("5월 3일 전에 뭐 했어?", BEFORE_3_MAY),
        ("5월 3일 이전", BEFORE_3_MAY),
        ("5월 3일까지", UNTIL_3_MAY),
        ("3월부터", SINCE_MARCH),
        ("3월 이전에", BEFORE_MARCH),
        ("어제부터", SINCE_YESTERDAY),
        ("지난 화요일부터", SINCE_TUESDAY),
        ("3월 5일부터 9일까지 뭐 했어?", FROM_5_TO_9_MARCH),
        ("3월 5일과 9일 사이에", FROM_5_TO_9_MARCH),
        ("3월 5일에서 9일 사이", FROM_5_TO_9_MARCH),
        ("3월 5일~9일", FROM_5_TO_9_MARCH),
        ("3월 28일부터 4월 2일까지", FROM_28_MARCH_TO_2_APRIL),
        ("3월부터 4월까지", MARCH_AND_APRIL),
        ("3월 초에 뭐 했어?", EARLY_MARCH),
        ("3월 중순에", MID_MARCH),
        ("3월 말에", LATE_MARCH),
        ("지난달 말", LATE_APRIL),
        ("2022년 말에", LATE_2022),
        ("작년 말", LATE_2022),
        ("주말에 뭐 했어?", LAST_WEEKEND),
        ("지난 주말에 뭐 했어?", LAST_WEEKEND),
        ("지난주 주말", LAST_WEEKEND),
        ("지지난 주말", WEEKEND_BEFORE),
        ("지지난주", WEEK_BEFORE_LAST),
        ("지난주 화요일", TUESDAY_OF_LAST_WEEK),
        ("저번 주 화요일에", TUESDAY_OF_LAST_WEEK),
        ("일주일 전", A_WEEK_AGO),
        ("두 달 전", TWO_MONTHS_AGO),
        ("2개월 전에", TWO_MONTHS_AGO),
        ("그저께", BEFORE_YESTERDAY),
        ("작년", LAST_YEAR),
        ("작년 여름", LAST_SUMMER),
        ("지난여름", LAST_SUMMER),
        ("2022년 여름에", LAST_SUMMER),
        ("지난봄에", LAST_SPRING),
        ("지난 2주", LAST_TWO_WEEKS),
        ("최근 2주 동안", LAST_TWO_WEEKS),
    ]);
    for text in ["매주말", "주말마다", "우리 사이", "전화했어"] {
        assert_eq!(asked(text, Some(NOW)), [], "{text}");
    }
    assert_eq!(asked("3월 5일 전화했어?", Some(NOW)), [yearly(3, 5)]);
    assert_eq!(seen("주말에 갈게"), []);
}

#[test]
fn a_note_names_the_days_of_which_a_question_asks_what_was_beside_them() {
    assert_eq!(seen("I am vegetarian since 3 May"), [yearly(5, 3)]);
    assert_eq!(seen("The form must be in before 3 May"), [yearly(5, 3)]);
    assert_eq!(seen("In Rom bis 3. Mai"), [yearly(5, 3)]);
    // What is due is looked for under its day.
    assert_eq!(asked("What must I do before 3 June?", Some(NOW)), [yearly(6, 3)]);
    // Who writes of August in May has it before them.
    let ahead = Span::Days(date(2023, 8, 5), date(2023, 8, 9));
    assert_eq!(seen("We are in Rome 5-9 August"), [ahead]);
    let behind = Span::Days(date(2022, 8, 5), date(2022, 8, 9));
    assert_eq!(asked("Where was I 5-9 August?", Some(NOW)), [behind]);
    assert_eq!(seen("every weekend"), []);
    assert_eq!(seen("We meet at the weekend"), []);
}

#[test]
fn days_are_read_from_numbers() {
    for text in [
        "5-9 March",
        "5–9 March",
        "5 – 9 March",
        "5th-9th March",
        "5 to 9 March 2023",
        "March 5-9",
        "March 5–9, 2023",
        "2023-03-05 to 2023-03-09",
        "2023-03-05 – 2023-03-09",
        "5.–9. März",
        "5. bis 9. März",
        "5.3.2023 - 9.3.2023",
        "05/03/2023 to 09/03/2023, der Urlaub und die Reise",
    ] {
        assert_eq!(asked(text, Some(NOW)), [FROM_5_TO_9_MARCH], "{text}");
        assert_eq!(seen(text), [FROM_5_TO_9_MARCH], "{text}");
    }
    let twelfth = day(2026, 3, 12);
    for text in [
        "12.3.2026",
        "2026/03/12",
        "2026-03-12",
        "Der Termin ist am 12/03/2026 beim Arzt",
        "le rendez-vous est le 12/03/2026",
        "la cita es el 12/03/2026",
        "de afspraak is op 12-03-2026",
        "2026年3月12日",
        "2026년 3월 12일",
    ] {
        assert_eq!(seen(text), [twelfth], "{text}");
    }
    assert_eq!(seen("3月12日"), [yearly(3, 12)]);
    assert_eq!(seen("3월 12일"), [yearly(3, 12)]);
    assert_eq!(seen("le 12 mars"), [yearly(3, 12)]);
    // One number above twelve tells.
    assert_eq!(seen("the invoice of 25/03/2026"), [day(2026, 3, 25)]);
    assert_eq!(seen("the invoice of 03/25/2026"), [day(2026, 3, 25)]);
    // In English it may be either, unless another date of the text tells.
    assert_eq!(seen("the invoice of 12/03/2026"), [day(2026, 12, 3), twelfth]);
    assert_eq!(seen("the invoice of 03/03/2026"), [day(2026, 3, 3)]);
    assert_eq!(seen("due 25/03/2026, sent 12/03/2026"), [day(2026, 3, 25), twelfth]);
}

#[test]
fn a_weekday_in_a_question_is_the_last_or_the_coming_one() {
    let (last, next) = (LAST_TUESDAY, day(2023, 5, 16));
    wanted(&[
        ("What did I do on Tuesday?", last),
        ("Who was there on Tuesday evening?", last),
        ("What will I do on Tuesday?", next),
        // Today is called so.
        ("What did I do on Wednesday?", day(2023, 5, 3)),
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

#[test]
fn years_are_read_from_two_digits_and_after_a_month() {
    all(&[
        ("Abgabe ist am 24.12.25", day(2025, 12, 24)),
        ("Die Rechnung ist vom 03.05.24 und bezahlt", day(2024, 5, 3)),
        ("the invoice of 24/12/25", day(2025, 12, 24)),
        ("la cita es el 12/03/26", day(2026, 3, 12)),
        ("valid until 12/2025", Span::Days(date(2025, 12, 1), date(2025, 12, 31))),
    ]);
    none(&[
        "the version is 10.12.25 now",
        "Die Version 10.12.25 ist da und läuft",
        "Python 3.10.12 ist auf dem Rechner",
        "a 1/2000 chance, 13/2025, 12/20255",
        "24-12-25",
        "24/12/99",
    ]);
}

#[test]
fn a_date_may_be_written_on_to_something() {
    let fifth = day(2026, 3, 5);
    all(&[
        ("at 2026-03-05T14:30:00Z", fifth),
        ("2026-03-05T14:30:00.123+02:00", fifth),
        ("2026-03-05-standup.md", fifth),
        ("2026-03-05下午三点在办公室开了一个很长很长的会议", fifth),
        ("会议在2026-03-05举行", fifth),
        ("2026-03-05에 만났다", fifth),
        ("2026/03/05の会議", fifth),
        ("5.3.2026에", fifth),
    ]);
    assert_eq!(asked("What happened at 2026-03-05T14:30?", Some(NOW)), [fifth]);
    none(&["2026-03-05-12-77", "2026-13-05T10:00", "v2026-03-05", "10.0.0.12a"]);
}

#[test]
fn numbers_that_are_no_days_are_left_alone() {
    none(&[
        "version 12.3.1 and 12.3",
        "We are on release 12.3.",
        "see section 12.3.1 and then 4.5.",
        "it costs 12.30 or 12,30 €",
        "about 3/4 of it, 1/2 cup, 5/7",
        "call 030/1234567 or 555-1234 or 12-34-56",
        "at 12:30 or 9.30 or 17:45:12",
        "10.0.0.12 and 192.168.1.1",
        "5-9 people, 3-4 days ago, 24-7",
        "score 3-2, pages 5–9, 5 to 9 euros",
        "I am 12.3. That is all.",
        "from 5 to 9 may be enough",
        "32/13/2026 and 99/99/2026",
        "im Kapitel 12.3. steht es",
        "1/2/20233",
    ]);
    for text in ["What is on page 12?", "Welche Version war 12.3?", "le 12 % de TVA", "am 12. Mann"]
    {
        assert_eq!(asked(text, Some(NOW)), [], "{text}");
    }
}

#[test]
fn people_who_are_named_after_a_month_are_no_month() {
    for text in [
        "What did April Okonkwo say?",
        "May Chen called",
        "August Becker has the key",
        "Ask Ms April or Dr. August",
        "since April Okonkwo left",
        "a letter by May Chen",
        "before June Carter sang",
        "May I ask something?",
        "Frau August kommt",
    ] {
        assert_eq!(asked(text, Some(NOW)), [], "{text}");
        assert_eq!(seen(text), [], "{text}");
    }
    assert_eq!(seen("In April Anna moved"), [each_year(4)]);
    assert_eq!(seen("April. Okonkwo came"), [each_year(4)]);
    assert_eq!(seen("April Monday mornings"), [each_year(4)]);
    assert_eq!(seen("in May"), [each_year(5)]);
    assert_eq!(seen("on 5 May Chen called"), [yearly(5, 5)]);
    assert_eq!(seen("April 5"), [yearly(4, 5)]);
}
