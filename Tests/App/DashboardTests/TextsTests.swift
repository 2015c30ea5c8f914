import DeviceControl
import DeviceControlPresentation
import DeviceDomain
import Testing

@testable import Dashboard

@Suite struct TextsTests {
    @Test func everyPhraseIsThereInBothLanguages() {
        for phrase in Phrase.allCases {
            let (english, chinese) = (phrase.text(in: .english), phrase.text(in: .chinese))
            #expect(!english.isEmpty && !chinese.isEmpty, "\(phrase)")
            #expect(!english.unicodeScalars.contains(where: isHan), "\(phrase): \(english)")
            #expect(chinese.unicodeScalars.contains(where: isHan), "\(phrase): \(chinese)")
        }
    }

    @Test func everySignalHasWordsInBothLanguages() {
        for signal in Signal.allCases {
            let english = DeviceTerms(language: .english).member(signal.rawValue)
            let chinese = DeviceTerms(language: .chinese).member(signal.rawValue)
            #expect(!english.unicodeScalars.contains(where: isHan), "\(signal): \(english)")
            #expect(chinese.unicodeScalars.contains(where: isHan), "\(signal): \(chinese)")
        }
    }

    private func isHan(_ scalar: Unicode.Scalar) -> Bool {
        (0x4E00...0x9FFF).contains(scalar.value)
    }

    @Test(arguments: [
        (nil, Language.english), ("", .english), ("zh-CN,zh;q=0.9,en;q=0.8", .chinese),
        ("en-GB,en;q=0.9,zh;q=0.8", .english), ("fr, zh;q=0.4, en;q=0.3", .chinese),
        ("de", .english), ("zh;q=0, en;q=0.1", .english), ("*", .english),
        ("zh ; q = 0.5", .chinese), (";;;,,q=", .english),
    ])
    func theBrowserSaysWhichLanguage(header: String?, language: Language) {
        #expect(Language(accepting: header) == language)
    }

    private func format(_ language: Language, hoursEast: Int = 0) -> LocaleFormat {
        LocaleFormat(
            language: language, calendar: LocalCalendar { _ in hoursEast * 3_600 })
    }

    @Test(arguments: [
        (0.0, "0"), (1234.5, "1,234.5"), (-1250.04, "−1,250"), (0.05, "0.1"),
        (999_999.96, "1,000,000"),
        (-0.04, "0"), (12.30, "12.3"),
    ])
    func numbersAreRoundedAndGrouped(value: Double, text: String) {
        #expect(format(.english).number(value) == text)
    }

    @Test func datesAreThoseOfTheLanguageAndZone() {
        // 2026-11-24 23:30:05 UTC
        let moment = Timestamp(milliseconds: 1_795_563_005_000)
        #expect(format(.english).date(moment) == "24 Nov 2026")
        #expect(format(.chinese, hoursEast: 8).date(moment) == "2026年11月25日")
        #expect(format(.chinese, hoursEast: 8).timeWithSeconds(moment) == "07:30:05")
        #expect(format(.english).dateAndTime(moment, now: moment) == "23:30")
        let later = Timestamp(milliseconds: moment.milliseconds + 86_400_000)
        #expect(format(.english).dateAndTime(moment, now: later) == "24 Nov 2026 23:30")
    }

    @Test(arguments: [
        (0, "just now"), (30, "under a minute ago"), (59 * 60, "59 min ago"),
        (7_200, "2 h ago"), (86_400, "1 day ago"), (200_000, "2 days ago"), (-5, "just now"),
    ])
    func agesAreSaidInTheUnitThatMatters(seconds: Int, text: String) {
        let now = Timestamp(milliseconds: 1_764_000_000_000)
        let then = Timestamp(milliseconds: now.milliseconds - seconds * 1_000)
        #expect(format(.english).age(of: then, now: now) == text)
    }

    @Test(arguments: [
        (Language.english, "as last known, 3 h ago"), (.chinese, "为上次所知（3 小时前）"),
    ])
    func aRememberedDeviceSaysHowOldThatIs(language: Language, text: String) {
        let words = DeviceText(texts: Texts(language, calendar: LocalCalendar { _ in 0 }))
        let then = MachineClock.wallTime.advanced(by: .seconds(-3 * 3_600))
        #expect(words.remembered(since: then) == text)
        #expect(words.remembered(since: nil) == words.texts[.remembered])
    }

    @Test func namesOfDevicesAreTranslatedWhereTheyAreKnown() {
        let chinese = DeviceTerms(language: .chinese)
        let english = DeviceTerms(language: .english)
        #expect(chinese.command(CommandName(rawValue: "start-cleaning")) == "开始清扫")
        #expect(english.command(CommandName(rawValue: "start-cleaning")) == "Start cleaning")
        #expect(chinese.member("someNewThingC") == "Some new thing")
        #expect(english.value("self-consumption") == "Self consumption")
    }
}
