//! What is counted from now on, and days with a name in scripts that do not set words apart.

use super::*;

const IN_THREE_WEEKS: Span = Span::Days(date(2023, 5, 28), date(2023, 6, 3));
const IN_THREE_DAYS: Span = day(2023, 5, 13);

#[test]
fn what_is_to_come_is_counted_in_ten_languages() {
    all(&[
        ("Bulky waste in three weeks", IN_THREE_WEEKS),
        ("three weeks from now the van comes", IN_THREE_WEEKS),
        ("in 3 days", IN_THREE_DAYS),
        ("Sperrmüll in drei Wochen", IN_THREE_WEEKS),
        ("encombrants dans trois semaines", IN_THREE_WEEKS),
        ("la mudanza es en tres semanas", IN_THREE_WEEKS),
        ("il trasloco tra tre settimane", IN_THREE_WEEKS),
        ("a mudança é daqui a três semanas", IN_THREE_WEEKS),
        ("verhuizing over drie weken", IN_THREE_WEEKS),
        ("三个星期后搬家", IN_THREE_WEEKS),
        ("三週間後に引っ越し", IN_THREE_WEEKS),
        ("3주 뒤에 이사", IN_THREE_WEEKS),
        ("大后天打疫苗", IN_THREE_DAYS),
        ("しあさって引き渡し", IN_THREE_DAYS),
    ]);
    none(&[
        "I did it in three weeks",
        "Ich habe das in drei Wochen gemacht",
        "住院了三天后出院了",
        "in three boxes",
        "a talk over two beers",
    ]);
}

#[test]
fn days_with_a_name_are_known() {
    all(&[
        ("元旦", yearly(1, 1)),
        ("クリスマスに映画", yearly(12, 25)),
        ("大晦日", yearly(12, 31)),
        ("去年圣诞节", day(2022, 12, 25)),
        ("2024年国庆节", day(2024, 10, 1)),
        ("除夕做了什么", day(2023, 1, 21)),
        ("去年春节", day(2022, 2, 1)),
        ("설날에 뭐 했어?", day(2023, 1, 22)),
    ]);
}
