package import DeviceDomain
import DeviceMessages

/// What a program asks a running fleet for: one line of JSON on its control socket.
package enum ControlRequest: Hashable, Sendable {
    /// Tell of every device, or of one.
    case status(target: String?)
    /// Tell which faults there are.
    case faults
    /// Let a fault happen to a share of some devices, all of them unless it says otherwise; without a time it stays
    /// until it is cleared.
    case inject(
        target: String, fault: String, settings: JSONObject, lasting: Duration?, share: Double = 1)
    /// End one fault of a share of some devices, or all of their faults.
    case clear(target: String, fault: String?, share: Double = 1)
    /// Let the world clock stand still.
    case pause
    /// Let it go on.
    case resume
    /// Set a world clock forward that stands still; without a time to the next instant of any device.
    case step(Duration?)

    /// The longest line of a request, in bytes.
    package static let limit = JSONLimits.wire.bytes

    /// Reads a line without its end.
    /// - Throws: ``LocalServicesError`` that says what is wrong.
    package init(line: [UInt8]) throws(LocalServicesError) {
        try self.init(LineMembers(line))
    }

    /// Reads the members of a line.
    /// - Throws: ``LocalServicesError`` that says what is wrong.
    package init(_ members: LineMembers) throws(LocalServicesError) {
        switch try members.text("request") {
        case "status": self = .status(target: try members.optionalText("target"))
        case "faults": self = .faults
        case "inject":
            self = .inject(
                target: try members.text("target"), fault: try members.text("fault"),
                settings: try members.object("settings"), lasting: try members.duration("forMs"),
                share: try members.share())
        case "clear":
            self = .clear(
                target: try members.text("target"), fault: try members.optionalText("fault"),
                share: try members.share())
        case "pause": self = .pause
        case "resume": self = .resume
        case "step": self = .step(try members.duration("forMs"))
        case let other:
            throw LocalServicesError(
                .malformed,
                "this fleet does not know the request \(other.debugDescription); "
                    + "use the homeport-sim that runs it")
        }
    }

    /// The line, without its end.
    package var line: [UInt8] { JSONWriter.write(.object(members)) }

    /// The members of the line.
    package var members: JSONObject {
        switch self {
        case .status(let target):
            var members: JSONObject = ["request": "status"]
            if let target { members["target"] = .string(target) }
            return members
        case .faults: return ["request": "faults"]
        case .inject(let target, let fault, let settings, let lasting, let share):
            var members: JSONObject = [
                "request": "inject", "target": .string(target), "fault": .string(fault),
            ]
            if !settings.isEmpty { members["settings"] = .object(settings) }
            if let lasting { members["forMs"] = .integer(lasting.wholeMilliseconds) }
            if share != 1 { members["share"] = .number(share) }
            return members
        case .clear(let target, let fault, let share):
            var members: JSONObject = ["request": "clear", "target": .string(target)]
            if let fault { members["fault"] = .string(fault) }
            if share != 1 { members["share"] = .number(share) }
            return members
        case .pause: return ["request": "pause"]
        case .resume: return ["request": "resume"]
        case .step(let time):
            var members: JSONObject = ["request": "step"]
            if let time { members["forMs"] = .integer(time.wholeMilliseconds) }
            return members
        }
    }
}

extension LineMembers {
    /// The share of the devices that are meant; all of them where it is missing.
    fileprivate func share() throws(LocalServicesError) -> Double {
        guard all["share"] != nil else { return 1 }
        let share = try number("share")
        guard share > 0, share <= 1 else {
            throw LocalServicesError(
                .malformed, "a share is a number above 0, and 1 at most: write 0.5 for half")
        }
        return share
    }
}
