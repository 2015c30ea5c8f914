import Connectivity
import DeviceDomain
import Logging
import MQTTClient
import MosquittoAdapter

/// The composition root: from what the user said to the concrete things that verbs work with.
struct Station: Sendable {
    /// The broker, and who named it.
    let choice: BrokerChoice
    /// The home that the verb is about.
    let home: HomeID
    /// Who the commands come from.
    let controller: ControllerID
    private let security: MQTTSecurity
    private let version: MQTTProtocolVersion
    private let credentials: MQTTCredentials?
    private let connectTimeout: Duration
    private let logger: Logger

    /// Settles every option that has to do with the wire.
    init(_ options: CommonOptions) throws(Failure) {
        home = try options.resolvedHome()
        controller = try options.resolvedController()
        choice = try options.choice()
        security = try options.security(for: choice.address)
        version = options.mqttVersion ?? .v5
        credentials = try options.credentials()
        connectTimeout = options.connectTimeout ?? .seconds(10)
        logger = options.logger
    }

    /// A channel to the broker that is not connected yet, on a loop of its own.
    func makeChannel() throws(Failure) -> MosquittoChannel {
        do {
            let loop = try MQTTEventLoop(label: "homeport", logger: logger)
            let configuration = MosquittoChannelConfiguration(
                broker: choice.address, security: security, controller: controller,
                version: version,
                credentials: credentials, connectTimeout: connectTimeout)
            return MosquittoChannel(configuration, on: loop, logger: logger)
        } catch {
            throw Failure(.internalError, error.message)
        }
    }

    /// Connects, runs `body` and disconnects in order.
    /// - Throws: ``Failure`` with ``VerbStatus/noConnection`` where there is no usable connection.
    func withChannel<Value>(
        _ body: (MosquittoChannel) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let channel = try makeChannel()
        let result: Result<Value, Failure>
        do {
            try await open(channel)
            result = .success(try await body(channel))
        } catch {
            result = .failure(error)
        }
        await channel.close()
        return try result.get()
    }

    /// Connects and asks what is retained, on the loop's thread, while `body` does its work on the
    /// caller's thread.
    /// - Returns: what is retained, or why there is no usable connection; and what came of `body`.
    func surveying<Value>(
        _ scope: SurveyScope, over channel: MosquittoChannel, on executor: MQTTLoopTaskExecutor,
        beside body: () throws(Failure) -> Value
    ) async -> (survey: Result<HomeSurvey, Failure>, value: Result<Value, Failure>) {
        await withTaskGroup(of: Result<HomeSurvey, Failure>.self) { group in
            group.addTask(executorPreference: executor) {
                await firstSurvey(scope, over: channel)
            }
            let value: Result<Value, Failure>
            do throws(Failure) {
                value = .success(try body())
            } catch {
                value = .failure(error)
            }
            var survey = Result<HomeSurvey, Failure>.success(HomeSurvey(home: home))
            for await answer in group { survey = answer }
            return (survey, value)
        }
    }

    private func firstSurvey(
        _ scope: SurveyScope, over channel: MosquittoChannel
    ) async -> Result<HomeSurvey, Failure> {
        do throws(Failure) {
            try await open(channel)
            return .success(try await survey(scope, over: channel))
        } catch {
            return .failure(error)
        }
    }

    /// Connects.
    func open(_ channel: MosquittoChannel) async throws(Failure) {
        do {
            try await channel.open()
        } catch {
            throw failure(for: error)
        }
    }

    /// What is retained in the home, or of one device.
    func survey(
        _ scope: SurveyScope, over channel: MosquittoChannel
    ) async throws(Failure) -> HomeSurvey {
        do {
            return try await channel.survey(home, scope)
        } catch {
            throw failure(for: error)
        }
    }

    /// No usable connection: why, and what to do.
    func failure(for error: CommunicationError) -> Failure {
        var message = "\(error)"
        if !message.contains("\(choice.address)") { message = "\(choice.address): \(message)" }
        if error.code == .credentialsRefused {
            message += "; check the credentials file"
        } else if error.code == .unreachable, choice.source == .fallback {
            message += "; start homeport-sim, or pass --broker"
        }
        return Failure(.noConnection, message)
    }
}
