package import DeviceDomain
package import DeviceMessages
internal import DeviceTopics
package import MQTTClient

/// Collects what is heard of the devices of a home. A value: it does no I/O and reads no clock.
package struct DeviceWatch: Sendable {
    /// How late a live presence may come; more than that counts as a difference of the clocks.
    private static let transit = Duration.seconds(1)
    /// How many boot ids of a device are kept.
    private static let longestList = 100

    /// What was heard, by device.
    package private(set) var devices: [DeviceID: DeviceEvidence] = [:]
    /// Whether a retained presence was replayed.
    package private(set) var hasReplay = false
    private var questions: [CommandID: DeviceID] = [:]

    package init() {}

    /// The devices that are online, in the order of their ids.
    package var online: [DeviceID] {
        devices.filter { $0.value.presence.isOnline }.map(\.key).sorted()
    }

    /// Whether a device has not answered yet.
    package var isWaiting: Bool {
        devices.values.contains {
            $0.askedAt != nil && !$0.isQuestionRefused && $0.answeringBoots.isEmpty
        }
    }

    /// Whether a device has changed its boot id, which needs a longer look.
    package var isSuspicious: Bool { devices.values.contains { $0.boots.count > 1 } }

    /// Whether two devices use one id.
    package var hasTwoOwners: Bool { devices.values.contains(where: \.hasTwoOwners) }

    /// The retained parts of a device are subscribed to.
    package mutating func subscribed(to device: DeviceID) {
        devices[device]?.missingParts = Set(DeviceEvidence.Part.allCases)
    }

    /// A device is asked.
    package mutating func asked(_ device: DeviceID, by question: CommandID, at time: Timestamp) {
        questions[question] = device
        devices[device, default: DeviceEvidence()].askedAt = time
    }

    /// The broker did not let a question pass.
    package mutating func refusedQuestion(to device: DeviceID) {
        devices[device]?.isQuestionRefused = true
    }

    /// Takes a message.
    /// - Parameter time: when it came (wire clock).
    package mutating func take(_ message: MQTTMessage, at time: Timestamp) {
        do {
            let received = try ReceivedMessage(
                topic: message.topic.rawValue, payload: message.payload)
            guard let device = received.device else { return }
            take(received.content, from: device, isReplay: message.retain, at: time)
        } catch {
            takeViolation(error)
        }
    }

    private mutating func takeViolation(_ error: ReceptionError) {
        switch error {
        case .topic, .empty: return
        case .payload(let topic, let cause):
            let isOfOtherVersion = cause.code == .unsupportedVersion
            takeViolation("\(error)", isOfOtherVersion: isOfOtherVersion, on: topic)
        case .otherDevice(let topic, _), .otherEvent(let topic, _):
            takeViolation("\(error)", isOfOtherVersion: false, on: topic)
        }
    }

    /// What cannot be used was heard all the same.
    private mutating func takeViolation(
        _ text: String, isOfOtherVersion: Bool, on topic: DeviceTopic
    ) {
        guard let device = topic.device else { return }
        var evidence = devices[device] ?? DeviceEvidence()
        evidence.takeViolation(
            DeviceEvidence.Violation(text: text, isOfOtherVersion: isOfOtherVersion))
        switch topic {
        case .description: evidence.missingParts.remove(.description)
        case .state: evidence.missingParts.remove(.state)
        case .presence, .telemetry, .event, .command, .ack, .desired, .hello, .fence: break
        }
        devices[device] = evidence
    }

    private mutating func take(
        _ content: DeviceMessage, from device: DeviceID, isReplay: Bool, at time: Timestamp
    ) {
        switch content {
        case .presence(let message): take(message.report, of: device, isReplay, at: time)
        case .telemetry(let message) where !isReplay:
            take(message.boot, of: device)
            devices[device]?.take(telemetryNames: message.values.keys)
        case .ack(let ack, _): take(ack, of: device, at: time)
        case .description: devices[device, default: DeviceEvidence()].take(.description)
        case .state: devices[device, default: DeviceEvidence()].take(.state)
        case .telemetry, .event, .command, .desired, .hello, .fence: break
        }
    }

    /// The time of a will is that of its CONNECT, so an offline tells nothing about a clock.
    private mutating func take(
        _ report: PresenceReport, of device: DeviceID, _ isReplay: Bool, at time: Timestamp
    ) {
        if isReplay { hasReplay = true }
        devices[device, default: DeviceEvidence()].presence.apply(Presence(report))
        guard report.status == .online else { return }
        let earliest = isReplay ? nil : time.advanced(by: .zero - Self.transit)
        devices[device]?.clockReadings.append(
            ClockReading(report.at, from: earliest, to: time))
        if !isReplay { take(report.boot, of: device) }
    }

    private mutating func take(_ ack: AckMessage, of device: DeviceID, at time: Timestamp) {
        guard questions[ack.id] == device, !ack.isReplay,
            let askedAt = devices[device]?.askedAt
        else { return }
        devices[device]?.answeringBoots.insert(ack.boot)
        devices[device]?.clockReadings.append(ClockReading(ack.at, from: askedAt, to: time))
        take(ack.boot, of: device)
    }

    private mutating func take(_ boot: BootID, of device: DeviceID) {
        guard devices[device]?.boots.count ?? 0 < Self.longestList else { return }
        devices[device, default: DeviceEvidence()].take(boot)
    }
}
