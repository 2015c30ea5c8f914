internal import DeviceControl
internal import DeviceControlPresentation
internal import DeviceDomain

/// Numbers, dates and times as people of a language write them.
struct LocaleFormat: Sendable {
    let language: Language
    let calendar: LocalCalendar

    /// A number with grouped thousands, at most so many decimals, and no zeros at its end.
    func number(_ value: Double, decimals: Int = 1) -> String {
        let scale = (0..<decimals).reduce(1.0) { power, _ in power * 10 }
        let scaled = (value * scale).rounded()
        guard scaled.magnitude < 1e15 else { return "\(value)" }
        let digits = Int(scaled.magnitude)
        let whole = digits / Int(scale)
        var fraction = String(String(digits % Int(scale) + Int(scale)).dropFirst())
        while fraction.last == "0" { fraction.removeLast() }
        let sign = scaled < 0 ? "−" : ""
        return sign + Self.grouped(whole) + (fraction.isEmpty ? "" : "." + fraction)
    }

    /// A power in W, or in kW from 1,000 W.
    func power(_ watts: Double) -> String {
        watts.magnitude < 1_000
            ? "\(number(watts, decimals: 0)) W" : "\(number(watts / 1_000, decimals: 2)) kW"
    }

    /// A time of day, as `08:30`.
    func time(_ moment: Timestamp) -> String {
        let minutes = secondOfDay(moment) / 60
        return "\(Self.twoDigits(minutes / 60)):\(Self.twoDigits(minutes % 60))"
    }

    /// A time of day with seconds, as `08:30:05`.
    func timeWithSeconds(_ moment: Timestamp) -> String {
        "\(time(moment)):\(Self.twoDigits(secondOfDay(moment) % 60))"
    }

    /// A date, as `24 Nov 2026` or `2026年11月24日`.
    func date(_ moment: Timestamp) -> String { date(calendar.date(of: moment)) }

    /// A date of the calendar.
    func date(_ date: CalendarDate) -> String {
        let (year, month, day) = date.parts
        return switch language {
        case .english: "\(day) \(Self.months[month - 1]) \(year)"
        case .chinese: "\(year)年\(month)月\(day)日"
        }
    }

    /// A date without its year, as `24 Nov` or `11月24日`.
    func dayOfMonth(_ date: CalendarDate) -> String {
        let (_, month, day) = date.parts
        return switch language {
        case .english: "\(day) \(Self.months[month - 1])"
        case .chinese: "\(month)月\(day)日"
        }
    }

    /// A date without its year, and the time, as `24 Nov 08:30` or `11月24日 08:30`.
    func dayAndTime(_ moment: Timestamp) -> String {
        "\(dayOfMonth(calendar.date(of: moment))) \(time(moment))"
    }

    /// A day of the week with its date, as `Tue 24` or `11月24日`.
    func day(_ date: CalendarDate) -> String {
        switch language {
        case .english: "\(weekday(date.weekday)) \(date.parts.day)"
        case .chinese: "\(date.parts.month)月\(date.parts.day)日"
        }
    }

    /// A month with its year in January, as `Nov` or `Jan 2027`.
    func month(_ date: CalendarDate) -> String {
        let (year, month, _) = date.parts
        return switch language {
        case .english: month == 1 ? "\(Self.months[0]) \(year)" : Self.months[month - 1]
        case .chinese: month == 1 ? "\(year)年1月" : "\(month)月"
        }
    }

    /// A month with its year, as `Nov 2026` or `2026年11月`.
    func monthAndYear(_ moment: Timestamp) -> String {
        let (year, month, _) = calendar.date(of: moment).parts
        return switch language {
        case .english: "\(Self.months[month - 1]) \(year)"
        case .chinese: "\(year)年\(month)月"
        }
    }

    /// An energy in kWh.
    func energy(_ kWh: Double) -> String {
        "\(number(kWh, decimals: kWh.magnitude < 10 ? 2 : kWh.magnitude < 100 ? 1 : 0)) kWh"
    }

    /// An amount of money, with two decimals.
    func money(_ amount: Double, _ currency: String) -> String {
        let cents = (amount.magnitude * 100).rounded()
        guard cents < 1e15 else { return "\(amount) \(currency)" }
        let sign = amount < 0 && cents > 0 ? "−" : ""
        let whole = Self.grouped(Int(cents) / 100)
        return "\(sign)\(whole).\(Self.twoDigits(Int(cents) % 100)) \(currency)"
    }

    /// A date and time; the time alone where it is today.
    func dateAndTime(_ moment: Timestamp, now: Timestamp) -> String {
        let day = calendar.date(of: moment)
        if day == calendar.date(of: now) { return time(moment) }
        return "\(date(day)) \(time(moment))"
    }

    /// How long ago a moment was, as `3 min ago` or `3 分钟前`.
    func age(of moment: Timestamp, now: Timestamp) -> String {
        let seconds = max(0, now.milliseconds - moment.milliseconds) / 1_000
        let isChinese = language == .chinese
        switch seconds {
        case ..<10: return isChinese ? "刚刚" : "just now"
        case ..<60: return isChinese ? "不到一分钟前" : "under a minute ago"
        case ..<3_600: return isChinese ? "\(seconds / 60) 分钟前" : "\(seconds / 60) min ago"
        case ..<86_400:
            return isChinese ? "\(seconds / 3_600) 小时前" : "\(seconds / 3_600) h ago"
        default:
            let days = seconds / 86_400
            return isChinese ? "\(days) 天前" : days == 1 ? "1 day ago" : "\(days) days ago"
        }
    }

    /// A day of the week.
    func weekday(_ day: Weekday) -> String {
        let index = Weekday.allCases.firstIndex(of: day) ?? 0
        switch language {
        case .english: return ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][index]
        case .chinese: return ["周一", "周二", "周三", "周四", "周五", "周六", "周日"][index]
        }
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Local seconds since midnight: what the clock shows, also on the days when it is changed.
    private func secondOfDay(_ moment: Timestamp) -> Int {
        let seconds = calendar.localSeconds(of: moment)
        return ((seconds % 86_400) + 86_400) % 86_400
    }

    private static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

    private static func grouped(_ value: Int) -> String {
        var digits = Array(String(value))
        var index = digits.count - 3
        while index > 0 {
            digits.insert(",", at: index)
            index -= 3
        }
        return String(digits)
    }
}
