package import DeviceDomain
import DeviceMessages

/// One line of a fleet's answer.
package enum ControlReply: Hashable, Sendable {
    /// A device of the fleet.
    case device(ControlledDevice)
    /// A boxed device whose access point is open.
    case boxed(BoxedLine)
    /// A fault that devices can have.
    case fault(PossibleFault)
    /// The world clock of the fleet.
    case world(WorldReading)
    /// Nothing was done; the text says why, and what to do.
    case refused(String)
    /// The answer is whole.
    case done

    /// Reads a line without its end.
    /// - Throws: ``LocalServicesError`` that says what is wrong.
    package init(line: [UInt8]) throws(LocalServicesError) {
        try self.init(LineMembers(line))
    }

    /// Reads the members of a line.
    /// - Throws: ``LocalServicesError`` that says what is wrong.
    package init(_ members: LineMembers) throws(LocalServicesError) {
        switch try members.text("reply") {
        case "device": self = .device(try ControlledDevice(members))
        case "boxed": self = .boxed(try BoxedLine(members))
        case "fault": self = .fault(try PossibleFault(members))
        case "world": self = .world(try WorldReading(members))
        case "refused": self = .refused(try members.text("reason"))
        case "done": self = .done
        case let other:
            throw LocalServicesError(
                .malformed, "the fleet answers with an unknown \(other.debugDescription)")
        }
    }

    /// The line, without its end.
    package var line: [UInt8] { JSONWriter.write(.object(members)) }

    /// The members of the line.
    package var members: JSONObject {
        var members: JSONObject
        switch self {
        case .device(let device): (members, members["reply"]) = (device.members, "device")
        case .boxed(let box): (members, members["reply"]) = (box.members, "boxed")
        case .fault(let fault): (members, members["reply"]) = (fault.members, "fault")
        case .world(let world): (members, members["reply"]) = (world.members, "world")
        case .refused(let reason): members = ["reply": "refused", "reason": .string(reason)]
        case .done: members = ["reply": "done"]
        }
        return members
    }
}

/// A boxed device with an open access point.
package struct BoxedLine: Hashable, Sendable {
    /// `HOME/NAME`.
    package let device: String
    /// The address of the access point.
    package let accessPoint: String
    /// What the device's label says.
    package let label: JSONObject

    package init(device: String, accessPoint: String, label: JSONObject) {
        self.device = device
        self.accessPoint = accessPoint
        self.label = label
    }

    init(_ members: LineMembers) throws(LocalServicesError) {
        self.init(
            device: try members.text("device"), accessPoint: try members.text("accessPoint"),
            label: try members.object("qr"))
    }

    /// As JSON.
    package var members: JSONObject {
        [
            "device": .string(device), "accessPoint": .string(accessPoint),
            "qr": .object(label),
        ]
    }
}
