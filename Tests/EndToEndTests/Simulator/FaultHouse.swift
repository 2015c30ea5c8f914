import TestSupport
import Testing

/// A broker, a fleet, and the built programs of its user.
struct FaultHouse {
    let workplace: Workplace
    let listener: Listener
    /// The fleet's process.
    let process: Int32
    private let broker: MosquittoBroker

    /// Runs `body` beside a fleet of two sweepers and a store.
    static func with(_ body: (FaultHouse) async throws -> Void) async throws {
        let workplace = try Workplace()
        try await withBroker { broker in
            let options = ["--broker", broker.url, "--sweepers", "2", "--stores", "1"]
            try await SimulatorProcess.run(options, meetingIn: workplace.folder) { fleet in
                try await fleet.line(beginning: "ready")
                try await Listener.with(broker.url) { listener in
                    try await body(
                        FaultHouse(
                            workplace: workplace, listener: listener, process: fleet.processID,
                            broker: broker))
                }
            }
        }
    }

    /// Runs `homeport-sim` to its end.
    func sim(_ arguments: String...) async throws -> Workplace.Run {
        try await Self.sim(arguments, in: workplace)
    }

    /// Runs `homeport-sim` to its end, whatever runs beside it.
    static func sim(_ arguments: [String], in workplace: Workplace) async throws -> Workplace.Run {
        let words = [try ChildProcess.path(of: "homeport-sim")] + arguments
        return try await workplace.shell(
            "exec " + words.map { "'\($0)'" }.joined(separator: " "))
    }

    /// Lets a fault happen, or ends it.
    func inject(
        _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let run = try await Self.sim(["inject"] + arguments, in: workplace)
        #expect(run.status == 0, "\(arguments): \(run)", sourceLocation: sourceLocation)
    }

    /// Runs `homeport` to its end, and expects a status.
    @discardableResult
    func homeport(
        _ arguments: String..., status: Int32, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Workplace.Run {
        let run = try await workplace.homeport(arguments, environment: variables)
        #expect(run.status == status, "\(arguments): \(run)", sourceLocation: sourceLocation)
        return run
    }

    /// Runs `homeport send` beside `body`, and expects a status and words in its one line.
    func send(
        _ arguments: String..., status: Int32, saying words: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        beside body: (FaultHouse) async throws -> Void
    ) async throws {
        let ended = try await workplace.running(
            ["send"] + arguments + ["--json"], environment: variables
        ) { sending in
            try await body(self)
            let line = try await sending.line() ?? ""
            #expect(line.contains(words), "\(line)", sourceLocation: sourceLocation)
            try await sending.readToEnd()
        }
        #expect(ended == status, sourceLocation: sourceLocation)
    }

    private var variables: [String: String] { ["HOMEPORT_BROKER": broker.url] }
}
