import Basics
import DeviceDomain
import DeviceMessages
import Dispatch
import Fleet
import Glibc
import LocalServices

/// Another process of this fleet, which simulates a part of its homes.
final class Worker: Sendable {
    private typealias Answer = Result<[LineMembers], LocalServicesError>

    /// A question whose answer is not whole.
    private struct Question {
        var lines: [LineMembers] = []
        let asker: CheckedContinuation<Answer, Never>
    }

    private struct State {
        var questions: [Int: Question] = [:]
        var lastID = 0
        /// How the process ended; `nil` while it lives.
        var end: LocalServicesError?
    }

    /// The homes that it simulates.
    let homes: Set<HomeID>
    private let name: String
    private let process: pid_t
    private let channel: LocalChannel
    private let report: @Sendable (FleetNotice) -> Void
    private let state = Guarded(State())
    /// How its run ended: one element.
    private let ends: AsyncStream<Result<Void, any Error>>
    private let endSink: AsyncStream<Result<Void, any Error>>.Continuation
    /// Finishes with the process.
    private let life: AsyncStream<Void>
    private let lifeSink: AsyncStream<Void>.Continuation

    /// Starts the process.
    /// - Parameters:
    ///   - number: which part it has, from 2 on.
    ///   - count: how many parts there are.
    ///   - report: is called with what it says, on a thread of its own.
    /// - Throws: an error where there is no room for another process.
    init(
        number: Int, of count: Int, for homes: FleetHomes,
        report: @escaping @Sendable (FleetNotice) -> Void
    ) throws {
        let (channel, other) = try LocalChannel.pair(linesOf: WorkerRequest.limits.bytes)
        defer { close(other) }
        process = try WorkerProcess.start(number: number, on: other)
        name = "process \(number) of \(count) (\(process))"
        self.homes = Set(homes.ids)
        self.channel = channel
        self.report = report
        (ends, endSink) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
        (life, lifeSink) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
        DispatchQueue(label: "worker \(number)").async { self.follow() }
    }

    /// Asks it, and waits for the whole answer.
    /// - Throws: `LocalServicesError`, `refused` where it refuses, else where it has ended.
    func ask(_ request: WorkerRequest) async throws(LocalServicesError) -> [LineMembers] {
        try await ask(request.members)
    }

    /// Asks it what a control socket is asked.
    /// - Parameter share: what part of the devices gets a fault; `nil` for what the request says.
    /// - Throws: `LocalServicesError`, `refused` where it refuses, else where it has ended.
    func ask(
        _ request: ControlRequest, _ share: FaultShare? = nil
    ) async throws(LocalServicesError) -> [ControlReply] {
        var members = request.members
        if case .upTo(let bound)? = share { members[WorkerRequest.shareBound] = .number(bound) }
        var replies: [ControlReply] = []
        for line in try await ask(members) { replies.append(try ControlReply(line)) }
        return replies
    }

    private func ask(_ members: JSONObject) async throws(LocalServicesError) -> [LineMembers] {
        let answer: Answer = await withCheckedContinuation { asker in
            let id: Result<Int, LocalServicesError> = state.withLock { state in
                if let end = state.end { return .failure(end) }
                state.lastID += 1
                state.questions[state.lastID] = Question(asker: asker)
                return .success(state.lastID)
            }
            switch id {
            case .success(let id):
                let line = members.merging(["id": .integer(id)]) { own, _ in own }
                // Where it cannot be sent, the process is ending: that ends the question.
                try? channel.send(JSONWriter.write(.object(line)))
            case .failure(let end): asker.resume(returning: .failure(end))
            }
        }
        return try answer.get()
    }

    /// Waits for the end of its run.
    /// - Throws: why it ended, unless it was asked to.
    func untilEnd() async throws {
        for await end in ends { return try end.get() }
    }

    /// Has it take its devices offline.
    func askToEnd() {
        try? channel.send(JSONWriter.write(.object(WorkerRequest.end.members)))
    }

    /// Ends the process, which has nothing to do any more.
    func finish() async {
        channel.finish()
        for await _ in life {}
    }

    // MARK: What it says

    private func follow() {
        try? channel.read { line in
            guard let members = try? LineMembers(line, limits: WorkerRequest.limits) else { return }
            heard(members)
        }
        let end = WorkerProcess.end(of: process)
        let error = LocalServicesError(
            .unanswered, "\(name) of the fleet \(end), and with it its devices; the run is over")
        endSink.yield(.failure(error))
        endSink.finish()
        let questions = state.withLock { state in
            state.end = error
            defer { state.questions = [:] }
            return state.questions.values.map(\.asker)
        }
        for asker in questions { asker.resume(returning: .failure(error)) }
        lifeSink.finish()
    }

    private func heard(_ line: LineMembers) {
        let texts = line.allTexts
        if let notice = FleetNotice(texts) { return report(notice) }
        switch texts["reply"] {
        case "ended":
            endSink.yield(Self.failure(texts).map { .failure($0) } ?? .success(()))
        case "done": answered(line) { .success($0) }
        case "refused":
            let error = LocalServicesError(.refused, texts["reason"] ?? "")
            answered(line) { _ in .failure(error) }
        case _?, nil:
            guard let id = line.all["id"]?.integer else { return }
            state.withLock { $0.questions[id]?.lines.append(line) }
        }
    }

    private func answered(_ line: LineMembers, _ answer: ([LineMembers]) -> Answer) {
        guard let id = line.all["id"]?.integer,
            let question = state.withLock({ $0.questions.removeValue(forKey: id) })
        else { return }
        question.asker.resume(returning: answer(question.lines))
    }

    private static func failure(_ texts: [String: String]) -> FleetError? {
        guard let message = texts["message"] else { return nil }
        return FleetError(
            texts["code"].flatMap(FleetError.Code.init(rawValue:)) ?? .internal, message)
    }
}
