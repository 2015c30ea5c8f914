import Glibc
import Homeport
import LocalBroker
import TerminalOutput

/// A call that a running server carries out for this process: it sends the command line and writes
/// what comes back, until the exit status comes.
struct ServerCall {
    /// How long a server may take to say that it is there. It does so before anything else, so one that
    /// does not was stopped or hangs.
    private static let longestSilence = Duration.seconds(5)

    private let words: [String]
    private let mayHaveSent: Bool
    private let socket: Int32
    private let processID: Int32

    /// Reaches the server that a verb can use. A call with `--connect-timeout` or `--verbose` cannot use one: its
    /// connections are made already, and it logs for itself.
    /// - Parameter words: the command line without the program.
    /// - Returns: `nil` where there is none, and the process does the work itself.
    init?(_ verb: any HomeVerb, _ words: [String]) {
        guard verb.serverUse != .never, !verb.common.verbose, verb.broker.connectTimeout == nil,
            let (socket, processID) = Self.connected(for: verb.options)
        else { return nil }
        self.words = words
        mayHaveSent = verb.serverUse == .mayHaveSent
        self.socket = socket
        self.processID = processID
    }

    private static func connected(
        for options: VerbOptions
    ) -> (socket: Int32, processID: Int32)? {
        let meetingPoint = MeetingPoint()
        guard let servers = try? meetingPoint.announcements(of: ServerAnnouncement.self),
            !servers.isEmpty, let scope = try? ServerScope(options)
        else { return nil }
        let addresses = addresses(of: options, scope, meetingPoint)
        let folder = meetingPoint.folder(of: ServerAnnouncement.self)
        return servers.lazy.filter { $0.serves(scope, at: addresses) }
            .compactMap { server in
                UnixSocket.connected(to: "\(folder)/\(server.processID).sock")
                    .map { ($0, server.processID) }
            }.first
    }

    /// What is found about the server that a call could use; `nil` where there is none.
    static func finding(for options: VerbOptions) -> Finding? {
        guard let (socket, processID) = connected(for: options) else { return nil }
        defer { close(socket) }
        guard UnixSocket.canBeRead(socket, within: longestSilence) else {
            return .problem(
                .server,
                "homeport serve (process \(processID)) does not answer: its schedules do not run, and "
                    + "each call waits \(longestSilence) for it before it does without",
                remedy: "end it with 'kill -9 \(processID)', then start it again")
        }
        return .ok(.server, "homeport serve (process \(processID)) answers")
    }

    /// The broker that a call means, also as a server announces it that found the broker in the meeting
    /// point; `nil` where any server of the home will do.
    private static func addresses(
        of options: VerbOptions, _ scope: ServerScope, _ meetingPoint: MeetingPoint
    ) -> Set<String>? {
        var only: String?
        if case .one(let broker)? = try? meetingPoint.live() { only = broker.url }
        if let named = options.namedBroker {
            let address = (try? MQTTBrokerAddress(url: named))?.description ?? named
            return address == only ? [address, ServerAnnouncement.meetingPoint] : [address]
        }
        guard scope.config.isEmpty, let only else { return nil }
        return [only, ServerAnnouncement.meetingPoint]
    }

    /// Carries the call out.
    /// - Returns: the exit status; `nil` where the process must do the work itself.
    func run() -> VerbStatus? {
        defer { close(socket) }
        guard UnixSocket.canBeRead(socket, within: Self.longestSilence) else {
            Console(isVerbose: false).note(
                "homeport serve (process \(processID)) does not answer; this call does without it")
            return nil
        }
        CallerInterrupts.forward(to: socket)
        let screen = Screen.of(results: STDOUT_FILENO, remarks: STDERR_FILENO)
        let request = CallRequest(words: words, screen: screen).line
        guard request.count <= CallRequest.limit, RawOutput.write(request, to: socket) == nil else {
            return leave()
        }
        let console = Console(isVerbose: false)
        var hasWritten = false
        var rest: ArraySlice<UInt8> = []
        while let bytes = UnixSocket.read(from: socket), !bytes.isEmpty {
            rest += bytes
            while let frame = CallFrame.take(from: &rest) {
                switch frame {
                case .ready: continue
                case .results(let bytes): console.pass(bytes, .results)
                case .remarks(let bytes): console.pass(bytes, .remarks)
                case .status(let status): return Self.ended(status, console)
                case .declined: return leave()
                }
                hasWritten = true
            }
        }
        return serverDisconnected(hasWritten, console)
    }

    /// The server ended during the call. A call that only reads is repeated without it.
    private func serverDisconnected(_ hasWritten: Bool, _ console: Console) -> VerbStatus? {
        guard mayHaveSent || hasWritten else { return leave() }
        console.note(
            "the server ended before this call did"
                + (mayHaveSent ? "; 'homeport history' shows what became of the command" : ""))
        return mayHaveSent ? .undecided : .internalError
    }

    private func leave() -> VerbStatus? {
        CallerInterrupts.stop()
        return nil
    }

    private static func ended(_ status: Int32, _ console: Console) -> VerbStatus {
        guard let failure = console.writeFailure else {
            return VerbStatus(rawValue: status) ?? .internalError
        }
        console.note(failure.message)
        return failure.status
    }
}
