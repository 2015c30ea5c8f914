import Glibc
import Homeport

/// A running mosquitto, by its process id.
struct BrokerProcess {
    private let processID: Int32

    /// - Throws: ``Failure`` with ``VerbStatus/usage`` unless the process is a mosquitto: the signal that
    ///   makes it read its files ends other programs.
    init(_ processID: Int32) throws(Failure) {
        guard processID > 1, let name = Self.name(of: processID), name.hasPrefix("mosquitto") else {
            throw .usage("--reload-pid: process \(processID) is no running mosquitto")
        }
        self.processID = processID
    }

    private static func name(of processID: Int32) -> String? {
        guard let file = fopen("/proc/\(processID)/comm", "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    /// Has it read its access control and revocation list again.
    func reload() throws(Failure) {
        guard kill(processID, SIGHUP) == 0 else {
            throw Failure(
                .internalError,
                "the files are written, but process \(processID) could not be told to read them: "
                    + String(cString: strerror(errno)))
        }
    }
}

extension BrokerAdministration {
    /// How long the broker may take.
    private static let limit = Duration.seconds(10)

    /// Publishes the command.
    /// - Returns: why that was not possible; `nil` if it was.
    func carryOut() async -> Failure? {
        let eventLoop: MQTTEventLoop
        do {
            eventLoop = try MQTTEventLoop()
        } catch {
            return Self.failure(error.message)
        }
        let failure: Failure?
        do {
            let reason = try await publish(on: eventLoop)
            failure = reason.isError ? Self.failure("the broker answers \(reason)") : nil
        } catch {
            failure = Self.failure((error as? MQTTError)?.message ?? "\(error)")
        }
        await eventLoop.shutdown()
        return failure
    }

    private func publish(on eventLoop: MQTTEventLoop) async throws -> MQTTReasonCode {
        let configuration = MQTTConfiguration(
            broker: try MQTTBrokerAddress(url: url),
            security: .tls(
                MQTTTLSConfiguration(
                    authorityFile: authorityFile, certificateFile: certificateFile,
                    keyFile: keyFile)),
            clientID: try MQTTClientID("homeport-identity-\(getpid())"),
            connectTimeout: Self.limit, reconnect: .never)
        let message = MQTTMessage(
            topic: try MQTTTopic(topic), payload: payload, qos: .atLeastOnce)
        return try await MQTTClient.withConnection(
            configuration: configuration, eventLoop: eventLoop
        ) { try await $0.publish(message) }
    }

    private static func failure(_ reason: String) -> Failure {
        Failure(
            .noConnection,
            "the certificates are revoked and the broker was told to read the list, but connections that "
                + "are open could not be ended: \(reason)")
    }
}
