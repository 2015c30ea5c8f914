import ArgumentParser
import LocalServices
import TerminalOutput

/// The fleets of this user that run on this machine.
struct RunningFleets {
    /// How long a fleet may take for an answer.
    static let answerLimit = Duration.seconds(10)

    /// Their sockets, by process number; never empty.
    let sockets: [FleetSocket]

    /// Finds them.
    /// - Parameter process: the one that is meant; `nil` for all.
    /// - Throws: `ExitCode`, after a line that says what to do, if there is none.
    init(process: Int32?) throws {
        let living = try MeetingPoint().controlSockets().filter { $0.failure == nil }
        sockets = living.filter { process == nil || $0.processID == process }
        guard sockets.isEmpty else { return }
        if let process, !living.isEmpty {
            let known = Self.list(living)
            Console.simulator.note(
                "no fleet of yours runs as process \(process); running: \(known)")
        } else {
            Console.simulator.note("no fleet of yours runs; start one with homeport-sim run")
        }
        throw ExitStatus.fault
    }

    /// The only one.
    /// - Throws: `ValidationError` that names them if there are several.
    func only() throws -> FleetSocket {
        guard sockets.count == 1 else {
            throw ValidationError(
                "several fleets run, as processes \(Self.list(sockets)): choose one with --pid")
        }
        return sockets[0]
    }

    private static func list(_ sockets: [FleetSocket]) -> String {
        sockets.map { "\($0.processID)" }.joined(separator: ", ")
    }
}

/// Which of several fleets is meant.
struct FleetChoice: ParsableArguments {
    @Option(
        name: .customLong("pid"),
        help: ArgumentHelp(
            "The process of the fleet, where several run.", valueName: "N"),
        transform: OptionValues.process)
    var process: Int32?

    /// Asks the fleet that is meant for something, and shows what it answers.
    /// - Parameter limit: how long that may take.
    /// - Throws: `ExitCode`, after a line that says what is wrong.
    func show(
        _ request: ControlRequest, asJSON json: Bool,
        within limit: Duration = RunningFleets.answerLimit
    ) throws {
        let socket = try RunningFleets(process: process).only()
        guard let replies = try ask(request, at: socket.path, within: limit) else {
            Console.simulator.note("the fleet of process \(socket.processID) has just ended")
            throw ExitStatus.fault
        }
        try ReplyRenderer(json: json, processID: socket.processID).show(replies)
    }

    private func ask(
        _ request: ControlRequest, at path: String, within limit: Duration
    ) throws -> [ControlReply]? {
        do throws(LocalServicesError) {
            return try ControlClient.ask(request, at: path, within: limit)
        } catch {
            Console.simulator.note("\(error)")
            throw error.code == .refused ? ExitStatus.usage : ExitStatus.fault
        }
    }
}
