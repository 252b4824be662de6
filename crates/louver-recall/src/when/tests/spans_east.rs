//! Spans by their ends in Chinese, Japanese and Korean.

use super::*;

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
    assert_eq!(seen("去年春节"), [day(2022, 2, 1)]);
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
