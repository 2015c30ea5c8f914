internal import Basics

/// A few connections to one database, each with its own thread.
final class PostgresPool: Sendable {
    typealias Job = @Sendable (PostgresConnection) -> Void

    private let address: PostgresAddress
    private let limits: PostgresLimits
    private let size: Int
    private let state = Guarded(State())

    private struct State {
        var idle: [PostgresConnection] = []
        var made = 0
        var waiting: [Job] = []
    }

    /// - Parameter size: how many connections there are at most; they are made when they are needed.
    init(_ address: PostgresAddress, _ limits: PostgresLimits, size: Int) {
        self.address = address
        self.limits = limits
        self.size = size
    }

    /// Does something with a connection that nobody uses, when there is one.
    func enqueue(_ job: @escaping Job) {
        let connection = state.withLock { state -> PostgresConnection? in
            if let idle = state.idle.popLast() { return idle }
            guard state.made < size else {
                state.waiting.append(job)
                return nil
            }
            state.made += 1
            return PostgresConnection(address, limits)
        }
        if let connection { start(job, on: connection) }
    }

    private func start(_ job: @escaping Job, on connection: PostgresConnection) {
        connection.enqueue { [self] connection in
            job(connection)
            let next = state.withLock { state -> Job? in
                guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
                state.idle.append(connection)
                return nil
            }
            if let next { start(next, on: connection) }
        }
    }

    /// Ends the connections that nobody uses.
    func close() {
        let idle = state.withLock { state in
            defer {
                state.made -= state.idle.count
                state.idle = []
            }
            return state.idle
        }
        for connection in idle { connection.enqueue { $0.close() } }
    }
}
