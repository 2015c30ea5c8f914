internal import DeviceDomain
internal import DeviceMessages
internal import HTTPSRequests

/// What the platform answers to a call.
enum PlatformAnswer {
    /// An answer of the platform: a thing model may have some hundred kilobytes.
    static let limits = JSONLimits(bytes: 4 << 20, depth: 32)

    /// The members of a successful answer.
    /// - Parameter hidden: what messages must not show.
    /// - Throws: ``PlatformFailure`` for any other answer.
    static func members(
        of answer: HTTPAnswer, hiding hidden: [String]
    ) throws(PlatformFailure) -> JSONObject {
        guard let members = (try? JSONReader.read(answer.body, limits: limits))?.object else {
            throw unreadable(answer)
        }
        if answer.status == 200, members["Success"]?.boolean == true { return members }
        let code = members["Code"]?.string ?? ""
        let words = (members["ErrorMessage"] ?? members["Message"])?.string ?? ""
        guard !code.isEmpty || answer.status != 200 else { throw unreadable(answer) }
        throw PlatformFailure(
            proof: code.isEmpty && answer.status >= 500
                ? .unknown : PlatformFailure.proof(of: code, status: answer.status),
            code: "\(ForeignText(code, hiding: hidden))",
            message: "\(ForeignText(words, hiding: hidden))")
    }

    /// An answer that is not the platform's, such as that of a proxy: only a refusal by its status is one.
    private static func unreadable(_ answer: HTTPAnswer) -> PlatformFailure {
        let proof: PlatformFailure.Proof =
            switch answer.status {
            case 429: .throttled
            case 400...499: .refused(.badRequest)
            default: .unknown
            }
        return PlatformFailure(
            proof: proof, code: "",
            message: "HTTP status \(answer.status) without a readable answer")
    }

    /// The id of a message that a call has made: a text, or a number that may be too large for a double.
    static func messageID(in members: JSONObject, of body: [UInt8]) -> String? {
        let value = members["MessageId"] ?? members["Data"]?.object?["MessageId"]
        if let text = value?.string { return text }
        return value?.number == nil ? nil : JSONDigits.text(of: "MessageId", in: body, depth: 2)
    }
}

/// Whole numbers of JSON as they are written: those of the platform's messages do not fit into a double.
enum JSONDigits {
    /// The digits, or the text, of the first member of a name in a text that is JSON.
    /// - Parameter depth: how many objects and arrays may be around it, from 1.
    static func text(of name: String, in bytes: [UInt8], depth: Int = 1) -> String? {
        let quoted = Array("\"\(name)\"".utf8)
        var level = 0
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): level += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): level -= 1
            case UInt8(ascii: "\""):
                let end = endOfString(at: index, in: bytes)
                if level <= depth, bytes[index..<end].elementsEqual(quoted),
                    let value = value(after: end, in: bytes)
                {
                    return value
                }
                index = end - 1
            default: break
            }
            index += 1
        }
        return nil
    }

    /// The index behind the closing quote of a string.
    private static func endOfString(at start: Int, in bytes: [UInt8]) -> Int {
        var index = start + 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, bytes.count)
    }

    private static func value(after end: Int, in bytes: [UInt8]) -> String? {
        var rest = bytes[end...].drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        guard rest.first == UInt8(ascii: ":") else { return nil }
        rest = rest.dropFirst().drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        if rest.first == UInt8(ascii: "\"") {
            let text = rest.dropFirst().prefix { $0 != UInt8(ascii: "\"") }
            return String(decoding: text, as: UTF8.self)
        }
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return digits.isEmpty ? nil : String(decoding: digits, as: UTF8.self)
    }
}
