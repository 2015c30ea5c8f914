import DeviceMessages

/// A message on its way from a device to its connection.
struct Departure: Hashable, Sendable {
    /// What is published.
    var publication: DevicePublication
    /// What the broker's confirmation is for.
    var confirming: Confirmation?
}

/// What becomes of a message on its way.
enum Passage: Hashable, Sendable {
    /// It leaves now.
    case leaves(Departure)
    /// It leaves later (monotonic clock), after those that wait already.
    case waits(Departure, until: Duration)
    /// It is lost after the broker has confirmed it: the device believes that it was heard.
    case lost(Confirmation?)
}

/// Messages that follow on one another: faults change the order among those of one sort only.
enum MessageSort: Int, Hashable, Sendable {
    case state, telemetry, event, ack
}

extension DevicePublication {
    /// The sort of the message; `nil` for one that is only repeated.
    var sort: MessageSort? {
        switch self {
        case .state: .state
        case .telemetry: .telemetry
        case .event: .event
        case .ack: .ack
        case .altered(let message, _): message.sort
        case .description, .presence: nil
        }
    }

    /// The bytes that leave.
    var payload: [UInt8] {
        switch self {
        case .description(let message): message.payload
        case .presence(let message): message.payload
        case .state(let message): message.payload
        case .telemetry(let sample): sample.payload
        case .event(let message): message.payload
        case .ack(let message, _): message.payload
        case .altered(_, let payload): payload
        }
    }

    /// The message, to be sent at another time than its own: a sample that comes late is not late made.
    var atAnotherTime: DevicePublication {
        if case .telemetry(let sample) = self {
            .altered(self, payload: sample.payload)
        } else {
            self
        }
    }
}
