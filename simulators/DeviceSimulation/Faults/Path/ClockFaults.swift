import DeviceDomain
import DeviceMessages

/// What a wrong clock shows. The clock itself goes right, and so does all that depends on it: only what the device
/// writes down is wrong.
enum ClockFaults {
    /// The clock that a message is stamped by.
    enum Clock {
        /// Presence and acks.
        case wire
        /// State, telemetry and events.
        case world
    }

    /// What is written instead of a time: it depends on that time alone, so that an ack is repeated with its stamp as
    /// long as the faults last.
    static func shown(_ time: Timestamp, on clock: Clock, _ faults: ActiveFaults) -> Timestamp {
        var error = 0
        if let fault = faults[.clockOffset] { error += Int(fault.value(of: .offsetMs)) }
        if let active = faults.active(.clockDrift) {
            let passed = active.passed(by: time, on: clock)
            error += Int(Double(passed) * active.fault.value(of: .partsPerMillion) / 1e6)
        }
        if let active = faults.active(.clockStep) {
            let period = Int(active.fault.value(of: .everySeconds) * 1000)
            let isAhead = (active.passed(by: time, on: clock) / period).isMultiple(of: 2)
            if isAhead { error += Int(active.fault.value(of: .stepMs)) }
        }
        guard error != 0 else { return time }
        return Timestamp(milliseconds: max(0, time.milliseconds + error))
    }
}

extension ActiveFault {
    /// How long the fault had lasted at a time, in ms.
    fileprivate func passed(by time: Timestamp, on clock: ClockFaults.Clock) -> Int {
        let start =
            switch clock {
            case .wire: begin.wire
            case .world: begin.world
            }
        return max(0, time.since(start).wholeMilliseconds)
    }
}

/// The time that a message says, and by which clock.
struct MessageStamp {
    let time: Timestamp
    let clock: ClockFaults.Clock
}

extension DevicePublication {
    /// The message with another stamp; one without any, or whose stamp is right, as it is.
    func stamped(_ body: (MessageStamp) -> Timestamp) -> DevicePublication {
        switch self {
        case .description, .altered: return self
        case .presence(var message):
            let report = message.report
            message.report = PresenceReport(
                status: report.status, boot: report.boot,
                at: body(MessageStamp(time: report.at, clock: .wire)), claim: report.claim)
            return .presence(message)
        case .state(var message):
            message.at = body(MessageStamp(time: message.at, clock: .world))
            return .state(message)
        case .event(var message):
            message.at = body(MessageStamp(time: message.at, clock: .world))
            return .event(message)
        case .ack(var message, let controller):
            message.at = body(MessageStamp(time: message.at, clock: .wire))
            return .ack(message, controller)
        case .telemetry(let sample):
            let at = body(MessageStamp(time: sample.at, clock: .world))
            guard at != sample.at else { return self }
            return .telemetry(sample.rewritten { $0.at = at })
        }
    }
}

extension WrittenSample {
    /// The sample with other bytes, as of the same instant.
    func rewritten(_ body: (inout TelemetryMessage) -> Void) -> WrittenSample {
        guard var message = try? TelemetryMessage(payload: payload) else { return self }
        body(&message)
        return WrittenSample(at: at, payload: message.payload)
    }
}
