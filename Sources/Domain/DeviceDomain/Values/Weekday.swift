/// A day of the week. Its number is that of ISO 8601: 1 is Monday, 7 is Sunday.
public enum Weekday: Int, Hashable, Sendable, CaseIterable {
    case monday = 1
    case tuesday, wednesday, thursday, friday, saturday, sunday

    /// As `mon`.
    public var abbreviation: String {
        switch self {
        case .monday: "mon"
        case .tuesday: "tue"
        case .wednesday: "wed"
        case .thursday: "thu"
        case .friday: "fri"
        case .saturday: "sat"
        case .sunday: "sun"
        }
    }
}

extension Set<Weekday> {
    /// Reads days as `mon,wed` and ranges as `mon-fri` or `sat-mon`; `nil` for anything else, and
    /// where no day is named.
    public init?(_ text: String) {
        self.init()
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { name in
                Weekday.allCases.first { $0.abbreviation == name.lowercased() }
            }
            guard (1...2).contains(ends.count), let first = ends[0], let last = ends.last ?? nil
            else { return nil }
            let length = (last.rawValue - first.rawValue + 7) % 7
            for step in 0...length {
                insert(Weekday.allCases[(first.rawValue - 1 + step) % 7])
            }
        }
    }

    /// The days as ``init(_:)`` reads them: `mon-fri`, `sat,sun`, `mon,wed`.
    public var text: String {
        var runs: [[Weekday]] = []
        for day in sorted(by: { $0.rawValue < $1.rawValue }) {
            if let last = runs.last?.last, last.rawValue + 1 == day.rawValue {
                runs[runs.count - 1].append(day)
            } else {
                runs.append([day])
            }
        }
        return runs.map { run in
            run.count > 2
                ? "\(run[0].abbreviation)-\(run[run.count - 1].abbreviation)"
                : run.map(\.abbreviation).joined(separator: ",")
        }.joined(separator: ",")
    }
}
