//! How Chinese, Japanese and Korean write days and spans: what [`super::east`] looks for.

use super::calendar::{Side, Unit};
use super::parts::{LAST, Part, Piece};

#[derive(Clone, Copy)]
pub(super) enum Meaning {
    /// So many days from today.
    Day(i32),
    /// A week, month or year so many steps from this one.
    Near(Unit, i32),
    /// A weekend so many steps from this one.
    Weekend(i32),
    /// "The weekend", which only who asks means as one.
    TheWeekend,
    /// Before a weekday or a season only: "last", "next".
    Step(i32),
    /// Before so many units that go up to now: "the past".
    Past,
}

/// Days that are called by a name, and their months and days.
pub(super) const FEASTS: &[(&str, i8, i8)] = &[
    ("元旦", 1, 1),
    ("元日", 1, 1),
    ("情人节", 2, 14),
    ("情人節", 2, 14),
    ("バレンタイン", 2, 14),
    ("밸런타인", 2, 14),
    ("劳动节", 5, 1),
    ("勞動節", 5, 1),
    ("こどもの日", 5, 5),
    ("어린이날", 5, 5),
    ("儿童节", 6, 1),
    ("国庆节", 10, 1),
    ("國慶節", 10, 1),
    ("平安夜", 12, 24),
    ("圣诞", 12, 25),
    ("聖誕", 12, 25),
    ("クリスマス", 12, 25),
    ("크리스마스", 12, 25),
    ("大晦日", 12, 31),
];

/// Names of the first day of the lunar year, and of the day before it, by the step from that.
pub(super) const NEW_YEAR: &[(&str, i32)] = &[
    ("春节", 0),
    ("春節", 0),
    ("大年初一", 0),
    ("年初一", 0),
    ("설날", 0),
    ("除夕", -1),
    ("大年三十", -1),
    ("年三十", -1),
];

/// When it is, as the almanacs have it.
pub(super) const LUNAR: &[(i16, i8, i8)] = &[
    (2015, 2, 19),
    (2016, 2, 8),
    (2017, 1, 28),
    (2018, 2, 16),
    (2019, 2, 5),
    (2020, 1, 25),
    (2021, 2, 12),
    (2022, 2, 1),
    (2023, 1, 22),
    (2024, 2, 10),
    (2025, 1, 29),
    (2026, 2, 17),
    (2027, 2, 6),
    (2028, 1, 26),
    (2029, 2, 13),
    (2030, 2, 3),
    (2031, 1, 23),
    (2032, 2, 11),
    (2033, 1, 31),
    (2034, 2, 19),
    (2035, 2, 8),
];

/// See [`PHRASES`].
pub(super) type Phrase = (&'static str, Meaning, &'static str);

