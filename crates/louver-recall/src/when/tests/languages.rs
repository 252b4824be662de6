//! What every language must be able to say.

use super::*;

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
