import TestSupport
import Testing

@testable import MQTTClient

/// The judge of pauses is judged itself, then judges ours.
@Suite struct BackoffShapeTests {
    @Test(arguments: [
        (BackoffShape.constant, [1, 1, 1, 1, 1, 1, 1]),
        (.constant, [1.0, 1.06, 0.97, 1.02, 1.0, 1.05]),
        (.linear, [1, 2, 3, 4, 5, 6, 7]), (.linear, [0.5, 1.0, 1.52, 2.01, 2.5, 3.02]),
        (.exponential, [1, 2, 4, 8, 16, 32]), (.exponential, [0.1, 0.15, 0.225, 0.338, 0.506]),
        // What the wrapped library calls exponential.
        (.quadratic, [1.0, 4.0, 9.1, 16.1, 25.1, 36.1]),
    ])
    func pausesWithoutRandomnessAreCalledWhatTheyAre(shape: BackoffShape, pauses: [Double]) {
        #expect(BackoffShape(pauses: pauses.map { .seconds($0) }) == shape)
        let clients = Array(repeating: pauses.map { Duration.seconds($0) }, count: 10)
        #expect(BackoffShape(pauses: clients) == shape)
    }

    @Test(arguments: 1...20)
    func randomPausesAreCalledByTheirBound(seed: UInt64) {
        func shape(of bound: (Double) -> Double, from least: Double = 0) -> BackoffShape? {
            var numbers = SeededGenerator(seed: seed)
            return BackoffShape(
                pauses: (0..<25).map { _ in
                    (1...8).map { attempt in
                        let bound = bound(Double(attempt))
                        return .seconds(.random(in: least * bound...bound, using: &numbers))
                    }
                })
        }
        #expect(shape { _ in 1 } == .constantWithJitter)
        #expect(shape(of: { _ in 1 }, from: 0.5) == .constantWithJitter)
        #expect(shape { $0 } == .linearWithJitter)
        #expect(shape { $0 * $0 } == .quadraticWithJitter)
        #expect(shape { Double(1 << Int($0)) } == .exponentialWithJitter)
        #expect(shape(of: { Double(1 << Int($0)) }, from: 0.5) == .exponentialWithJitter)
    }

    @Test func clientsThatDrawTheSameNumbersHaveNoJitter() {
        let one = [0.6, 1.9, 2.2, 7.4, 9.8, 30.5, 41.3, 120.7].map { Duration.seconds($0) }
        #expect(BackoffShape(pauses: one) == .exponentialWithJitter)
        #expect(BackoffShape(pauses: [one, one]) == .exponential)
    }

    @Test func fourPausesAreTooFew() {
        #expect(BackoffShape(pauses: [1, 2, 4, 8].map { .seconds($0) }) == nil)
    }

    // MARK: Ours

    /// A cause, how long each connection had held, and how many attempts come before the cap.
    struct Trouble: Sendable, CustomTestStringConvertible {
        var code: MQTTError.Code
        var reason: MQTTReasonCode?
        var uptime: Duration?
        var testDescription: String {
            "\(code.rawValue) \(reason.map(String.init(describing:)) ?? "")"
        }
    }

    @Test(arguments: [
        Trouble(code: .unreachable), Trouble(code: .connectTimeout),
        Trouble(code: .connectionRefused, reason: .serverBusy),
        Trouble(code: .connectionLost, uptime: .milliseconds(200)),
        Trouble(code: .keepAliveTimeout, uptime: .seconds(8)),
        Trouble(code: .serverDisconnected, reason: .serverShuttingDown, uptime: .seconds(1)),
        Trouble(code: .serverDisconnected, reason: .maximumConnectTime, uptime: .seconds(29)),
    ])
    func oursAreExponentialWithJitter(trouble: Trouble) {
        var numbers = SeededGenerator(seed: 7)
        let error = MQTTError(trouble.code, "trouble", reasonCode: trouble.reason)
        let floor = MQTTDisconnectCause(error).floor
        let clients = (0..<50).map { _ in
            var backoff = MQTTReconnectBackoff(policy: MQTTReconnectPolicy(), clientID: "x")
            return (0..<6).compactMap { _ -> Duration? in
                let decision = backoff.decide(
                    after: error, uptime: trouble.uptime, using: &numbers)
                guard case .retry(_, let delay) = decision else { return nil }
                return delay - floor
            }
        }
        #expect(clients.allSatisfy { $0.count == 6 })
        #expect(BackoffShape(pauses: clients) == .exponentialWithJitter)
    }
}
