internal import Basics
internal import Connectivity
internal import MQTTClient

/// How far the connection of a channel is, and who waits for it. The channel owns it and does what follows.
struct ServerLink {
    /// How far it is.
    enum Phase {
        /// Nobody has asked for a connection.
        case idle
        /// Connecting, and waiting for the server's first message.
        case connecting(ServerSocket, deadline: MQTTTimer)
        /// Waiting for the nodes, which answer this request.
        case listing(ServerSocket, messageID: String, deadline: MQTTTimer)
        /// All nodes are known and reports come.
        case listening(ServerSocket)
        /// Lost; the timer begins the next attempt.
        case waiting(CommunicationError, retry: MQTTTimer)
        /// The channel was closed.
        case closed
    }

    /// The waits between attempts.
    static let backoff = Backoff(first: .milliseconds(500), longest: .seconds(30))

    var phase = Phase.idle
    /// The number of the present attempt, so that events of former sockets are ignored.
    private(set) var attempt = 0
    /// How many attempts in a row have failed.
    private(set) var failures = 0
    /// What the server says of itself.
    var info: ServerInfo?
    /// What was reported before the list of nodes came: it may be newer than the list, and all of it in order
    /// brings nothing older back.
    private var held: [NodeEvent] = []
    /// Tasks that wait until the nodes are listed.
    private var waiters: [Int: AnswerSlot<Result<Void, CommunicationError>>] = [:]
    private var nextWaiter = 0

    /// Begins an attempt.
    /// - Returns: its number.
    mutating func begin() -> Int {
        attempt += 1
        held = []
        return attempt
    }

    /// How many events are held; a server that sends more without its list is broken.
    private static let mostHeld = 100_000

    /// Keeps an event until the list has come.
    mutating func hold(_ event: NodeEvent) {
        if held.count < Self.mostHeld { held.append(event) }
    }

    /// The events that were held.
    mutating func takeHeld() -> [NodeEvent] {
        defer { held = [] }
        return held
    }

    /// The nodes are listed.
    mutating func succeeded() {
        failures = 0
        resolve(.success(()))
    }

    /// An attempt has failed, or the connection is lost.
    /// - Returns: how long to wait before the next attempt.
    mutating func failed(
        _ error: CommunicationError, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        defer { failures += 1 }
        if !error.isRetriable { resolve(.failure(error)) }
        return Self.backoff.wait(after: failures, scatteredBy: 0.2, using: &generator)
    }

    /// The socket, if the nodes are listed.
    var socket: ServerSocket? { if case .listening(let socket) = phase { socket } else { nil } }

    /// The error of the last attempt, while none is under way.
    var lastError: CommunicationError? {
        if case .waiting(let error, _) = phase { error } else { nil }
    }

    /// Whether the server has answered and lists its nodes.
    var isListing: Bool { if case .listing = phase { true } else { false } }

    // MARK: Waiting

    mutating func wait(_ slot: AnswerSlot<Result<Void, CommunicationError>>) -> Int {
        nextWaiter += 1
        waiters[nextWaiter] = slot
        return nextWaiter
    }

    /// Ends one wait, if it is not over.
    mutating func giveUp(_ waiter: Int, _ error: CommunicationError) {
        waiters.removeValue(forKey: waiter)?.resolve(.failure(error))
    }

    mutating func resolve(_ result: Result<Void, CommunicationError>) {
        for waiter in waiters.values { waiter.resolve(result) }
        waiters = [:]
    }
}
