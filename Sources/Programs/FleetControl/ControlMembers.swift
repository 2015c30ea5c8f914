import DeviceDomain
import DeviceMessages

/// The members of one line on a control socket. Unknown ones are ignored; a known one of the wrong
/// type is an error.
struct ControlMembers {
    private let members: JSONObject

    /// Reads a line.
    /// - Throws: ``ControlError`` unless it is a JSON object within the limits of the wire.
    init(_ line: [UInt8]) throws(ControlError) {
        let value: JSONValue
        do {
            value = try JSONReader.read(line)
        } catch {
            throw ControlError("a line on the control socket is no JSON: \(error)")
        }
        guard let members = value.object else {
            throw ControlError("a line on the control socket is no JSON object")
        }
        self.members = members
    }

    private init(members: JSONObject) { self.members = members }

    func text(_ name: String) throws(ControlError) -> String {
        guard let text = try optionalText(name) else { throw Self.wrong(name, "must be a string") }
        return text
    }

    func optionalText(_ name: String) throws(ControlError) -> String? {
        guard let value = members[name] else { return nil }
        guard let text = value.string else { throw Self.wrong(name, "must be a string") }
        return text
    }

    func texts(_ name: String) throws(ControlError) -> [String] {
        let values = members[name]?.array ?? []
        let texts = values.compactMap(\.string)
        guard members[name]?.array != nil, texts.count == values.count else {
            throw Self.wrong(name, "must be an array of strings")
        }
        return texts
    }

    func boolean(_ name: String) throws(ControlError) -> Bool {
        guard case .boolean(let value) = members[name] else {
            throw Self.wrong(name, "must be true or false")
        }
        return value
    }

    func number(_ name: String) throws(ControlError) -> Double {
        guard let number = members[name]?.number else {
            throw Self.wrong(name, "must be a number")
        }
        return number
    }

    /// An object; an absent one is empty.
    func object(_ name: String) throws(ControlError) -> JSONObject {
        guard let value = members[name] else { return [:] }
        guard let object = value.object else { throw Self.wrong(name, "must be an object") }
        return object
    }

    func objects(_ name: String) throws(ControlError) -> [ControlMembers] {
        let values = members[name]?.array ?? []
        let objects = values.compactMap { $0.object.map(ControlMembers.init(members:)) }
        guard members[name]?.array != nil, objects.count == values.count else {
            throw Self.wrong(name, "must be an array of objects")
        }
        return objects
    }

    /// The longest time, in milliseconds: ten years, as the command line has it.
    private static let longest = 315_360_000_000

    /// A time in whole milliseconds, from 1 ms to ten years.
    func duration(_ name: String) throws(ControlError) -> Duration? {
        guard let value = members[name] else { return nil }
        guard let milliseconds = value.integer, (1...Self.longest).contains(milliseconds) else {
            throw Self.wrong(name, "must be a whole number from 1 to \(Self.longest)")
        }
        return .milliseconds(milliseconds)
    }

    func timestamp(_ name: String) throws(ControlError) -> Timestamp? {
        guard let value = members[name] else { return nil }
        guard let milliseconds = value.integer else {
            throw Self.wrong(name, "must be a whole number")
        }
        return Timestamp(milliseconds: milliseconds)
    }

    private static func wrong(_ name: String, _ rule: String) -> ControlError {
        ControlError("a line on the control socket is wrong: \(name) \(rule)")
    }
}
