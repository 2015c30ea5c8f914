/// The answer of an access point to one request.
package struct HTTPAnswer: Hashable, Sendable {
    /// Such as 200.
    package let status: Int
    /// The first part of `Set-Cookie`, `NAME=VALUE`; `nil` where there is none.
    package let cookie: String?
    /// The body.
    package let body: [UInt8]
}

/// Reads one answer of HTTP/1.1 as it arrives. A value without connection; it takes the strict form that a
/// device sends, and refuses anything else.
package struct HTTPAnswerReader: Hashable, Sendable {
    /// The most bytes of status line and header, as a small server of a device needs them at most.
    package static let largestHead = 4096

    /// What is wrong with an answer.
    package struct Malformed: Error, Hashable {
        package let reason: String
    }

    private struct Head: Hashable {
        let status: Int
        let cookie: String?
        /// `nil`: the body goes on until the connection ends.
        let length: Int?
    }

    private let largestBody: Int
    private var bytes: [UInt8] = []
    private var head: Head?

    package init(largestBody: Int) { self.largestBody = largestBody }

    /// Takes what has come.
    /// - Returns: the answer as soon as it is complete.
    package mutating func receive(_ part: some Collection<UInt8>) throws(Malformed) -> HTTPAnswer? {
        bytes += part
        if head == nil {
            let end = endOfHead
            // The same however it is cut: the last three bytes may belong to the mark of the end.
            guard (end?.lowerBound ?? bytes.count - 3) <= Self.largestHead else {
                throw Malformed(reason: "its header has more than \(Self.largestHead) bytes")
            }
            guard let end else { return nil }
            head = try Self.read(head: bytes[..<end.lowerBound])
            bytes.removeSubrange(..<end.upperBound)
        }
        guard let head else { return nil }
        guard max(head.length ?? 0, bytes.count) <= largestBody else {
            throw Malformed(reason: "its body has more than \(largestBody) bytes")
        }
        guard let length = head.length else { return nil }
        guard bytes.count <= length else {
            throw Malformed(reason: "its body is longer than its header says")
        }
        return bytes.count == length ? answer(head) : nil
    }

    /// The connection has ended.
    /// - Returns: the answer, if it is complete with that; else `nil`.
    package func ended() -> HTTPAnswer? {
        guard let head, head.length == nil else { return nil }
        return answer(head)
    }

    private func answer(_ head: Head) -> HTTPAnswer {
        HTTPAnswer(status: head.status, cookie: head.cookie, body: bytes)
    }

    private var endOfHead: Range<Int>? {
        let mark = Array("\r\n\r\n".utf8)
        guard bytes.count >= mark.count else { return nil }
        for start in 0...(bytes.count - mark.count)
        where bytes[start..<(start + mark.count)].elementsEqual(mark) {
            return start..<(start + mark.count)
        }
        return nil
    }

    // MARK: The header

    private static func read(head bytes: ArraySlice<UInt8>) throws(Malformed) -> Head {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Malformed(reason: "its header is no text")
        }
        // A line break is one character where CR and LF come together.
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        let status = try status(lines[0])
        var (cookie, length): (String?, Int?) = (nil, nil)
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else {
                throw Malformed(reason: "a line of its header has no colon")
            }
            let value = line[line.index(after: colon)...].trimmingSpaces
            switch line[..<colon].lowercased() {
            case "content-length":
                guard length == nil, let count = count(value) else {
                    throw Malformed(reason: "its length is '\(value.prefix(20))'")
                }
                length = count
            case "transfer-encoding":
                throw Malformed(reason: "it comes in the encoding '\(value.prefix(20))'")
            case "set-cookie":
                cookie = value.split(separator: ";").first.map { String($0.trimmingSpaces) }
            default: continue
            }
        }
        return Head(status: status, cookie: cookie, length: length)
    }

    private static func status(_ line: Substring) throws(Malformed) -> Int {
        let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count >= 2, ["HTTP/1.1", "HTTP/1.0"].contains(words[0]), words[1].count == 3,
            let status = count(words[1]), (200...599).contains(status)
        else { throw Malformed(reason: "it does not begin as HTTP does") }
        return status
    }

    /// A number without sign, of at most seven digits.
    private static func count(_ text: Substring) -> Int? {
        guard (1...7).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) })
        else { return nil }
        return Int(text)
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let start = drop(while: isSpace)
        guard let last = start.lastIndex(where: { !isSpace($0) }) else { return "" }
        return start[...last]
    }
}
