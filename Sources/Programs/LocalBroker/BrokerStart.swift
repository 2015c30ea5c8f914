import Basics
import LocalServices
import Subprocess

/// One attempt to run a broker on one port.
struct BrokerStart: Sendable {
    /// How it ended.
    enum Outcome<R: Sendable>: Sendable {
        /// The body ran.
        case done(Result<R, any Error>)
        /// Another process took the port first; the body did not run.
        case portTaken
    }

    /// How to start it.
    let configuration: PrivateBrokerConfiguration
    /// The path of the program.
    let mosquitto: String
    /// Where it is to listen.
    let port: UInt16
    /// Who may do everything.
    let credentials: BrokerCredentials
    /// Who may connect and do what; removed once the broker has read it.
    let access: AccessFiles

    /// Starts the process, runs the body once it listens, and ends the process.
    ///
    /// - Throws: ``LocalServicesError`` where the body could not be reached.
    func run<R: Sendable>(_ body: (RunningBroker) async throws -> R) async throws -> Outcome<R> {
        let text = configuration.mosquittoText(
            port: port, access: access, user: ProcessEnvironment.userName)
        do {
            return try await Subprocess.run(
                .name(configuration.setpriv),
                arguments: Arguments(
                    ParentDeathSignal.arguments(mosquitto: mosquitto, configuration: text)),
                platformOptions: ParentDeathSignal.platformOptions,
                input: .none, output: .discarded, error: .sequence
            ) { execution in
                try await follow(execution, running: body)
            }.closureResult
        } catch let error as SubprocessError {
            throw translated(error)
        }
    }

    /// Follows the log while the body runs; the process has ended when this returns.
    private func follow<R: Sendable>(
        _ execution: Execution<NoInput, DiscardedOutput, SequenceOutput>,
        running body: (RunningBroker) async throws -> R
    ) async throws -> Outcome<R> {
        let (events, sink) = AsyncStream.makeStream(
            of: BrokerLog.Event.self, bufferingPolicy: .bufferingOldest(4))
        let (ends, endSink) = AsyncStream.makeStream(
            of: [String].self, bufferingPolicy: .bufferingNewest(1))
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await follow(execution.standardError, telling: sink, onEnd: endSink)
            }
            var iterator = events.makeAsyncIterator()
            let outcome: Result<Outcome<R>, any Error>
            switch await iterator.next() {
            case .running(let version):
                access.remove()
                let broker = RunningBroker(
                    url: "mqtt://127.0.0.1:\(port)", port: port, credentials: credentials,
                    processID: execution.processIdentifier.value, version: version,
                    unexpectedEnd: ends)
                outcome = .success(.done(await Result.catching { try await body(broker) }))
                endSink.finish()
            case .ended(let lines) where BrokerLog.portWasTaken(lines):
                outcome = .success(.portTaken)
            case .ended(let lines):
                outcome = .failure(startFailure(lines))
            case nil:
                outcome = .failure(CancellationError())
            }
            await execution.teardown(using: ParentDeathSignal.ending)
            return try outcome.get()
        }
    }

    /// Reads the broker's log until the broker ends.
    private func follow(
        _ output: SubprocessOutputSequence,
        telling sink: AsyncStream<BrokerLog.Event>.Continuation,
        onEnd: AsyncStream<[String]>.Continuation
    ) async {
        var log = BrokerLog()
        defer {
            sink.finish()
            onEnd.finish()
        }
        do {
            for try await line in output.strings() {
                configuration.log(line)
                if let event = log.read(line) { sink.yield(event) }
            }
        } catch {
            configuration.log("can no longer read the broker's log: \(error)")
        }
        guard !Task.isCancelled else { return }
        sink.yield(log.end())
        onEnd.yield(log.lines)
    }

    private func startFailure(_ lines: [String]) -> LocalServicesError {
        let said = lines.isEmpty ? "it said nothing" : "it said: " + lines.joined(separator: " / ")
        return LocalServicesError(
            .startFailed, "\(mosquitto) ended before it listened on 127.0.0.1:\(port); \(said)")
    }

    private func translated(_ error: SubprocessError) -> LocalServicesError {
        guard error.code == .executableNotFound else {
            return LocalServicesError(
                .startFailed, "the private broker could not be started: \(error)",
                underlying: error)
        }
        return LocalServicesError(
            .setprivMissing,
            "no setpriv program found; it makes the private broker end with this process. Install "
                + "it with `apt-get install util-linux`, or name a running broker with "
                + "--broker URL", underlying: error)
    }
}