/// Phrases, what they mean, and letters before or after which they are part of another word
/// (`以前天气`, `登上月球`). A longer phrase comes before its head.
pub(super) const PHRASES: &[Phrase] = &[
    // Chinese
    ("大前天", Meaning::Day(-3), ""),
    ("大后天", Meaning::Day(3), ""),
    ("大後天", Meaning::Day(3), ""),
    ("前天", Meaning::Day(-2), "以之年月日天周后後气氣"),
    ("昨天", Meaning::Day(-1), ""),
    ("昨晚", Meaning::Day(-1), ""),
    ("今天", Meaning::Day(0), ""),
    ("明天", Meaning::Day(1), ""),
    ("后天", Meaning::Day(2), "以之年月日天周前"),
    ("後天", Meaning::Day(2), "以之年月日天周前"),
    ("昨夜", Meaning::Day(-1), ""),
    ("昨儿", Meaning::Day(-1), ""),
    ("今晚", Meaning::Day(0), ""),
    ("今早", Meaning::Day(0), ""),
    ("上上个周末", Meaning::Weekend(-2), ""),
    ("上上個週末", Meaning::Weekend(-2), ""),
    ("上上周末", Meaning::Weekend(-2), ""),
    ("上上週末", Meaning::Weekend(-2), ""),
    ("上个周末", Meaning::Weekend(-1), ""),
    ("上個週末", Meaning::Weekend(-1), ""),
    ("上周的周末", Meaning::Weekend(-1), ""),
    ("上周周末", Meaning::Weekend(-1), ""),
    ("上周末", Meaning::Weekend(-1), ""),
    ("上週末", Meaning::Weekend(-1), ""),
    ("这个周末", Meaning::Weekend(0), ""),
    ("這個週末", Meaning::Weekend(0), ""),
    ("这周末", Meaning::Weekend(0), ""),
    ("這週末", Meaning::Weekend(0), ""),
    ("本周末", Meaning::Weekend(0), ""),
    ("下个周末", Meaning::Weekend(1), ""),
    ("下個週末", Meaning::Weekend(1), ""),
    ("下周末", Meaning::Weekend(1), ""),
    ("下週末", Meaning::Weekend(1), ""),
    ("周末", Meaning::TheWeekend, "每个個"),
    ("上上个星期", Meaning::Near(Unit::Week, -2), ""),
    ("上上個星期", Meaning::Near(Unit::Week, -2), ""),
    ("上上个礼拜", Meaning::Near(Unit::Week, -2), ""),
    ("上上星期", Meaning::Near(Unit::Week, -2), ""),
    ("上上周", Meaning::Near(Unit::Week, -2), ""),
    ("上上週", Meaning::Near(Unit::Week, -2), ""),
    ("上上个月", Meaning::Near(Unit::Month, -2), ""),
    ("上上個月", Meaning::Near(Unit::Month, -2), ""),
    ("上个星期", Meaning::Near(Unit::Week, -1), ""),
    ("上個星期", Meaning::Near(Unit::Week, -1), ""),
    ("上个礼拜", Meaning::Near(Unit::Week, -1), ""),
    ("上個禮拜", Meaning::Near(Unit::Week, -1), ""),
    ("上星期", Meaning::Near(Unit::Week, -1), ""),
    ("上礼拜", Meaning::Near(Unit::Week, -1), ""),
    ("上周", Meaning::Near(Unit::Week, -1), ""),
    ("上週", Meaning::Near(Unit::Week, -1), ""),
    ("这个星期", Meaning::Near(Unit::Week, 0), ""),
    ("這個星期", Meaning::Near(Unit::Week, 0), ""),
    ("这星期", Meaning::Near(Unit::Week, 0), ""),
    ("这周", Meaning::Near(Unit::Week, 0), ""),
    ("這週", Meaning::Near(Unit::Week, 0), ""),
    ("本周", Meaning::Near(Unit::Week, 0), ""),
    ("本週", Meaning::Near(Unit::Week, 0), ""),
    ("下个星期", Meaning::Near(Unit::Week, 1), ""),
    ("下個星期", Meaning::Near(Unit::Week, 1), ""),
    ("下个礼拜", Meaning::Near(Unit::Week, 1), ""),
    ("下星期", Meaning::Near(Unit::Week, 1), ""),
    ("下周", Meaning::Near(Unit::Week, 1), ""),
    ("下週", Meaning::Near(Unit::Week, 1), ""),
    ("上个月", Meaning::Near(Unit::Month, -1), "球亮"),
    ("上個月", Meaning::Near(Unit::Month, -1), "球亮"),
    ("上月", Meaning::Near(Unit::Month, -1), "登球亮"),
    ("这个月", Meaning::Near(Unit::Month, 0), "球亮"),
    ("這個月", Meaning::Near(Unit::Month, 0), "球亮"),
    ("本月", Meaning::Near(Unit::Month, 0), ""),
    ("下个月", Meaning::Near(Unit::Month, 1), "球亮"),
    ("下個月", Meaning::Near(Unit::Month, 1), "球亮"),
    ("下月", Meaning::Near(Unit::Month, 1), "球亮"),
    ("前年", Meaning::Near(Unit::Year, -2), "以之日月年周"),
    ("去年", Meaning::Near(Unit::Year, -1), ""),
    ("今年", Meaning::Near(Unit::Year, 0), ""),
    ("明年", Meaning::Near(Unit::Year, 1), ""),
    ("过去", Meaning::Past, ""),
    ("過去", Meaning::Past, ""),
    ("最近", Meaning::Past, ""),
    ("这", Meaning::Past, ""),
    ("這", Meaning::Past, ""),
    // Japanese
    ("一昨日", Meaning::Day(-2), ""),
    ("おととい", Meaning::Day(-2), ""),
    ("昨日", Meaning::Day(-1), ""),
    ("きのう", Meaning::Day(-1), ""),
    ("今日", Meaning::Day(0), ""),
    ("きょう", Meaning::Day(0), ""),
    ("明後日", Meaning::Day(2), ""),
    ("しあさって", Meaning::Day(3), ""),
    ("明々後日", Meaning::Day(3), ""),
    ("あさって", Meaning::Day(2), "し"),
    ("明日", Meaning::Day(1), ""),
    ("あした", Meaning::Day(1), ""),
    ("昨晩", Meaning::Day(-1), ""),
    ("ゆうべ", Meaning::Day(-1), ""),
    ("今朝", Meaning::Day(0), ""),
    ("今晩", Meaning::Day(0), ""),
    ("今夜", Meaning::Day(0), ""),
    ("先々週の週末", Meaning::Weekend(-2), ""),
    ("先々週末", Meaning::Weekend(-2), ""),
    ("先週の週末", Meaning::Weekend(-1), ""),
    ("先週末", Meaning::Weekend(-1), ""),
    ("この前の週末", Meaning::Weekend(-1), ""),
    ("前の週末", Meaning::Weekend(-1), ""),
    ("今週の週末", Meaning::Weekend(0), ""),
    ("今週末", Meaning::Weekend(0), ""),
    ("来週の週末", Meaning::Weekend(1), ""),
    ("来週末", Meaning::Weekend(1), ""),
    ("週末", Meaning::TheWeekend, "毎每個"),
    ("先々週", Meaning::Near(Unit::Week, -2), ""),
    ("先先週", Meaning::Near(Unit::Week, -2), ""),
    ("先週", Meaning::Near(Unit::Week, -1), ""),
    ("今週", Meaning::Near(Unit::Week, 0), ""),
    ("来週", Meaning::Near(Unit::Week, 1), ""),
    ("先々月", Meaning::Near(Unit::Month, -2), ""),
    ("先月", Meaning::Near(Unit::Month, -1), ""),
    ("今月", Meaning::Near(Unit::Month, 0), ""),
    ("来月", Meaning::Near(Unit::Month, 1), ""),
    ("一昨年", Meaning::Near(Unit::Year, -2), ""),
    ("おととし", Meaning::Near(Unit::Year, -2), ""),
    ("昨年", Meaning::Near(Unit::Year, -1), ""),
    ("来年", Meaning::Near(Unit::Year, 1), ""),
    ("この前", Meaning::Step(-1), ""),
    ("この間", Meaning::Step(-1), ""),
    ("前の", Meaning::Step(-1), "駅"),
    ("この", Meaning::Past, ""),
    ("ここ", Meaning::Past, ""),
    // Korean
    ("엊그저께", Meaning::Day(-2), ""),
    ("엊그제", Meaning::Day(-2), ""),
    ("그저께", Meaning::Day(-2), ""),
    ("어젯밤", Meaning::Day(-1), ""),
    ("어저께", Meaning::Day(-1), ""),
    ("그제", Meaning::Day(-2), "엊"),
    ("어제", Meaning::Day(-1), ""),
    ("오늘", Meaning::Day(0), ""),
    ("내일", Meaning::Day(1), ""),
    ("모레", Meaning::Day(2), ""),
    ("지지난주말", Meaning::Weekend(-2), ""),
    ("저저번주말", Meaning::Weekend(-2), ""),
    ("지난주주말", Meaning::Weekend(-1), ""),
    ("지난주말", Meaning::Weekend(-1), ""),
    ("저번주말", Meaning::Weekend(-1), ""),
    ("이번주말", Meaning::Weekend(0), ""),
    ("다음주말", Meaning::Weekend(1), ""),
    ("주말", Meaning::TheWeekend, "매마"),
    ("지지난주", Meaning::Near(Unit::Week, -2), ""),
    ("저저번주", Meaning::Near(Unit::Week, -2), ""),
    ("지지난달", Meaning::Near(Unit::Month, -2), ""),
    ("지난주", Meaning::Near(Unit::Week, -1), ""),
    ("저번주", Meaning::Near(Unit::Week, -1), ""),
    ("이번주", Meaning::Near(Unit::Week, 0), ""),
    ("다음주", Meaning::Near(Unit::Week, 1), ""),
    ("지난달", Meaning::Near(Unit::Month, -1), ""),
    ("저번달", Meaning::Near(Unit::Month, -1), ""),
    ("이번달", Meaning::Near(Unit::Month, 0), ""),
    ("다음달", Meaning::Near(Unit::Month, 1), ""),
    ("재작년", Meaning::Near(Unit::Year, -2), ""),
    ("작년", Meaning::Near(Unit::Year, -1), ""),
    ("지난해", Meaning::Near(Unit::Year, -1), ""),
    ("올해", Meaning::Near(Unit::Year, 0), ""),
    ("내년", Meaning::Near(Unit::Year, 1), ""),
    ("지난", Meaning::Step(-1), ""),
    ("저번", Meaning::Step(-1), ""),
    ("최근", Meaning::Past, ""),
    ("이번", Meaning::Step(0), ""),
    ("다음", Meaning::Step(1), ""),
];

