/// What the dashboard of an address keeps from one start to the next.
struct AccessRecord: Hashable, Sendable {
    private static let version = "homeport-dashboard 1"

    /// The first label of the dashboard's own host name. It is a secret: a program of another user could
    /// receive the cookies of this host on another port, if it led a browser to it.
    var host = "homeport-\(SecureToken().text.prefix(32))"
    /// When each session was in use last, in milliseconds since 1970, by the digest of its cookie.
    var sessions: [String: Int] = [:]

    /// A new one.
    init() {}

    init(host: String, sessions: [String: Int]) {
        self.host = host
        self.sessions = sessions
    }

    /// Reads the contents of the file; `nil` where they are not as they were written.
    init?(_ text: String) {
        let lines = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        guard lines.first?.joined(separator: " ") == Self.version, lines.count >= 2,
            lines[1].count == 2, lines[1][0] == "host", Self.isLabel(lines[1][1])
        else { return nil }
        host = lines[1][1]
        for line in lines.dropFirst(2) {
            guard line.count == 3, line[0] == "session", line[1].utf8.count == 64,
                let seenAt = Int(line[2])
            else { return nil }
            sessions[line[1]] = seenAt
        }
    }

    private static func isLabel(_ text: String) -> Bool {
        (1...63).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-")
            }
    }

    /// The contents of the file.
    var text: String {
        let lines = sessions.sorted { $0.key < $1.key }.map { "session \($0.key) \($0.value)\n" }
        return "\(Self.version)\nhost \(host)\n" + lines.joined()
    }
}
