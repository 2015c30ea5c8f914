import Glibc
import Homeport
import LocalServices
import TerminalOutput

/// A call that a running server carries out for this process: it sends the command line and writes
/// what comes back, until the exit status comes.
struct ServerCall: ~Copyable {
    /// How long a server may take to say that it is there. It does so before anything else, so one that
    /// does not was stopped or hangs.
    private static let longestSilence = Duration.seconds(5)

    private let words: [String]
    private let mayHaveSent: Bool
    private var server: LocalCall
    private let processID: Int32

    /// Reaches the server that a verb can use. A call with `--connect-timeout` or `--verbose` cannot use one: its
    /// connections are made already, and it logs for itself.
    /// - Parameter words: the command line without the program.
    /// - Returns: `nil` where there is none, and the process does the work itself.
    init?(_ verb: any HomeVerb, _ words: [String]) {
        guard verb.serverUse != .never, !verb.common.verbose, verb.broker.connectTimeout == nil
        else { return nil }
        self.init(
            for: verb.options, words, mayHaveSent: verb.serverUse == .mayHaveSent)
    }

    private init?(for options: VerbOptions, _ words: [String], mayHaveSent: Bool) {
        let meetingPoint = MeetingPoint()
        guard let servers = try? meetingPoint.announcements(of: ServerAnnouncement.self),
            !servers.isEmpty, let scope = try? ServerScope(options)
        else { return nil }
        let addresses = Self.addresses(of: options, scope, meetingPoint)
        for entry in servers where entry.serves(scope, at: addresses) {
            guard let server = try? LocalCall(to: meetingPoint.socket(of: entry), linesOf: .max)
            else { continue }
            self.words = words
            self.mayHaveSent = mayHaveSent
            self.server = server
            processID = entry.processID
            return
        }
        return nil
    }

    /// What is found about the server that a call could use; `nil` where there is none.
    static func finding(for options: VerbOptions) -> Finding? {
        guard var call = ServerCall(for: options, [], mayHaveSent: false) else { return nil }
        let processID = call.processID
        guard call.isReady() else {
            return .problem(
                .server,
                "homeport serve (process \(processID)) does not answer: its schedules do not run, and "
                    + "each call waits \(longestSilence) for it before it does without",
                remedy: "end it with 'kill -9 \(processID)', then start it again")
        }
        return .ok(.server, "homeport serve (process \(processID)) answers")
    }

    /// Whether the server has said that it is there.
    private mutating func isReady() -> Bool {
        let line = try? server.line(before: .now + Self.longestSilence)
        return line.map(CallReply.init(line:)) == .ready
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
    mutating func run() -> VerbStatus? {
        let console = Console(isVerbose: false)
        guard isReady() else {
            console.note(
                "homeport serve (process \(processID)) does not answer; this call does without it")
            return nil
        }
        CallerInterrupts.forward(to: server.descriptor)
        let screen = TerminalCapabilities.of(results: STDOUT_FILENO, remarks: STDERR_FILENO)
        let request = CallRequest(words: words, screen: screen).line
        guard request.count <= CallRequest.limit, (try? server.send(request)) != nil else {
            return leave()
        }
        var hasWritten = false
        while let line = try? server.line() {
            switch CallReply(line: line) {
            case .ready: continue
            case .results(let text): console.pass(Array(text.utf8), .results)
            case .remarks(let text): console.pass(Array(text.utf8), .remarks)
            case .status(let status): return Self.ended(status, console)
            case .declined: return leave()
            }
            hasWritten = true
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
