internal import DeviceDomain
internal import History
internal import Persistence

/// How large the history beside a ledger is, from when to when it reaches, and what is wrong with it. Pure.
struct HistoryCheck: Sendable {
    let inspection: HistoryInspection
    private var path: String { inspection.path }

    var finding: Finding {
        switch inspection.contents {
        case nil:
            .ok(
                .history,
                "there is no history at \(path) yet; 'homeport serve' keeps samples and events there"
            )
        case .failure(let error): unreadable(error)
        case .success(let contents): finding(contents)
        }
    }

    private func unreadable(_ error: HistoryError) -> Finding {
        let remedy =
            switch error.code {
            case .damaged: remedyOfDamage
            case .newerSchema: "use the newer homeport, or move \(path) away"
            case .busy: "try again"
            default: "check the permissions of \(path) and its disk"
            }
        return .warning(.history, "\(error)", remedy: remedy)
    }

    private func finding(_ contents: HistoryInspection.Contents) -> Finding {
        if let damage = contents.damage {
            return .warning(.history, "\(path) is damaged: \(damage)", remedy: remedyOfDamage)
        }
        let devices = contents.devices == 1 ? "1 device" : "\(contents.devices) devices"
        let span =
            contents.span.map {
                ", samples of \(devices) from \(Self.text($0.lowerBound)) to \(Self.text($0.upperBound))"
            } ?? ", no samples yet"
        let message = "\(path) has \(Self.size(inspection.size))\(span)"
        guard let damaged = inspection.damagedPath else { return .ok(.history, message) }
        return .warning(
            .history, "\(message); an earlier one was damaged and is at \(damaged)",
            remedy: "repair it with sqlite3 (.recover), or remove it")
    }

    private var remedyOfDamage: String {
        "nothing: 'homeport serve' moves it aside and begins a new one; commands do not need it"
    }

    private static func size(_ bytes: Int) -> String {
        bytes < 1 << 20 ? "\(bytes >> 10) KiB" : "\(bytes >> 20) MiB"
    }

    /// A date in UTC: findings are read by programs too.
    private static func text(_ moment: Timestamp) -> String {
        let minutes = moment.milliseconds.period(of: 60_000)
        let day = minutes.period(of: 1_440)
        let (hour, minute) = (minutes - day * 1_440).quotientAndRemainder(dividingBy: 60)
        return "\(CalendarDate(daysSinceEpoch: day))T\(pad(hour)):\(pad(minute))Z"
    }

    private static func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
