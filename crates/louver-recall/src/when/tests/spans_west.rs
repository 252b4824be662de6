//! Spans by their ends in the languages that are read word by word.

use super::*;

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
