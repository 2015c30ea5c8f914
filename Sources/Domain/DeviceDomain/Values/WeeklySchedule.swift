/// When a pool robot starts by itself: at most 14 entries a week (PROTOCOL section 5).
public struct WeeklySchedule: Hashable, Sendable {
    /// No starts at all.
    public static let empty = WeeklySchedule()

    /// One start a week.
    public struct Entry: Hashable, Sendable {
        /// The day: 1 is Monday, 7 is Sunday (ISO 8601).
        public let weekday: Int
        /// The time of day.
        public let time: TimeOfDay
        /// The program to run.
        public let program: PoolRobot.Program

        /// - Throws: ``ArgumentViolation`` unless the weekday is 1…7 and the minute 0…1439.
        public init(
            weekday: Int, minuteOfDay: Int, program: PoolRobot.Program
        ) throws(ArgumentViolation) {
            _ = try JSONValue.integer(weekday, in: 1...7, "weekday")
            guard let time = TimeOfDay(minutes: minuteOfDay) else {
                throw ArgumentViolation(path: "minuteOfDay", reason: "must be from 0 to 1439")
            }
            self.weekday = weekday
            self.time = time
            self.program = program
        }
    }

    /// The starts, in the order in which they were given.
    public let entries: [Entry]

    /// The most entries that a schedule holds.
    public static let maximumEntries = 14

    private init() { entries = [] }

    /// - Throws: ``ArgumentViolation`` if there are more than 14 entries.
    public init(_ entries: [Entry]) throws(ArgumentViolation) {
        guard entries.count <= Self.maximumEntries else {
            throw ArgumentViolation(
                path: "entries", reason: "must have at most \(Self.maximumEntries) entries")
        }
        self.entries = entries
    }
}

extension WeeklySchedule {
    static let entrySchema = ArgumentSchema.members([
        "weekday": .integer(1...7), "at": ArgumentSchema(type: .string),
        "program": .oneOf(PoolRobot.Program.allCases.map(\.rawValue)),
    ])

    /// The schedule as the `entries` of `set-schedule`.
    public var json: JSONValue {
        .array(
            entries.map { entry in
                [
                    "weekday": .integer(entry.weekday), "at": .string(entry.clockTime),
                    "program": .string(entry.program.rawValue),
                ]
            })
    }

    /// Parses the `entries` of `set-schedule`.
    /// - Throws: ``ArgumentViolation`` with the path to the invalid value.
    public init(json entries: JSONValue) throws(ArgumentViolation) {
        let schema = ArgumentSchema.members(["entries": .array(of: Self.entrySchema)])
        try schema.check(["entries": entries])
        var read: [Entry] = []
        for (index, item) in (entries.array ?? []).enumerated() {
            guard let entry = try Entry(json: item) else {
                throw ArgumentViolation(
                    path: "entries[\(index)].at", reason: "must be a time HH:MM from 00:00 to 23:59"
                )
            }
            read.append(entry)
        }
        try self.init(read)
    }
}

extension WeeklySchedule.Entry {
    /// Minutes after midnight, 0…1439.
    public var minuteOfDay: Int { time.minutes }

    /// The time of day as `HH:MM`.
    public var clockTime: String { time.description }

    fileprivate init?(json: JSONValue) throws(ArgumentViolation) {
        guard let weekday = json.object?["weekday"]?.integer,
            let time = json.object?["at"]?.string.flatMap({ TimeOfDay($0) }),
            let program = json.object?["program"]?.string.flatMap(PoolRobot.Program.init)
        else { return nil }
        try self.init(weekday: weekday, minuteOfDay: time.minutes, program: program)
    }
}
