internal import Basics
internal import Connectivity

/// Hears what processes that do not own a home leave to its owner, over one connection for all homes of a process.
///
/// It connects when somebody asks for the first time. Where the connection is lost another one is made, and everybody is
/// told, as something may have been missed.
final class PostgresListener: Sendable {
    /// What processes listen to; the text names the home.
    static let channel = "homeport"

    private let connection: PostgresConnection
    private let pause: Duration
    private let state = Guarded(State())

    private struct State {
        var phase = Phase.idle
        var lastKey = 0
        var listeners: [String: [Int: StreamSource<Void>]] = [:]
    }

    private enum Phase: Hashable {
        /// Nobody has asked.
        case idle
        /// A connection is being made.
        case connecting
        /// It hears.
        case listening
        /// Nobody asks any more.
        case closed
    }

    init(_ address: PostgresAddress, _ limits: PostgresLimits) {
        connection = PostgresConnection(address, limits)
        pause = limits.listening
    }

    /// Tells a home's owner that something waits, in a transaction.
    static func call(to home: HomeKey) -> PostgresStatement {
        PostgresStatement("SELECT pg_notify($1, $2)", [.text(channel), .text(home.text)])
    }

    /// A stream that has an element when something was left to the owner of a home. It ends with the listener.
    func calls(to home: HomeKey) -> BoundedStream<Void> {
        let key = state.withLock { state in
            state.lastKey += 1
            return state.lastKey
        }
        let (stream, source) = BoundedStream<Void>.make(.dropOldest(limit: 1)) { [weak self] in
            self?.state.withLock { $0.listeners[home.text]?[key] = nil }
        }
        let phase = state.withLock { state in
            defer { if state.phase == .idle { state.phase = .connecting } }
            if state.phase != .closed { state.listeners[home.text, default: [:]][key] = source }
            return state.phase
        }
        switch phase {
        case .idle: connection.enqueue { [self] _ in listen() }
        case .closed: source.finish()
        case .connecting, .listening: break
        }
        return stream
    }

    /// Ends the connection and all streams.
    func close() {
        let sources = state.withLock { state in
            defer { (state.phase, state.listeners) = (.closed, [:]) }
            return state.listeners.values.flatMap { $0.values }
        }
        connection.enqueue { $0.stopHearing() }
        for source in sources { source.finish() }
    }

    // MARK: On the queue of the connection

    private func listen() {
        guard state.withLock({ $0.phase }) == .connecting else { return }
        do throws(PostgresFailure) {
            _ = try connection.run(PostgresStatement("LISTEN \(Self.channel)"))
            try connection.hear { [self] in
                read()
            } end: { [self] in
                listenAgain()
            }
        } catch {
            connection.close()
            return listenAgain()
        }
        let isWanted = state.withLock { state in
            guard state.phase == .connecting else { return false }
            state.phase = .listening
            return true
        }
        if isWanted { tellEverybody() } else { connection.stopHearing() }
    }

    private func listenAgain() {
        let isWanted = state.withLock { state in
            guard state.phase != .closed else { return false }
            state.phase = .connecting
            return true
        }
        if isWanted { connection.enqueue(after: pause) { [self] _ in listen() } }
    }

    private func read() {
        guard let texts = connection.takeNotifications() else { return connection.stopHearing() }
        for text in Set(texts) { tell(text) }
    }

    private func tell(_ text: String) {
        for source in state.withLock({ $0.listeners[text] ?? [:] }).values { source.send(()) }
    }

    private func tellEverybody() {
        let sources = state.withLock { $0.listeners.values.flatMap { $0.values } }
        for source in sources { source.send(()) }
    }
}
