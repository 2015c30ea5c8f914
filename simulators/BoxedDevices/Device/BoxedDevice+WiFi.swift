import Keychain
import ProvisioningProtocol

// Wi-Fi: what is in reach, and which network to join.
extension BoxedDevice {
    func scan(_ message: WiFiScanMessage) throws(RequestFailure) -> WiFiScanMessage {
        let found = surroundings.scan
        switch message {
        case .start: return .startResponse(.success)
        case .getStatus: return .status(.success, isFinished: true, count: found.count)
        case .getResults(let start, let count):
            guard start <= found.count, count <= WiFiScanMessage.entriesPerRead else {
                return .results(.invalidArgument, [])
            }
            return .results(.success, Array(found.dropFirst(start).prefix(count)))
        case .startResponse, .status, .results:
            throw .unexpected(ProvisioningEndpoint.scan.rawValue)
        }
    }

    mutating func configure(
        _ message: WiFiConfigMessage
    ) throws(RequestFailure) -> WiFiConfigMessage {
        switch message {
        case .getStatus:
            if case .connected = station {
                actions.append(.closeAccessPoint(clientKnows: true))
            }
            return .status(.success, status)
        case .set(let credentials): return .setResponse(name(credentials))
        case .apply: return .applyResponse(apply())
        case .status, .setResponse, .applyResponse:
            throw .unexpected(ProvisioningEndpoint.config.rawValue)
        }
    }

    private var status: WiFiStatus {
        switch station {
        case .idle, .named: .disconnected
        case .joining: .connecting(attemptsRemaining: nil)
        case .connected(let connection): .connected(connection)
        case .failed(let failure): .failed(failure)
        }
    }

    /// A network is refused once one was applied, until a reset.
    private mutating func name(_ credentials: WiFiCredentials) -> ProvisioningStatus {
        switch station {
        case .idle, .named:
            guard (1...32).contains(credentials.ssid.count), credentials.passphrase.count <= 64
            else { return .invalidArgument }
            station = .named(credentials)
            return .success
        case .joining, .connected, .failed: return .internalError
        }
    }

    /// A claim that was offered in this session must be whole before the device leaves its box.
    private mutating func apply() -> ProvisioningStatus {
        guard case .named(let credentials) = station, case .boxed(let claim) = record.place,
            let client, client.claim != .offered
        else { return .internalError }
        station = .joining(credentials, client.claim == .granted ? claim : nil)
        actions.append(.join)
        return .success
    }

    mutating func control(_ message: ControlMessage) throws(RequestFailure) -> ControlMessage {
        switch message {
        case .reset:
            guard case .failed = station else { return .resetResponse(.internalError) }
            station = .idle
            return .resetResponse(.success)
        // A device in a home has no access point at which it could be asked.
        case .reprovision: return .reprovisionResponse(.internalError)
        case .resetResponse, .reprovisionResponse:
            throw .unexpected(ProvisioningEndpoint.control.rawValue)
        }
    }
}
