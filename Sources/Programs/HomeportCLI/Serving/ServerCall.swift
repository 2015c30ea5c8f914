import Glibc
import Homeport
import LocalBroker

/// A call that a running server carries out for this process: it sends the command line and writes
/// what comes back, until the exit status comes.
struct ServerCall {
    /// Verbs that a server runs for others. `watch` has a connection of its own, so that a reader that
    /// is slow or stops holds nothing else up.
    static let verbs: Set<String> = [
        "devices", "show", "send", "history", "explain", "resolve", "queue", "cancel", "undo",
        "redo", "channels", "schedule", "forget",
        "dashboard",
    ]
    private static let sendingVerbs: Set<String> = ["send", "cancel", "undo", "redo"]
    private static let own: Set<String> = ["--verbose", "--watch", "--help", "-h", "--version"]
    /// A server has a patience of its own.
    private static let patience = "--connect-timeout"
    /// How long a server may take to say that it is there. It does so before anything else, so one that
    /// does not was stopped or hangs.
    private static let longestSilence = Duration.seconds(5)

    private let words: [String]
    private let socket: Int32
    private let processID: Int32

    /// Reaches the server that a command line can use.
    /// - Returns: `nil` where there is none, and the process does the work itself.
    init?(_ words: [String]) {
        guard let verb = words.first, Self.verbs.contains(verb), Self.own.isDisjoint(with: words),
            !words.contains(where: { $0.hasPrefix(Self.patience) }),
            let (socket, processID) = Self.connected(for: ServerTarget(words: words))
        else { return nil }
        self.words = words
        self.socket = socket
        self.processID = processID
    }

    private static func connected(
        for target: ServerTarget
    ) -> (socket: Int32, processID: Int32)? {
        let meetingPoint = MeetingPoint()
        guard let servers = try? meetingPoint.announcements(of: ServerAnnouncement.self),
            !servers.isEmpty, let place = try? ServedPlace(target)
        else { return nil }
        let addresses = addresses(of: target, place, meetingPoint)
        let folder = meetingPoint.folder(of: ServerAnnouncement.self)
        return servers.lazy.filter { $0.serves(place, target, at: addresses) }
            .compactMap { server in
                UnixSocket.connected(to: "\(folder)/\(server.processID).sock")
                    .map { ($0, server.processID) }
            }.first
    }

    /// What is found about the server that a call could use; `nil` where there is none.
    static func finding(for target: ServerTarget) -> Finding? {
        guard let (socket, processID) = connected(for: target) else { return nil }
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
        of target: ServerTarget, _ place: ServedPlace, _ meetingPoint: MeetingPoint
    ) -> Set<String>? {
        var only: String?
        if case .one(let broker)? = try? meetingPoint.live() { only = broker.url }
        if let named = target.options["broker"] ?? Environment.value(of: "HOMEPORT_BROKER") {
            let address = (try? MQTTBrokerAddress(url: named))?.description ?? named
            return address == only ? [address, ServerAnnouncement.meetingPoint] : [address]
        }
        guard !place.isConfigured, let only else { return nil }
        return [only, ServerAnnouncement.meetingPoint]
    }

    /// Carries the call out.
    /// - Returns: the exit status; `nil` where the process must do the work itself.
    func run() -> Int32? {
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
        return orphaned(hasWritten, console)
    }

    /// The server has gone away in between. Who only reads does it again without it.
    private func orphaned(_ hasWritten: Bool, _ console: Console) -> Int32? {
        let mayHaveSent = words.first.map(Self.sendingVerbs.contains) ?? false
        guard mayHaveSent || hasWritten else { return leave() }
        console.note(
            "the server ended before this call did"
                + (mayHaveSent ? "; 'homeport history' shows what became of the command" : ""))
        return (mayHaveSent ? VerbStatus.undecided : .internalError).rawValue
    }

    private func leave() -> Int32? {
        CallerInterrupts.stop()
        return nil
    }

    private static func ended(_ status: Int32, _ console: Console) -> Int32 {
        guard let failure = console.writeFailure else { return status }
        console.note(failure.message)
        return failure.status.rawValue
    }
}
