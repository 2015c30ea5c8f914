internal import Glibc

/// A running mosquitto, by its process id.
public struct BrokerProcess: Sendable {
    /// Its process id.
    public let id: Int32

    /// - Returns: `nil` unless the process is a mosquitto: the signal that makes it read its files ends other
    ///   programs.
    public init?(_ id: Int32) {
        guard id > 1, Self.text(of: "/proc/\(id)/comm").hasPrefix("mosquitto") else { return nil }
        self.id = id
    }

    /// The one whose id a file holds; `nil` for one that this user may not send signals.
    init?(file path: String) {
        guard let id = Int32(Self.text(of: path).prefix { $0.isNumber }), kill(id, 0) == 0 else {
            return nil
        }
        self.init(id)
    }

    private static func text(of path: String) -> String {
        guard let file = fopen(path, "re") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    /// Has it read its access control and revocation list again. One that has ended does so when it starts.
    /// - Throws: ``IdentityError`` `system` where this user may not.
    public func reload() throws(IdentityError) {
        guard kill(id, SIGHUP) == 0 || errno == ESRCH else {
            throw IdentityError(
                .system,
                "the files are written, but process \(id) could not be told to read them: "
                    + String(cString: strerror(errno)))
        }
    }
}

extension BrokerFolder {
    /// The broker that runs from the folder on this machine, as far as its file tells.
    public var runningBroker: BrokerProcess? { BrokerProcess(file: self[.processID]) }
}
