import Glibc

/// Who listens on a port of the loopback interface, as the kernel tells.
enum LoopbackListener {
    /// Whose sockets listen on a port.
    enum Owner: Equatable {
        /// This user's alone.
        case own
        /// Nobody's.
        case nobody
        /// At least one of another user.
        case stranger
        /// The kernel does not say.
        case unknown
    }

    /// Who listens on a port of 127.0.0.1, also by a socket for every address.
    ///
    /// The kernel lists listening sockets before all others, each with the user who has made it, so only those
    /// are read.
    static func owner(of port: UInt16) -> Owner {
        guard let rows = listeners(in: "/proc/self/net/tcp") else { return .unknown }
        // Without IPv6 there is no such table.
        let users = (rows + (listeners(in: "/proc/self/net/tcp6") ?? []))
            .filter { $0.port == port && $0.isLoopback }.map(\.user)
        guard !users.isEmpty else { return .nobody }
        return users.allSatisfy { $0 == geteuid() } ? .own : .stranger
    }

    /// One line of the table.
    private struct Row {
        let port: UInt16
        let isLoopback: Bool
        let user: UInt32
        let isListening: Bool

        /// Addresses in the kernel's notation that connections to 127.0.0.1 may come to.
        private static let loopback: Set<Substring> = [
            "0100007F", "00000000", "0000000000000000FFFF00000100007F",
            "0000000000000000FFFF000000000000", "00000000000000000000000000000000",
        ]

        /// Reads `sl local_address rem_address st tx:rx tr:when retrnsmt uid …`.
        init?(_ line: Substring) {
            let fields = line.split(separator: " ")
            guard fields.count > 7, let colon = fields[1].lastIndex(of: ":"),
                let port = UInt16(fields[1][fields[1].index(after: colon)...], radix: 16),
                let user = UInt32(fields[7])
            else { return nil }
            self.port = port
            isLoopback = Self.loopback.contains(fields[1][..<colon])
            self.user = user
            isListening = fields[3] == "0A"
        }
    }

    /// The listening sockets of a table; `nil` where it cannot be read.
    private static func listeners(in table: String) -> [Row]? {
        guard let file = fopen(table, "re") else { return nil }
        defer { fclose(file) }
        var rows: [Row] = []
        var line = [CChar](repeating: 0, count: 512)
        // The first line names the columns.
        guard fgets(&line, Int32(line.count), file) != nil else { return nil }
        while fgets(&line, Int32(line.count), file) != nil {
            let text = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            guard let row = Row(String(decoding: text, as: UTF8.self)[...]), row.isListening else {
                break
            }
            rows.append(row)
        }
        return rows
    }
}
