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

    private let mayHaveSent: Bool
    private var server: LocalCall
    private let processID: Int32

    /// Connects.
    /// - Returns: `nil` where the server has ended.
    private init?(to entry: ServerAnnouncement, at meetingPoint: MeetingPoint, mayHaveSent: Bool) {
        guard let server = try? LocalCall(to: meetingPoint.socket(of: entry), linesOf: .max)
        else { return nil }
        self.mayHaveSent = mayHaveSent
        self.server = server
        processID = entry.processID
    }

    /// Has a call carried out by the first server that works where the call means. Which one that is says the
    /// server, which reads the line.
    /// - Parameter words: the command line without the program.
    /// - Returns: the exit status; `nil` where the process must do the work itself.
    static func run(_ words: [String], _ use: ServerUse) -> VerbStatus? {
        let meetingPoint = MeetingPoint()
        for entry in announcements(at: meetingPoint) where entry.version == HomeportCommand.version
        {
            guard
                var call = ServerCall(
                    to: entry, at: meetingPoint, mayHaveSent: use == .mayHaveSent)
            else { continue }
            if let status = call.run(words) { return status }
        }
        return nil
    }

    /// What is found about the server that a call could use; `nil` where there is none.
    static func finding(for options: VerbOptions) -> Finding? {
        let meetingPoint = MeetingPoint()
        for entry in announcements(at: meetingPoint)
        where entry.serves(options, from: .own, at: meetingPoint) {
            guard var call = ServerCall(to: entry, at: meetingPoint, mayHaveSent: false)
            else { continue }
            return call.finding()
        }
        return nil
    }

    private static func announcements(at meetingPoint: MeetingPoint) -> [ServerAnnouncement] {
        (try? meetingPoint.announcements(of: ServerAnnouncement.self)) ?? []
    }

    private mutating func finding() -> Finding {
        guard isReady() else {
            return .problem(
                .server,
                "homeport serve (process \(processID)) does not answer: its schedules do not run, and "
                    + "each call waits \(Self.longestSilence) for it before it does without",
                remedy: "end it with 'kill -9 \(processID)', then start it again")
        }
        return .ok(.server, "homeport serve (process \(processID)) answers")
    }

    /// Whether the server has said that it is there.
    private mutating func isReady() -> Bool {
        let line = try? server.line(before: .now + Self.longestSilence)
        return line.map(CallReply.init(line:)) == .ready
    }

    /// Carries the call out.
    /// - Returns: the exit status; `nil` where the process must do the work itself.
    private mutating func run(_ words: [String]) -> VerbStatus? {
        let console = Console(isVerbose: false)
        guard isReady() else {
            console.note(
                "homeport serve (process \(processID)) does not answer; this call does without it")
            return nil
        }
        CallerInterrupts.forward(to: server.descriptor)
        let screen = Screen.of(results: STDOUT_FILENO, remarks: STDERR_FILENO)
        let request = CallRequest(words: words, at: .own, screen: screen).line
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
