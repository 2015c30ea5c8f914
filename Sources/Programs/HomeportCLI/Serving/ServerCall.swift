import ArgumentParser
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
    /// After so long the process looks whether the server is meant at all.
    private static let usualSilence = Duration.milliseconds(500)

    private let entry: ServerAnnouncement
    private let mayHaveSent: Bool
    private var server: LocalCall
    private let console = Console(isVerbose: false)

    /// Connects.
    /// - Returns: `nil` where the server has ended.
    private init?(to entry: ServerAnnouncement, at meetingPoint: MeetingPoint, mayHaveSent: Bool) {
        guard let server = try? LocalCall(to: meetingPoint.socket(of: entry), linesOf: .max)
        else { return nil }
        self.entry = entry
        self.mayHaveSent = mayHaveSent
        self.server = server
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
        finding(for: options, within: longestSilence)
    }

    /// What is wrong with the server that has not answered a call; `nil` where none runs, or it answers by now.
    static func silence(for options: VerbOptions) -> Finding? {
        let finding = finding(for: options, within: usualSilence)
        return finding?.status == .problem ? finding : nil
    }

    private static func finding(for options: VerbOptions, within limit: Duration) -> Finding? {
        let meetingPoint = MeetingPoint()
        for entry in announcements(at: meetingPoint)
        where entry.serves(options, from: .own, at: meetingPoint) {
            guard var call = ServerCall(to: entry, at: meetingPoint, mayHaveSent: false)
            else { continue }
            return call.finding(within: limit)
        }
        return nil
    }

    private static func announcements(at meetingPoint: MeetingPoint) -> [ServerAnnouncement] {
        (try? meetingPoint.announcements(of: ServerAnnouncement.self)) ?? []
    }

    private mutating func finding(within limit: Duration) -> Finding {
        guard isReady(within: limit) else {
            return .problem(
                .server,
                "homeport serve (process \(entry.processID)) does not answer: its schedules do not run, and "
                    + "each call waits \(Self.longestSilence) for it before it does without",
                remedy: "end it with 'kill -9 \(entry.processID)', then start it again")
        }
        return .ok(.server, "homeport serve (process \(entry.processID)) answers")
    }

    /// Whether the server has said that it is there.
    private mutating func isReady(within limit: Duration) -> Bool {
        let line = try? server.line(before: .now + limit)
        return line.map(CallReply.init(line:)) == .ready
    }

    /// Waits for a server that is silent if it is the one that the line means.
    private mutating func isReady(for words: [String]) -> Bool {
        guard let verb = (try? HomeportCommand.parseAsRoot(words)) as? any HomeVerb,
            entry.serves(verb, from: .own, at: MeetingPoint())
        else { return false }
        if isReady(within: Self.longestSilence) { return true }
        console.note(
            "homeport serve (process \(entry.processID)) does not answer; this call does without it"
        )
        return false
    }

    /// Carries the call out.
    /// - Returns: the exit status; `nil` where the process must do the work itself.
    private mutating func run(_ words: [String]) -> VerbStatus? {
        guard isReady(within: Self.usualSilence) || isReady(for: words) else { return nil }
        CallerInterrupts.forward(to: server.descriptor)
        let screen = TerminalCapabilities.of(results: STDOUT_FILENO, remarks: STDERR_FILENO)
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
            case .status(let status): return ended(status)
            case .declined: return leave()
            }
            hasWritten = true
        }
        return serverDisconnected(hasWritten)
    }

    /// The server ended during the call. A call that only reads is repeated without it.
    private func serverDisconnected(_ hasWritten: Bool) -> VerbStatus? {
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

    private func ended(_ status: Int32) -> VerbStatus {
        guard let failure = console.writeFailure else {
            return VerbStatus(rawValue: status) ?? .internalError
        }
        console.note(failure.message)
        return failure.status
    }
}
