public import DeviceDomain

/// Names a schedule in its ledger: a number above zero that is never used again.
public struct ScheduleID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number.
    public let number: Int

    public init(number: Int) { self.number = number }

    /// Reads a whole number above zero; `nil` for anything else.
    public init?(_ text: String) {
        guard let number = Int(text), number > 0, String(number) == text else { return nil }
        self.number = number
    }

    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }

    public var description: String { String(number) }
}

/// A command that is due at times of day or once on a date.
public struct Schedule: Hashable, Sendable, Identifiable {
    /// How long after its time a run may still start. A later one is missed: nobody expects that the
    /// robot begins at noon because the controller was off in the morning.
    public static let longestDelay = Duration.seconds(10)

    public let id: ScheduleID
    /// What is sent, to which device.
    public let command: ScheduledCommand
    /// When.
    public let rule: ScheduleRule
    /// Whether it is never due until it goes on.
    public var isPaused: Bool
    /// What became of its runs so far.
    public var history: ScheduleHistory

    public init(
        id: ScheduleID, command: ScheduledCommand, rule: ScheduleRule, isPaused: Bool = false,
        history: ScheduleHistory
    ) {
        self.id = id
        self.command = command
        self.rule = rule
        self.isPaused = isPaused
        self.history = history
    }

    /// When it is due next; `nil` for never.
    public func next(after moment: Timestamp, in calendar: LocalCalendar) -> Timestamp? {
        isPaused ? nil : rule.next(after: max(moment, history.decidedUntil), in: calendar)
    }

    /// What is to be decided at a moment.
    public func outlook(at moment: Timestamp, in calendar: LocalCalendar) -> ScheduleOutlook {
        var outlook = ScheduleOutlook()
        guard !isPaused else { return outlook }
        var last = history.decidedUntil
        while let due = rule.next(after: last, in: calendar) {
            guard due <= moment else {
                outlook.next = due
                break
            }
            if moment.since(due) < Self.longestDelay {
                outlook.due = due
            } else {
                outlook.missed.append(due)
            }
            last = due
        }
        return outlook
    }

    /// The schedule with the runs that can start no more as missed, also where no server has written that
    /// down yet.
    public func withMisses(until moment: Timestamp, in calendar: LocalCalendar) -> Schedule {
        guard let missed = outlook(at: moment, in: calendar).missed.last else { return self }
        var schedule = self
        schedule.history.lastMissed = max(missed, history.lastMissed ?? missed)
        return schedule
    }

    /// The cause of the command of one run, by which it is found in the ledger.
    public func cause(of due: Timestamp) -> String { "schedule:\(id):\(due.milliseconds)" }
}

/// What a schedule sends.
public struct ScheduledCommand: Hashable, Sendable {
    /// The device.
    public let device: DeviceID
    /// The command.
    public let name: CommandName
    /// Its arguments.
    public let arguments: JSONObject

    public init(device: DeviceID, name: CommandName, arguments: JSONObject) {
        self.device = device
        self.name = name
        self.arguments = arguments
    }
}

/// What became of the runs of a schedule (wire clock).
public struct ScheduleHistory: Hashable, Sendable {
    /// Every run that was due until then has started, or counts as missed.
    public var decidedUntil: Timestamp
    /// The run that a server has taken and not reported on; `nil` for none.
    public var taken: Timestamp?
    /// When the last run was due that was sent to the device.
    public var lastRun: Timestamp?
    /// When the last run was due that could not start.
    public var lastMissed: Timestamp?

    public init(
        decidedUntil: Timestamp, taken: Timestamp? = nil, lastRun: Timestamp? = nil,
        lastMissed: Timestamp? = nil
    ) {
        self.decidedUntil = decidedUntil
        self.taken = taken
        self.lastRun = lastRun
        self.lastMissed = lastMissed
    }
}

/// What is to be decided about a schedule at a moment.
public struct ScheduleOutlook: Hashable, Sendable {
    /// The runs that can start no more.
    public var missed: [Timestamp] = []
    /// The run that is due now.
    public var due: Timestamp?
    /// The run after these.
    public var next: Timestamp?

    public init() {}
}
