import DeviceDomain
import DeviceMessages

/// The way of messages from a device to its connection, and what its faults do to them there.
///
/// What a device does, records and makes does not depend on it. A value: the same seed, device, boot and faults do
/// the same to the same messages. A new fault of messages is an entry of the table of faults and a step here.
struct MessagePath: Sendable {
    /// How long a message waits at most for the next one of its sort.
    static let longestWait = Duration.seconds(5)
    /// How many messages can come again.
    static let recentLimit = 16

    /// A message that waits for the next one of its sort.
    private struct Waiting {
        let departure: Departure
        let due: Duration
    }

    /// What the faults of this device and boot draw.
    private var draws: FaultDraws
    /// What its sensors show.
    private var sensors = SensorFaults()
    /// The faults that the device has.
    private(set) var faults: ActiveFaults
    /// Whether a fault has to do with messages.
    private(set) var isDisturbed: Bool
    /// The state that is published instead of any later one; `nil` before the first one.
    private var frozen: StateMessage?
    private var waiting: [MessageSort: Waiting] = [:]
    private var recent: [Departure] = []

    /// The way of messages of a device at its start.
    /// - Parameter seed: what the device's own randomness derives from.
    init(of identity: DeviceIdentity, seed: UInt64, boot: BootID, having faults: ActiveFaults) {
        draws = FaultDraws(of: identity, seed: seed, boot: boot)
        self.faults = faults
        isDisturbed = faults.disturbMessages
        draws.follow(faults)
    }

    /// Whether no ack leaves.
    var withholdsAcks: Bool { faults[.mute] != nil }

    /// When a message leaves that waits for another one (monotonic clock).
    var nextDue: Duration? { waiting.values.map(\.due).min() }

    /// Takes the faults that the device has from now on.
    /// - Parameter state: the last one that it has published.
    mutating func follow(_ faults: ActiveFaults, after state: StateMessage) {
        let former = self.faults
        self.faults = faults
        isDisturbed = faults.disturbMessages
        draws.follow(faults)
        sensors.follow(faults)
        if faults[.frozenState] == nil {
            frozen = nil
        } else if former[.frozenState] == nil {
            frozen = state
        }
        if faults[.replay] == nil { recent = [] }
    }

    /// Forgets the messages that wait.
    mutating func dropWaiting() { waiting = [:] }

    /// Takes the messages that have waited long enough; all of them where none has to wait any more.
    mutating func takeOverdue(at now: Duration) -> [Departure] {
        let isOver = faults[.reorder] == nil
        let due = waiting.filter { isOver || $0.value.due <= now }
        for sort in due.keys { waiting[sort] = nil }
        return due.sorted { ($0.value.due, $0.key.rawValue) < ($1.value.due, $1.key.rawValue) }
            .map(\.value.departure)
    }

    /// Lets a message on its way.
    /// - Returns: what becomes of it, and of others because of it.
    mutating func take(_ departure: Departure, at now: DeviceMoment) -> [Passage] {
        guard !isFrozenOut(departure.publication) else { return [] }
        var departure = departure
        departure.publication = altered(departure.publication, at: now)
        guard departure.publication.sort == .ack else {
            return inOrder(departure, at: now).map(Passage.leaves)
        }
        guard !withholdsAcks else { return [] }
        guard !draws.hits(.dropAcks) else { return [.lost(departure.confirming)] }
        var copies = [departure]
        if draws.hits(.duplicateAcks) {
            copies.append(Departure(publication: departure.publication))
        }
        guard faults.delayAcks else {
            return copies.flatMap { inOrder($0, at: now) }.map(Passage.leaves)
        }
        let due = now.monotonic + delay()
        return copies.map { .waits($0, until: due) }
    }

    private mutating func delay() -> Duration {
        var delay = faults[.slow]?.delay ?? .zero
        if let fault = faults[.lateAcks] {
            let least = fault.value(of: .leastMs)
            let range = least...max(least, fault.value(of: .mostMs))
            delay += .milliseconds(Int(draws.number(in: range, for: .lateAcks)))
        }
        return delay
    }

    // MARK: What it says

    /// Whether a state is later than the one at which the state has stopped.
    private mutating func isFrozenOut(_ publication: DevicePublication) -> Bool {
        guard faults[.frozenState] != nil, case .state(let state) = publication else {
            return false
        }
        let present = frozen ?? state
        frozen = present
        return state != present
    }

    /// The state that a device announces: the last one, or that at which its state has stopped.
    func announced(_ state: StateMessage) -> StateMessage { frozen ?? state }

    private mutating func altered(
        _ publication: DevicePublication, at now: DeviceMoment
    ) -> DevicePublication {
        var message = sensors.shown(publication, faults, at: now, drawing: &draws)
        if faults[.unknownError] != nil { message = message.withUnknownError }
        message = message.stamped { stamp in
            ClockFaults.shown(stamp.time, on: stamp.clock, faults)
        }
        if draws.hits(.wrongPayload),
            let payload = WrongPayload.mistyped(message.payload, drawing: &draws)
        {
            message = .altered(message, payload: payload)
        }
        if draws.hits(.truncate) {
            let payload = WrongPayload.truncated(message.payload, drawing: &draws)
            message = .altered(message, payload: payload)
        }
        return message
    }

    // MARK: In which order it leaves

    private mutating func inOrder(_ departure: Departure, at now: DeviceMoment) -> [Departure] {
        var leaving: [Departure] = []
        for next in reordered(departure, at: now) {
            leaving.append(next)
            if let old = remembered(next) { leaving.append(old) }
        }
        return leaving
    }

    private mutating func reordered(_ departure: Departure, at now: DeviceMoment) -> [Departure] {
        guard let sort = departure.publication.sort, faults[.reorder] != nil else {
            return [departure]
        }
        if let former = waiting.removeValue(forKey: sort) { return [departure, former.departure] }
        guard draws.hits(.reorder) else { return [departure] }
        var late = departure
        late.publication = late.publication.atAnotherTime
        waiting[sort] = Waiting(departure: late, due: now.monotonic + Self.longestWait)
        return []
    }

    /// Keeps a message that leaves.
    /// - Returns: one that leaves once more after it.
    private mutating func remembered(_ departure: Departure) -> Departure? {
        guard departure.publication.sort != nil, faults[.replay] != nil else { return nil }
        recent.append(Departure(publication: departure.publication.atAnotherTime))
        if recent.count > Self.recentLimit { recent.removeFirst() }
        guard draws.hits(.replay) else { return nil }
        return recent[draws.index(below: recent.count, for: .replay)]
    }
}

extension ActiveFaults {
    /// Whether one of them has to do with messages.
    fileprivate var disturbMessages: Bool {
        all.contains {
            switch $0.fault.name.entry.handler {
            case .acks, .messages: true
            case .connection, .link, .start, .supply, .behaviour: false
            }
        }
    }
}

extension DevicePublication {
    /// What every state says while the fault `unknown-error` lasts: codes that no table has.
    private static let unknownCode = JSONValue.string("ERROR_4711")

    /// The state with an error, or with one more alarm; another message as it is.
    fileprivate var withUnknownError: DevicePublication {
        guard case .state(var message) = self else { return self }
        if let alarms = message.state[.alarms]?.array {
            message.state[.alarms] = .array(alarms + ["error-4711"])
        } else {
            message.state[.error] = Self.unknownCode
        }
        return .state(message)
    }
}
