package import DeviceDomain
package import DeviceMessages

/// A message that asks for something: a post of a device, or a command to one.
package struct AlinkRequest: Hashable, Sendable {
    /// The limits of a message; the platform itself takes 256 KiB.
    package static let limits = JSONLimits(bytes: 256 << 10, depth: 32)

    /// Names the message for its reply: a decimal number as a text.
    package let id: String
    /// What is asked.
    package let parameters: JSONValue
    /// What the topic says too; empty where it was left out.
    package let method: String
    /// Whether its sender wants a reply; `sys.ack` 0 says no.
    package let wantsReply: Bool

    /// Reads a request.
    /// - Throws: `PayloadError` where it is no object, or its id is neither a text nor a number.
    package init(payload: [UInt8]) throws(PayloadError) {
        let members = try JSONReader.read(payload, limits: Self.limits).object
        guard let members, let id = members["id"]?.messageID else {
            throw PayloadError(
                code: .wrongType, path: "id", message: "a request needs an id, a text of digits")
        }
        self.id = id
        parameters = members["params"] ?? [:]
        method = members["method"]?.string ?? ""
        wantsReply = members["sys"]?.object?["ack"]?.integer != 0
    }

    /// The bytes of a request.
    /// - Parameters:
    ///   - id: names it.
    ///   - parameters: JSON; of properties and services as their types write it.
    package static func payload(id: String, parameters: String, method: String) -> [UInt8] {
        Array(
            """
            {"id":\(id.jsonText),"version":"1.0","params":\(parameters),"method":\(method.jsonText)}
            """.utf8)
    }
}

extension JSONValue {
    /// The id of a message: a text, or a number as some firmware writes it.
    var messageID: String? {
        guard let text = string ?? integer.map(String.init), (1...64).contains(text.utf8.count)
        else { return nil }
        return text
    }
}

extension String {
    /// The text as JSON.
    var jsonText: String { String(decoding: JSONWriter.write(.string(self)), as: UTF8.self) }
}
