import Dispatch
import TestSupport

extension FakeBrokerPeer {
    /// Answers what a device sends until it closes, showing every packet first.
    func answerToEnd(
        subscriptionCode: UInt8 = 1, _ show: (FakeBrokerPacket) -> Void = { _ in }
    ) {
        while let packet = try? read() {
            show(packet)
            try? answer(packet, subscriptionCode)
        }
    }

    /// Confirms a packet.
    func answer(_ packet: FakeBrokerPacket, _ code: UInt8 = 1) throws {
        switch packet.kind {
        case .subscribe:
            let codes = [UInt8](repeating: code, count: 5)
            try send(.suback(version, packet.identifier, codes: codes))
        case .publish where packet.publishQoS == 1: try send(.puback(packet.publishIdentifier))
        case .pingreq: try send(.pingresp)
        default: break
        }
    }
}

extension FakeBrokerPacket {
    /// A PUBLISH as text, topic and payload included.
    var text: String { String(decoding: body, as: UTF8.self) }
}

/// Holds a broker's thread until the test lets it go on.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }
    func wait() { semaphore.wait() }
}
