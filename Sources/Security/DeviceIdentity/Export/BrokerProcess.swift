internal import Glibc

/// A running mosquitto, by its process id.
public struct BrokerProcess: Sendable {
    /// Its process id.
    public let id: Int32

    /// Bytes that hold the name of a process, of which Linux keeps 15, or a process id.
    private static let lineSize = 64

    /// - Returns: `nil` unless the process is a mosquitto: the signal that makes it read its files ends other
    ///   programs.
    public init?(_ id: Int32) {
        guard id > 1,
            String(beginningOf: "/proc/\(id)/comm", bytes: Self.lineSize).hasPrefix("mosquitto")
        else { return nil }
        self.id = id
    }

    /// The one whose id a file holds; `nil` for one that this user may not send signals.
    init?(file path: String) {
        let text = String(beginningOf: path, bytes: Self.lineSize)
        guard let id = Int32(text.prefix { $0.isNumber }), kill(id, 0) == 0 else { return nil }
        self.init(id)
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
