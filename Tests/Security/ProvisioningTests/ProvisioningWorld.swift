import Basics
import Connectivity
import DeviceDomain
import DeviceMessages
import Keychain
import Provisioning
import ProvisioningProtocol

/// What happens to one call from an attempt to anything outside it.
enum Fault: CaseIterable, Hashable, Sendable {
    /// It fails without effect.
    case before
    /// It has its effect, and fails.
    case after
    /// The process ends before it.
    case killedBefore
    /// The process ends behind its effect.
    case killedAfter
    /// The task is cancelled before it.
    case cancelled

    var isKill: Bool { self == .killedBefore || self == .killedAfter }
}

/// Everything around an attempt: a boxed device, an authority, a home, a keychain and a repository, whose calls
/// are counted, and fail where a test says so.
final class ProvisioningWorld: Sendable {
    enum Identity: Hashable { case staged, active }

    struct State {
        var device: FakeBoxedDevice
        var tokens: Set<ClaimToken> = []
        var identities: [String: Identity] = [:]
        var secrets: [SecretName: Secret] = [:]
        var records: [ProvisioningRecord] = []
        var calls = 0
        var faults: [Int: Fault] = [:]
        var isKilled = false
        var cancel: (@Sendable () -> Void)?
        var serials = 0
        /// The Wi-Fi password and the proof of possession, as long as anybody keeps them.
        weak var password: Secret?
        weak var proof: Secret?
        /// What the last run said.
        var events: BoundedStream<ProvisioningEvent>?
        /// What an attacker on the way does to the answers of an endpoint.
        var changes: [ProvisioningEndpoint: @Sendable (inout [UInt8]) -> Void] = [:]
        /// Which call had the device join.
        var applyCall: Int?
        /// Endpoints that were asked, in order.
        var asked: [ProvisioningEndpoint] = []
        /// Whether anybody kept one of them when the device committed.
        var keepsSecrets = false
    }

    let state: Guarded<State>
    let clock = TestClock()

    init(_ device: FakeBoxedDevice = FakeBoxedDevice()) { state = Guarded(State(device: device)) }

    /// One call: counted, with the fault that is planned for it.
    func call<Value: Sendable, Failure: Error>(
        failing error: Failure, _ effect: (inout State) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let cancel = state.withLock { state in
            state.faults[state.calls + 1] == .cancelled ? state.cancel : nil
        }
        cancel?()
        return try state.withLock { state throws(Failure) in
            guard !state.isKilled else { throw error }
            state.calls += 1
            let fault = state.faults[state.calls]
            switch fault {
            case .before: throw error
            case .killedBefore:
                state.isKilled = true
                throw error
            case .after, .killedAfter, .cancelled, nil: break
            }
            let value = try effect(&state)
            switch fault {
            case .after: throw error
            case .killedAfter:
                state.isKilled = true
                throw error
            case .before, .killedBefore, .cancelled, nil: return value
            }
        }
    }

    /// Runs the same order in a new process.
    func run(
        _ faults: [Int: Fault] = [:], security: ProvisioningSecurity? = .unprotected,
        password: String = "correct horse", code: String = "abcd1234",
        username: String? = "wifiprov",
        allowsWeakSession: Bool = false, asking device: (any ProvisioningTransport)? = nil
    ) async throws -> ProvisioningResult {
        state.withLock { state in
            state.calls = 0
            state.faults = faults
            state.isKilled = false
        }
        let parts = ProvisioningParts(
            device: device ?? self, joiner: JoinedAccessPoint(), authority: self, home: self,
            repository: self, keychain: self, clock: clock,
            now: { Timestamp(milliseconds: 1_764_000_000_000) })
        let context = try ProvisioningContext(
            order(security, password, code, username, allowsWeakSession), with: parts)
        state.withLock { $0.events = context.events }
        // Under the lock: the first call must find the way to cancel.
        let task = state.withLock { state in
            let task = Task { await context.run() }
            state.cancel = { task.cancel() }
            return task
        }
        return await task.value
    }

    /// An order, which alone keeps its secrets.
    private func order(
        _ security: ProvisioningSecurity?, _ password: String, _ code: String, _ username: String?,
        _ allowsWeakSession: Bool
    ) throws -> ProvisioningOrder {
        let (password, proof) = (Secret(password.utf8), Secret(code.utf8))
        state.withLock { ($0.password, $0.proof) = (password, proof) }
        var order = ProvisioningOrder(
            SetupCode(name: "PROV_ab12cd", proof: proof, username: username),
            home: try HomeID("home-1"), broker: "mqtt://127.0.0.1:1883", ssid: "attic",
            password: password, security: security)
        order.allowsWeakSession = allowsWeakSession
        return order
    }

    /// The device's own way back into its box.
    func failSafe() { state.withLock { $0.device.failSafe() } }

    var calls: Int { state.withLock { $0.calls } }
}

