private import Glibc

/// Puts a proxy between clients and a broker, which does to their packets what the plan says. It serves
/// one client after the other.
/// - Parameter port: where the broker listens on this machine.
package func withFaultProxy<Value>(
    to port: UInt16, _ plan: FaultPlan, _ client: (FakeBroker) async throws -> Value
) async throws -> Value {
    try await withFakeBroker(client) { proxy in
        try proxy.serve { peer in
            FaultRelay(client: peer, broker: try .connected(to: port), plan: plan).run()
        }
    }
}

/// One connection of a client through the proxy.
private struct FaultRelay: Sendable {
    let client: FakeBrokerPeer
    let broker: FakeBrokerPeer
    let plan: FaultPlan

    /// Returns when the client or the broker has ended the connection.
    func run() {
        detachThread {
            relay(from: broker, .broker, to: client)
            client.cut()
        }
        relay(from: client, .client, to: broker)
        broker.cut()
    }

    private func relay(from source: FakeBrokerPeer, _ side: FaultPlan.Side, to sink: FakeBrokerPeer)
    {
        var held: FakeBrokerPacket?
        while let packet = try? source.read() {
            let fault = plan.fault(for: packet, from: side)
            do throws(TestSupportError) {
                switch fault {
                case .none: try sink.send(packet)
                case .drop: break
                case .duplicate:
                    try sink.send(packet)
                    try sink.send(packet)
                case .holdBack where held == nil:
                    held = packet
                    continue
                case .holdBack: try sink.send(packet)
                case .cutBefore: return
                case .cutAfter: return try sink.send(packet)
                }
                if let late = held { try sink.send(late) }
                held = nil
            } catch {
                return
            }
        }
    }
}
