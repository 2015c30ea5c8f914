import ArgumentParser
import DeviceDomain
import DeviceSimulation
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

    /// The only one that has the devices of a target; where only one runs, that one.
    /// A fleet that does not answer is named in a note.
    /// - Throws: `ValidationError` if several have them, or none; `LocalServicesError` if none that answers has them,
    ///   and another one does not answer.
    func only(having target: String) throws -> FleetSocket {
        guard sockets.count > 1 else { return sockets[0] }
        var having: [FleetSocket] = []
        var names = Set(BehaviourCatalog.standard.kinds.map(\.group))
        var silence: LocalServicesError?
        for socket in sockets {
            do throws(LocalServicesError) {
                let own: Set<String> =
                    try Self.has(target, socket) ? [target] : Self.names(in: socket)
                // A fleet refuses the name of a device that several of its homes have.
                if own.contains(target) { having.append(socket) }
                names.formUnion(own)
            } catch {
                silence = error
            }
        }
        guard let first = having.first else {
            if let silence { throw silence }
            throw ValidationError(
                "no running fleet has a device or group \(target.debugDescription)"
                    + Suggestion.question(about: target, among: names)
                    + "; 'homeport-sim status' lists their devices")
        }
        guard having.count == 1 else {
            throw ValidationError(
                "several fleets have \(target.debugDescription), as processes "
                    + "\(Self.list(having)): choose one with --pid")
        }
        if let silence { Console.simulator.note("\(silence)") }
        return first
    }

    /// Whether a fleet takes a target.
    private static func has(
        _ target: String, _ socket: FleetSocket
    ) throws(LocalServicesError) -> Bool {
        do throws(LocalServicesError) {
            return try ControlClient.ask(
                .status(target: target), at: socket.path, within: answerLimit) != nil
        } catch  where error.code == .refused { return false }
    }

    /// The homes, devices and kinds of a fleet; a device also with its home.
    private static func names(in socket: FleetSocket) throws(LocalServicesError) -> Set<String> {
        let replies = try ControlClient.ask(
            .status(target: nil), at: socket.path, within: answerLimit)
        var names: Set<String> = []
        for case .device(let device) in replies ?? [] {
            names.formUnion(device.device.split(separator: "/").map(String.init))
            names.formUnion([device.device, device.kind])
        }
        return names
    }

    private static func list(_ sockets: [FleetSocket]) -> String {
        sockets.map { "\($0.processID)" }.joined(separator: ", ")
    }
}

/// Which of several fleets is meant.
struct FleetChoice: ParsableArguments {
    @Option(
        name: .customLong("pid"), parsing: .unconditional,
        help: ArgumentHelp(
            "The process of the fleet, where several run.", valueName: "N"),
        transform: OptionValues.process)
    var process: Int32?

    /// Asks the fleet that is meant for something, and shows what it answers.
    /// - Parameters:
    ///   - target: of several fleets the one that has it is meant; `nil` where there must be only one.
    ///   - limit: how long that may take.
    /// - Throws: `ExitCode`, after a line that says what is wrong; what ``RunningFleets/only()`` and
    ///   ``RunningFleets/only(having:)`` throw.
    func show(
        _ request: ControlRequest, about target: String? = nil, asJSON json: Bool,
        within limit: Duration = RunningFleets.answerLimit
    ) throws {
        let fleets = try RunningFleets(process: process)
        let socket = try target.map(fleets.only(having:)) ?? fleets.only()
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