extension ProvisioningWorld: ProvisioningTransport {
    func post(
        _ body: [UInt8], to endpoint: ProvisioningEndpoint
    ) async throws(ProvisioningError) -> [UInt8] {
        try call(failing: ProvisioningError(.connectionLost, "lost", .pressReset)) {
            state throws(ProvisioningError) in
            guard state.device.isBoxed else {
                throw ProvisioningError(.noAccessPoint, "closed", .pressReset)
            }
            state.asked.append(endpoint)
            do {
                let place = state.device.place
                var answer = try state.device.answer(body, at: endpoint)
                if place != state.device.place { state.applyCall = state.calls }
                state.changes[endpoint]?(&answer)
                return answer
            } catch {
                throw ProvisioningError(.refused, "status 500", .pressReset)
            }
        }
    }
}

extension ProvisioningWorld: ClaimAuthority {
    private static let failure = ProvisioningError(.authority, "no", .checkStorage)

    func authorities() async throws(ProvisioningError) -> String? { nil }

    func makeToken(for device: DeviceID) async throws(ProvisioningError) -> ClaimToken {
        try call(failing: Self.failure) { state throws(ProvisioningError) in
            state.serials += 1
            guard let token = ClaimToken(rawValue: "token-\(state.serials)") else {
                throw Self.failure
            }
            state.tokens.insert(token)
            return token
        }
    }

    func issue(
        to device: DeviceID, _ request: ClaimRequest
    ) async throws(ProvisioningError) -> StagedCertificate {
        try call(failing: Self.failure) { state throws(ProvisioningError) in
            guard state.tokens.remove(request.token) != nil else { throw Self.failure }
            state.serials += 1
            state.identities["\(state.serials)"] = .staged
            return StagedCertificate(serial: "\(state.serials)", certificate: "PEM")
        }
    }

    func activate(_ serial: String, for device: DeviceID) async throws(ProvisioningError) {
        try call(failing: Self.failure) { state throws(ProvisioningError) in
            guard state.identities[serial] != nil else { throw Self.failure }
            state.identities[serial] = .active
        }
    }

    func discardStaged(of device: DeviceID) async throws(ProvisioningError) {
        try call(failing: Self.failure) { state throws(ProvisioningError) in
            state.identities = state.identities.filter { $0.value == .active }
        }
    }
}

extension ProvisioningWorld: DeviceArrivalObserver {
    private static let away = ProvisioningError(.broker, "away", .checkBroker)

    func sighting(of device: DeviceID) async throws(ProvisioningError) -> DeviceSighting {
        try call(failing: Self.away) { state throws(ProvisioningError) in state.device.sighting }
    }

    func arrival(of device: DeviceID, with nonce: ClaimNonce) async throws(ProvisioningError) {
        while true {
            let seen = try call(failing: Self.away) { state throws(ProvisioningError) in
                state.device.sighting
            }
            if seen == .online(claim: nonce) { return }
            await clock.sleep(for: .seconds(1))
            if Task.isCancelled { throw ProvisioningError(.cancelled, "cancelled", .runAgain) }
        }
    }

    func commit(_ nonce: ClaimNonce, of device: DeviceID) async throws(ProvisioningError) {
        try call(failing: ProvisioningError(.timedOut, "no answer", .runAgain)) {
            state throws(ProvisioningError) in
            state.keepsSecrets = state.password != nil || state.proof != nil
            guard state.device.commit(nonce) else {
                throw ProvisioningError(.commitRefused, "another claim", .pressReset)
            }
        }
    }
}

extension ProvisioningWorld: ProvisioningRepository {
    private static let full = ProvisioningError(.storage, "full", .checkStorage)

    func latest(
        of label: String, in home: HomeID
    ) async throws(ProvisioningError) -> ProvisioningRecord? {
        try call(failing: Self.full) { state throws(ProvisioningError) in
            state.records.last { $0.step != .rolledBack } ?? state.records.last
        }
    }

    func add(_ record: ProvisioningRecord) async throws(ProvisioningError) {
        try call(failing: Self.full) { state throws(ProvisioningError) in
            state.records.append(record)
        }
    }

    func update(_ record: ProvisioningRecord) async throws(ProvisioningError) {
        try call(failing: Self.full) { state throws(ProvisioningError) in
            guard
                let index = state.records.firstIndex(where: { $0.attempt == record.attempt }),
                state.records[index].revision == record.revision - 1
            else { throw ProvisioningError(.otherProcess, "taken over", .runAgain) }
            state.records[index] = record
        }
    }
}

extension ProvisioningWorld: KeychainService {
    private static let locked = KeychainError(.unavailable, "locked")

    func get(_ name: SecretName) async throws(KeychainError) -> Secret? {
        try call(failing: Self.locked) { state throws(KeychainError) in state.secrets[name] }
    }

    func set(_ secret: Secret, for name: SecretName) async throws(KeychainError) {
        try call(failing: Self.locked) { state throws(KeychainError) in state.secrets[name] = secret
        }
    }

    func remove(_ name: SecretName) async throws(KeychainError) -> Bool {
        try call(failing: Self.locked) { state throws(KeychainError) in
            state.secrets.removeValue(forKey: name) != nil
        }
    }

    func keys() async throws(KeychainError) -> [SecretName] {
        state.withLock { $0.secrets.keys.sorted() }
    }

    func compareAndSet(
        _ name: SecretName, from expected: Secret?, to new: Secret?
    ) async throws(KeychainError) -> Bool { false }
}
