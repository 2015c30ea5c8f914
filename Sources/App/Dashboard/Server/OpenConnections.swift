internal import Basics
internal import NIOCore

/// The open connections. Those of strangers, which have shown no session, get little time and few places, so
/// that they cannot keep out who has one.
final class OpenConnections: Sendable {
    /// Connections at a time.
    static let most = 512
    /// Connections without a session at a time.
    static let mostStrangers = 128
    /// How long a stranger may take for a TLS handshake and a whole request, and between two requests.
    static let patience = Duration.seconds(10)

    private enum Standing {
        /// A stranger of whom a request is awaited since then.
        case awaited(NIODeadline)
        /// A stranger whose request is being answered.
        case answered
        /// A browser that is signed in.
        case visitor
    }

    private struct Entry {
        let channel: any Channel
        let peer: String
        let number: Int
        var standing: Standing

        var isStranger: Bool {
            switch standing {
            case .awaited, .answered: true
            case .visitor: false
            }
        }
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var lastNumber = 0
    }

    private let state = Guarded(State())
    private let most: Int
    private let mostStrangers: Int
    private let patience: TimeAmount

    /// - Parameters: smaller limits, for tests.
    init(
        most: Int = OpenConnections.most, mostStrangers: Int = OpenConnections.mostStrangers,
        patience: Duration = OpenConnections.patience
    ) {
        self.most = most
        self.mostStrangers = mostStrangers
        self.patience = TimeAmount(patience)
    }

    /// A connection was accepted. Where there are too many, a stranger's is closed: the oldest one of the
    /// address that has the most.
    func open(_ channel: any Channel) {
        let key = ObjectIdentifier(channel)
        let peer = PeerAddress(channel.remoteAddress).text
        let victim: (any Channel)? = state.withLock { state in
            state.lastNumber += 1
            state.entries[key] = Entry(
                channel: channel, peer: peer, number: state.lastNumber, standing: .awaited(.now()))
            let strangers = state.entries.filter(\.value.isStranger)
            guard strangers.count > mostStrangers || state.entries.count > most else { return nil }
            let counts = Dictionary(strangers.values.map { ($0.peer, 1) }, uniquingKeysWith: +)
            let chosen = strangers.max {
                (counts[$0.value.peer] ?? 0, -$0.value.number)
                    < (counts[$1.value.peer] ?? 0, -$1.value.number)
            }
            return chosen.flatMap { state.entries.removeValue(forKey: $0.key)?.channel }
        }
        victim?.close(promise: nil)
        channel.closeFuture.whenComplete { _ in
            self.state.withLock { $0.entries[key] = nil }
        }
        watch(channel, after: patience)
    }

    /// A whole request has come.
    func answer(_ channel: any Channel, isVisitor: Bool) {
        state.withLock {
            $0.entries[ObjectIdentifier(channel)]?.standing = isVisitor ? .visitor : .answered
        }
    }

    /// A request of a stranger is answered.
    func awaitNext(_ channel: any Channel) {
        let isAwaited = state.withLock { state in
            guard case .answered = state.entries[ObjectIdentifier(channel)]?.standing else {
                return false
            }
            state.entries[ObjectIdentifier(channel)]?.standing = .awaited(.now())
            return true
        }
        if isAwaited { watch(channel, after: patience) }
    }

    /// Closes a stranger's connection that has waited for too long.
    private func watch(_ channel: any Channel, after time: TimeAmount) {
        channel.eventLoop.scheduleTask(in: time) { [weak self, weak channel] in
            guard let self, let channel, self.isOverdue(channel) else { return }
            channel.close(promise: nil)
        }
    }

    private func isOverdue(_ channel: any Channel) -> Bool {
        state.withLock { state in
            guard case .awaited(let since) = state.entries[ObjectIdentifier(channel)]?.standing
            else {
                return false
            }
            return since + patience <= .now()
        }
    }
}

/// Tells the machines apart that connections come from.
struct PeerAddress: Hashable, Sendable {
    /// An IPv4 address, or the first 64 bits of an IPv6 address: a network gives a machine that many.
    let text: String

    init(_ address: SocketAddress?) {
        guard let address = address?.ipAddress else {
            text = ""
            return
        }
        let mapped = "::ffff:"
        if address.lowercased().hasPrefix(mapped), address.contains(".") {
            text = String(address.dropFirst(mapped.count))
        } else {
            // A link-local address may name its interface.
            let digits = NumericAddress(String(address.prefix { $0 != "%" }))
            let network = digits.flatMap {
                $0.isIPv6 ? Array($0.bytes.prefix(8)).hexadecimal + "/64" : nil
            }
            text = network ?? address
        }
    }
}