/// The seven of the week, from Monday: after "last week" in Chinese, and by name.
pub(super) const CHINESE_DAYS: [char; 7] = ['一', '二', '三', '四', '五', '六', '日'];
pub(super) const JAPANESE_DAYS: [char; 7] = ['月', '火', '水', '木', '金', '土', '日'];
pub(super) const KOREAN_DAYS: [char; 7] = ['월', '화', '수', '목', '금', '토', '일'];

/// What a weekday by its name alone begins with.
pub(super) const WEEKDAY_FIRST: &str = "周週星礼禮月火水木金土日월화수목금토일";

/// After these letters it is another: of every week, of a week that is named, of a date, or weeks that are counted.
pub(super) const NO_WEEKDAY: &str =
    "每毎매第週주の的上下这這本个個日号號일一二三四五六七八九十两兩几幾";

/// What a question has that speaks of what was, and of what will be.
pub(super) const PAST: &[&str] = &["了", "した", "った", "었", "았", "했"];
pub(super) const FUTURE: &[&str] = &["将", "將", "打算", "つもり", "予定", "겠"];

/// What is counted, when "ago" comes after it. A longer one comes before its head.
pub(super) const UNITS: &[(&str, Unit)] = &[
    ("天", Unit::Day),
    ("日間", Unit::Day),
    ("日", Unit::Day),
    ("일", Unit::Day),
    ("个星期", Unit::Week),
    ("個星期", Unit::Week),
    ("个礼拜", Unit::Week),
    ("星期", Unit::Week),
    ("週間", Unit::Week),
    ("周", Unit::Week),
    ("週", Unit::Week),
    ("주일", Unit::Week),
    ("주", Unit::Week),
    ("个月", Unit::Month),
    ("個月", Unit::Month),
    ("ヶ月", Unit::Month),
    ("ケ月", Unit::Month),
    ("か月", Unit::Month),
    ("カ月", Unit::Month),
    ("箇月", Unit::Month),
    ("개월", Unit::Month),
    ("달", Unit::Month),
    ("年", Unit::Year),
    ("년", Unit::Year),
];

