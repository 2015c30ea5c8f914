internal import DeviceDomain
internal import MosquittoAdapter

/// What is wrong with the devices of a home, from what was heard of them. Pure.
struct DeviceCheck: Sendable {
    /// How far clocks may differ: commands expire by them (PROTOCOL section 2).
    static let tolerance = Duration.seconds(5)
    /// How many devices a message names.
    private static let longestList = 5

    /// The home.
    let home: HomeID
    /// Who asked them.
    let asker: ControllerID
    /// What was heard, by device.
    let devices: [DeviceID: DeviceEvidence]
    /// The devices that the ledger knows.
    let known: Set<DeviceID>

    /// What was found, in the order of the checks.
    var findings: [Finding] {
        guard !devices.isEmpty else { return [nobody] }
        return violations + names + gaps + silence + clocks + owners
    }

    private var sorted: [(key: DeviceID, value: DeviceEvidence)] {
        devices.sorted { $0.key < $1.key }
    }

    private var nobody: Finding {
        guard !known.isEmpty else { return .ok(.devices, "there are no devices in \(home) yet") }
        return .warning(
            .devices,
            "nothing was heard of the \(known.count) devices that the ledger knows in \(home): "
                + Self.list(known.sorted()),
            remedy: "check that they are on this broker and in this home, and that the broker lets "
                + "this user read their topics")
    }

    // MARK: What they say

    private var violations: [Finding] {
        sorted.compactMap { device, evidence in
            evidence.violations.first.map { finding(of: $0, from: device) }
        }
    }

    private var names: [Finding] {
        let devices = sorted.filter(\.value.hasTooManyNames).map(\.key)
        guard !devices.isEmpty else { return [] }
        return [
            .problem(
                .devices,
                "telemetry under more than \(DeviceEvidence.mostTelemetryNames) names comes from "
                    + "\(Self.list(devices)): readers keep the first ones and leave the others out",
                remedy:
                    "correct or update the firmware; a name stands for one signal and stays the same"
            )
        ]
    }

    private func finding(
        of violation: DeviceEvidence.Violation, from device: DeviceID
    ) -> Finding {
        guard !violation.isOfOtherVersion else {
            return .problem(
                .devices,
                "\(device) speaks a version of the protocol that this homeport does not know: "
                    + violation.text,
                remedy: "update homeport; if \(device) is gone, clear its retained topics")
        }
        return .problem(
            .devices, "\(device) sends what the protocol does not allow: \(violation.text)",
            remedy: "correct or update the firmware of \(device); if it is gone, clear its "
                + "retained topics")
    }

    /// What devices should retain and nobody can read.
    private var gaps: [Finding] {
        let withoutPresence = sorted.filter {
            $0.value.presence == .unknown && $0.value.violations.isEmpty
        }
        return [gap("presence", withoutPresence.map(\.key))].compactMap(\.self)
            + DeviceEvidence.Part.allCases.compactMap { part in
                gap(
                    part.rawValue,
                    sorted.filter { $0.value.missingParts.contains(part) }.map(\.key))
            }
    }

    private func gap(_ part: String, _ lacking: [DeviceID]) -> Finding? {
        guard !lacking.isEmpty else { return nil }
        let message = "no \(part) is heard of \(Self.list(lacking))"
        guard lacking.count > 1, lacking.count == devices.count else {
            return .warning(
                .devices, message,
                remedy:
                    "let the device publish it, retained; if it does, let the broker's access "
                    + "control deliver …/\(part) to this user")
        }
        return .problem(
            .accessControl, "\(message), which are all devices of \(home)",
            remedy: "let the broker's access control deliver …/\(part) to this user")
    }

    private var silence: [Finding] {
        let silent = sorted.filter { $0.value.isSilent }.map(\.key)
        let asked = devices.values.filter { $0.askedAt != nil }.count
        guard silent.count < 2 || silent.count < asked else {
            return [
                .problem(
                    .accessControl,
                    "not one of the \(asked) devices that are online has answered a dry run of identify",
                    remedy:
                        "let the broker's access control take …/command from this user, deliver it to "
                        + "the devices, take …/ack/+ from them, and deliver …/ack/\(asker) to this user; "
                        + "--controller must be the name that it knows")
            ]
        }
        guard !silent.isEmpty else {
            let online = devices.values.filter(\.presence.isOnline).count
            return [
                .ok(
                    .devices,
                    "devices in \(home): \(devices.count), of which online: \(online), of which "
                        + "asked: \(asked); all that the question reached answered")
            ]
        }
        return [
            .warning(
                .devices,
                "online, but without an answer to a dry run of identify: \(Self.list(silent))",
                remedy:
                    "send them a command: if it is acknowledged, let the broker's access control "
                    + "deliver …/ack/\(asker) to this user; else restart them")
        ]
    }

    // MARK: Clocks

    private var clocks: [Finding] {
        let skewed = sorted.compactMap { device, evidence -> Finding? in
            let skew = evidence.skew
            guard skew > Self.tolerance || skew < .zero - Self.tolerance else { return nil }
            let distance = skew < .zero ? .zero - skew : skew
            return .problem(
                .clock,
                "the clocks of \(device) and of this machine differ: the device's is \(distance.brief) "
                    + (skew < .zero ? "behind" : "ahead")
                    + ", so that its commands expire at the wrong time",
                remedy: "set the clock of \(device) by NTP; if all devices differ, that of this "
                    + "machine")
        }
        guard skewed.isEmpty else { return skewed }
        let isKnown = devices.values.contains { $0.clockReadings.contains { $0.earliest != nil } }
        return [
            isKnown
                ? .ok(.clock, "the clocks of the devices that answered agree within 5 s")
                : .ok(.clock, "no device answered, so their clocks are not known")
        ]
    }

    // MARK: Owners

    private var owners: [Finding] {
        let shared = sorted.filter { $0.value.hasTwoOwners }.map(\.key)
        guard shared.isEmpty else {
            return shared.map { device in
                .problem(
                    .deviceIDs, "two devices use the id \(device) in \(home): both speak under it",
                    remedy: "give each device an id of its own, or switch one of them off")
            }
        }
        let restarted = sorted.filter { $0.value.boots.count > 1 }.map(\.key)
        guard restarted.isEmpty else {
            return [
                .warning(
                    .deviceIDs,
                    "restarted during the diagnosis, or its id is used twice: "
                        + Self.list(restarted),
                    remedy: "run doctor again; if it says the same, look for a second device with "
                        + "that id")
            ]
        }
        return [.ok(.deviceIDs, "no id of a device is used twice, as far as they were heard")]
    }

    private static func list(_ devices: [DeviceID]) -> String {
        let named = devices.prefix(longestList).map(\.text).joined(separator: ", ")
        let more = devices.count - longestList
        return more > 0 ? "\(named) and \(more) more" : named
    }
}

extension DeviceEvidence {
    /// Whether it was asked and did not answer.
    fileprivate var isSilent: Bool {
        askedAt != nil && !isQuestionRefused && presence.isOnline && answeringBoots.isEmpty
    }

    /// The largest difference of the clocks. Where there are live messages these count alone: a clock may
    /// have been set since the device came online.
    fileprivate var skew: Duration {
        let live = clockReadings.filter { $0.earliest != nil }
        let skews = (live.isEmpty ? clockReadings : live).map(\.skew)
        return skews.max { $0.magnitude < $1.magnitude } ?? .zero
    }
}

extension Duration {
    fileprivate var magnitude: Duration { self < .zero ? .zero - self : self }
}
