package import DeviceDomain
package import DeviceMessages

/// The members of one line that programs of one user write to each other. Unknown ones are ignored; a known
/// one of the wrong type is an error.
package struct LineMembers: Sendable {
    private let members: JSONObject

    /// Reads a line.
    /// - Throws: ``LocalServicesError`` `malformed` unless it is a JSON object within the limits.
    package init(_ line: [UInt8], limits: JSONLimits = .wire) throws(LocalServicesError) {
        let value: JSONValue
        do {
            value = try JSONReader.read(line, limits: limits)
        } catch {
            throw LocalServicesError(.malformed, "a line is no JSON: \(error)")
        }
        guard let members = value.object else {
            throw LocalServicesError(.malformed, "a line is no JSON object")
        }
        self.members = members
    }

    private init(members: JSONObject) { self.members = members }

    /// All members.
    package var all: JSONObject { members }

    /// The members that are strings.
    package var allTexts: [String: String] { members.compactMapValues(\.string) }

    /// The number of a process, `pid`.
    package func process() throws(LocalServicesError) -> Int32 {
        guard let number = try integer("pid"), let process = Int32(exactly: number), process > 0
        else { throw Self.wrong("pid", "must be the number of a process") }
        return process
    }

    /// A whole number; `nil` for none.
    package func integer(_ name: String) throws(LocalServicesError) -> Int? {
        guard let value = members[name] else { return nil }
        guard let number = value.integer else { throw Self.wrong(name, "must be a whole number") }
        return number
    }

    /// A string.
    package func text(_ name: String) throws(LocalServicesError) -> String {
        guard let text = try optionalText(name) else { throw Self.wrong(name, "must be a string") }
        return text
    }

    /// A string; `nil` for none.
    package func optionalText(_ name: String) throws(LocalServicesError) -> String? {
        guard let value = members[name] else { return nil }
        guard let text = value.string else { throw Self.wrong(name, "must be a string") }
        return text
    }

    /// An array of strings.
    package func texts(_ name: String) throws(LocalServicesError) -> [String] {
        let values = members[name]?.array ?? []
        let texts = values.compactMap(\.string)
        guard members[name]?.array != nil, texts.count == values.count else {
            throw Self.wrong(name, "must be an array of strings")
        }
        return texts
    }

    /// A truth value.
    package func boolean(_ name: String) throws(LocalServicesError) -> Bool {
        guard case .boolean(let value) = members[name] else {
            throw Self.wrong(name, "must be true or false")
        }
        return value
    }

    /// A number.
    package func number(_ name: String) throws(LocalServicesError) -> Double {
        guard let number = members[name]?.number else {
            throw Self.wrong(name, "must be a number")
        }
        return number
    }

    /// An object; an absent one is empty.
    package func object(_ name: String) throws(LocalServicesError) -> JSONObject {
        guard let value = members[name] else { return [:] }
        guard let object = value.object else { throw Self.wrong(name, "must be an object") }
        return object
    }

    func objects(_ name: String) throws(LocalServicesError) -> [LineMembers] {
        let values = members[name]?.array ?? []
        let objects = values.compactMap { $0.object.map(LineMembers.init(members:)) }
        guard members[name]?.array != nil, objects.count == values.count else {
            throw Self.wrong(name, "must be an array of objects")
        }
        return objects
    }

    /// The longest time, in milliseconds: ten years, as the command line has it.
    private static let longest = 315_360_000_000

    /// A time in whole milliseconds, from 1 ms to ten years.
    func duration(_ name: String) throws(LocalServicesError) -> Duration? {
        guard let milliseconds = try integer(name) else { return nil }
        guard (1...Self.longest).contains(milliseconds) else {
            throw Self.wrong(name, "must be a whole number from 1 to \(Self.longest)")
        }
        return .milliseconds(milliseconds)
    }

    func timestamp(_ name: String) throws(LocalServicesError) -> Timestamp? {
        try integer(name).map(Timestamp.init(milliseconds:))
    }

    private static func wrong(_ name: String, _ rule: String) -> LocalServicesError {
        LocalServicesError(.malformed, "a line is wrong: \(name) \(rule)")
    }
}