/// Korean says small numbers in words of its own.
pub(super) const KOREAN_NUMBERS: &[(&str, i32)] = &[
    ("한", 1),
    ("두", 2),
    ("세", 3),
    ("네", 4),
    ("다섯", 5),
    ("여섯", 6),
    ("일곱", 7),
    ("여덟", 8),
    ("아홉", 9),
    ("열", 10),
    ("스물", 20),
    ("스무", 20),
    ("서른", 30),
    ("마흔", 40),
    ("쉰", 50),
    ("예순", 60),
    ("일흔", 70),
    ("여든", 80),
    ("아흔", 90),
];

/// What is one word with its number.
pub(super) const COUNTS: &[(&str, i32, Unit)] = &[
    ("하루", 1, Unit::Day),
    ("이틀", 2, Unit::Day),
    ("사흘", 3, Unit::Day),
    ("나흘", 4, Unit::Day),
    ("열흘", 10, Unit::Day),
    ("일주일", 1, Unit::Week),
    ("보름", 15, Unit::Day),
    ("반년", 6, Unit::Month),
    ("半年", 6, Unit::Month),
    ("半个月", 15, Unit::Day),
    ("半個月", 15, Unit::Day),
];

/// "Some", as in "some days ago".
pub(super) const FEW: &str = "几幾数數몇";

