package import DeviceDomain
package import DeviceMessages

/// What was said to a request.
package struct AlinkReply: Hashable, Sendable {
    /// It was taken.
    package static let success = 200

    /// The id of the request.
    package let id: String
    /// 200, or why not: see ``AlinkCode``.
    package let code: Int
    /// The same in words; empty where it was left out.
    package let message: String
    /// The outputs of a service.
    package let data: JSONObject

    package init(
        id: String, code: Int = success, message: String = "success", data: JSONObject = [:]
    ) {
        self.id = id
        self.code = code
        self.message = message
        self.data = data
    }

    /// Reads a reply.
    /// - Throws: `PayloadError` where it is no object, or has no id or no code.
    package init(payload: [UInt8]) throws(PayloadError) {
        let members = try JSONReader.read(payload, limits: AlinkRequest.limits).object
        guard let members, let id = members["id"]?.messageID, let code = members["code"]?.integer
        else {
            throw PayloadError(code: .wrongType, path: "code", message: "a reply needs id and code")
        }
        self.init(
            id: id, code: code, message: members["message"]?.string ?? "",
            data: members["data"]?.object ?? [:])
    }

    /// The bytes of the reply to a request of this method. Devices want every member.
    package func payload(to method: String) -> [UInt8] {
        JSONWriter.write([
            "id": .string(id), "code": .integer(code), "data": .object(data),
            "message": .string(message), "method": .string(method), "version": "1.0",
        ])
    }
}

/// Codes of replies.
package enum AlinkCode {
    /// The request is wrong.
    package static let request = 400
    /// Too many requests.
    package static let throttled = 429
    /// A parameter is wrong.
    package static let parameters = 460
    /// The device has no session.
    package static let session = 520
    /// The device itself did not answer its own software in time: nobody knows what became of the request.
    package static let timeout = 100_000
}
