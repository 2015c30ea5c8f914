import DeviceDomain
import DeviceMessages

/// How faults spoil payloads.
enum WrongPayload {
    /// The beginning of a payload: at least a byte of it is there, and one is missing.
    static func truncated(_ payload: [UInt8], drawing draws: inout FaultDraws) -> [UInt8] {
        guard payload.count > 1 else { return payload }
        return Array(payload.prefix(1 + draws.index(below: payload.count - 1, for: .truncate)))
    }

    /// A payload in which one member has another type; `nil` for one that is no object with members.
    static func mistyped(_ payload: [UInt8], drawing draws: inout FaultDraws) -> [UInt8]? {
        guard var members = try? JSONReader.read(payload).object, !members.isEmpty else {
            return nil
        }
        let names = members.keys.sorted()
        let name = names[draws.index(below: names.count, for: .wrongPayload)]
        members[name] = members[name]?.ofAnotherType
        return JSONWriter.write(.object(members))
    }
}

extension JSONValue {
    /// A value of a type that nothing of this type can be read as.
    fileprivate var ofAnotherType: JSONValue {
        switch self {
        case .null: true
        case .boolean(let value): .string("\(value)")
        case .number: "4711"
        case .string: 4711
        case .array: [:]
        case .object: []
        }
    }
}