/// By their first month.
pub(super) const SEASONS: &[(&str, i8)] = &[
    ("春", 3),
    ("夏", 6),
    ("秋", 9),
    ("冬", 12),
    ("봄", 3),
    ("여름", 6),
    ("가을", 9),
    ("겨울", 12),
];

/// After these letters it is none: a feast, a place, a name.
pub(super) const NO_SEASON: &str = "节節葉目至分";

/// Early, mid, late or counted, and letters after which it is another word ("初めて" is "for the first time"). A longer one
/// comes before its head.
pub(super) const PARTS: &[(&str, Part, &str)] = &[
    ("上旬", Part::Early, ""),
    ("初旬", Part::Early, ""),
    ("初め", Part::Early, "て"),
    ("初", Part::Early, "め次恋中"),
    ("초순", Part::Early, ""),
    ("초반", Part::Early, ""),
    ("초", Part::Early, "대청등콜"),
    ("中旬", Part::Mid, ""),
    ("半ば", Part::Mid, ""),
    ("なかば", Part::Mid, ""),
    ("중순", Part::Mid, ""),
    ("중반", Part::Mid, ""),
    ("下旬", Part::Late, ""),
    ("末", Part::Late, ""),
    ("底", Part::Late, ""),
    ("終わり", Part::Late, ""),
    ("하순", Part::Late, ""),
    ("말", Part::Late, "씀했하"),
    ("上半", Part::Nth(1, Piece::Half), ""),
    ("前半", Part::Nth(1, Piece::Half), ""),
    ("전반", Part::Nth(1, Piece::Half), ""),
    ("下半", Part::Nth(2, Piece::Half), ""),
    ("後半", Part::Nth(2, Piece::Half), ""),
    ("후반", Part::Nth(2, Piece::Half), ""),
];

/// How weeks of a month are counted. A longer one comes before its head.
pub(super) const NTH: &[(&str, i8)] = &[
    ("第一", 1),
    ("第1", 1),
    ("第二", 2),
    ("第2", 2),
    ("第三", 3),
    ("第3", 3),
    ("第四", 4),
    ("第4", 4),
    ("最后一", LAST),
    ("最後一", LAST),
    ("最後の", LAST),
    ("最終", LAST),
    ("첫째", 1),
    ("첫", 1),
    ("둘째", 2),
    ("셋째", 3),
    ("넷째", 4),
    ("마지막", LAST),
];

