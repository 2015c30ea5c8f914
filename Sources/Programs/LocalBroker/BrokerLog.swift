/// Interprets the log of a broker that was started here.
struct BrokerLog {
    /// What a line, or the end of the log, means.
    enum Event: Sendable, Equatable {
        /// The broker listens; its version.
        case running(version: String)
        /// The log ended, and with it the broker; its last lines.
        case ended(lastLines: [String])
    }

    /// Lines kept to explain an unexpected end.
    private static let keptLines = 12
    /// The newest lines, oldest first.
    private(set) var lines: [String] = []

    /// Reads one line; returns its meaning, `nil` for most lines.
    mutating func read(_ line: String) -> Event? {
        if lines.count == Self.keptLines { lines.removeFirst() }
        lines.append(line)
        return Self.version(in: line).map(Event.running(version:))
    }

    /// The log has ended.
    func end() -> Event { .ended(lastLines: lines) }

    /// Whether a start failed only because the port was taken in the meantime.
    static func portWasTaken(_ lines: [String]) -> Bool {
        lines.contains { $0.contains("Address already in use") }
    }

    /// The version in "mosquitto version 2.0.11 running", written once the listeners are open.
    private static func version(in line: String) -> String? {
        let words = line.split(separator: " ")
        guard words.count == 4, words[0] == "mosquitto", words[1] == "version",
            words[3] == "running"
        else { return nil }
        return String(words[2])
    }
}