/// What is counted so.
pub(super) const PIECES: &[(&str, Piece)] = &[
    ("个周末", Piece::Weekend),
    ("個週末", Piece::Weekend),
    ("周末", Piece::Weekend),
    ("週末", Piece::Weekend),
    ("주말", Piece::Weekend),
    ("个星期", Piece::Week),
    ("個星期", Piece::Week),
    ("个礼拜", Piece::Week),
    ("星期", Piece::Week),
    ("周", Piece::Week),
    ("週", Piece::Week),
    ("주", Piece::Week),
];

/// What stands between two days, and whether the second is followed by "until".
pub(super) const TO: &[(&str, bool)] = &[
    ("から", true),
    ("부터", true),
    ("에서", true),
    ("到", false),
    ("至", false),
    ("~", false),
    ("～", false),
    ("〜", false),
    ("-", false),
    ("–", false),
    ("—", false),
];

/// What stands between two days where "between" comes last.
pub(super) const AND: &[&str] = &["和", "与", "與", "跟", "と", "과", "와"];

pub(super) const BETWEEN: &[&str] = &["之间", "之間", "期间", "期間", "の間", "间", "間", "사이"];

/// "Until", after the second of two days.
pub(super) const UNTIL: &[&str] = &["まで", "にかけて", "까지", "为止", "為止"];

/// What makes a span of the day before it, and letters after which it is another word. A longer one comes
/// before its head.
pub(super) const SIDES: &[(&str, Side, &str)] = &[
    ("以降", Side::Since, ""),
    ("以来", Side::Since, ""),
    ("以來", Side::Since, ""),
    ("至今", Side::Since, ""),
    ("到现在", Side::Since, ""),
    ("到現在", Side::Since, ""),
    ("到今天", Side::Since, ""),
    ("から", Side::Since, ""),
    ("开始", Side::Since, ""),
    ("開始", Side::Since, ""),
    ("起", Side::Since, "床来來飞飛"),
    ("부터", Side::Since, ""),
    ("이후", Side::Since, ""),
    ("이래", Side::Since, ""),
    ("以后", Side::After, ""),
    ("以後", Side::After, ""),
    ("之后", Side::After, ""),
    ("之後", Side::After, ""),
    ("の後", Side::After, ""),
    ("より後", Side::After, ""),
    ("后", Side::After, "天面来半"),
    ("後", Side::After, "天面來半"),
    ("후", Side::After, "반배식기"),
    ("뒤", Side::After, ""),
    ("以前", Side::Before, ""),
    ("之前", Side::Before, ""),
    ("より前", Side::Before, ""),
    ("の前", Side::Before, ""),
    ("前", Side::Before, "後后期半天夜"),
    ("이전", Side::Before, ""),
    ("전", Side::Before, "화체부기시"),
    ("为止", Side::Until, ""),
    ("為止", Side::Until, ""),
    ("まで", Side::Until, ""),
    ("까지", Side::Until, ""),
];

/// In Chinese it may stand before the day.
pub(super) const SIDES_FIRST: &[(&str, Side)] = &[
    ("直到", Side::Until),
    ("截至", Side::Until),
    ("截止", Side::Until),
    ("自从", Side::Since),
    ("自從", Side::Since),
    ("自", Side::Since),
];

/// The days beside an event that have a word of their own, and how far before it they are.
pub(super) const BESIDE: &[(&str, i32)] =
    &[("前日", 1), ("翌日", -1), ("전날", 1), ("다음날", -1), ("다음 날", -1)];

/// What ends a clause.
pub(super) const ENDS: &str = "，。？！、；：,.?!;:\n";

/// Korean says with these that what comes before is no name of a time: "at the meeting, two weeks ago".
pub(super) const PARTICLES: [&str; 9] = ["에서", "에", "가", "이", "는", "은", "을", "를", "도"];

pub(super) const NUMERALS: &str = "〇一二三四五六七八九";

/// Characters that days and spans are written with.
pub(super) const OF_TIME: &str = "昨今明前天日号年月周週上下个個星期礼拜火水木金土曜一二三四五六七八九十两半初末去来來先本再\
    어제오늘내일그저께지난주달년월요이번다음전후";
