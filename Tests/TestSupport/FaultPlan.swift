internal import Basics

/// What happens to the packets between clients and a broker: see ``withFaultProxy(to:_:_:)``.
package final class FaultPlan: Sendable {
    /// Who sent a packet.
    package enum Side: Sendable, CaseIterable {
        case client, broker
    }

    /// What happens to one packet.
    package enum Fault: Sendable {
        /// It is passed on.
        case none
        /// It is lost.
        case drop
        /// It is passed on twice.
        case duplicate
        /// It is passed on behind the next packet of the same direction.
        case holdBack
        /// The connection ends instead.
        case cutBefore
        /// It is passed on, and the connection ends.
        case cutAfter
    }

    /// A fault for the packets of one kind.
    package struct Rule: Sendable {
        let side: Side
        let kind: FakeBrokerPacket.Kind
        let topic: String
        let places: ClosedRange<Int>
        let fault: Fault

        /// - Parameters:
        ///   - topic: a part of the topic, for a PUBLISH.
        ///   - places: which of these packets, from 1, over all connections.
        package init(
            _ fault: Fault, of kind: FakeBrokerPacket.Kind, from side: Side, topic: String = "",
            _ places: ClosedRange<Int>
        ) {
            self.side = side
            self.kind = kind
            self.topic = topic
            self.places = places
            self.fault = fault
        }

        func concerns(_ packet: FakeBrokerPacket, from side: Side) -> Bool {
            guard kind == packet.kind, self.side == side else { return false }
            return topic.isEmpty || packet.topic.contains(topic)
        }
    }

    private struct State {
        var counts: [Int]
        var generator: SeededGenerator
        var rest: Int
        var faults = 0
    }

    private let rules: [Rule]
    private let state: Guarded<State>

    /// These faults and no others.
    package init(_ rules: Rule...) {
        self.rules = rules
        state = Guarded(
            State(counts: rules.map { _ in 0 }, generator: SeededGenerator(seed: 0), rest: 0))
    }

    /// Faults at random among the commands, their acknowledgements and the PUBACKs, about one in
    /// four packets: doubled, held back, and cut before or behind.
    /// - Parameter limit: at most so many.
    package init(seed: UInt64, limit: Int) {
        rules = []
        state = Guarded(State(counts: [], generator: SeededGenerator(seed: seed), rest: limit))
    }

    /// How many faults there were.
    package var faults: Int { state.withLock { $0.faults } }

    /// What happens to the next packet.
    func fault(for packet: FakeBrokerPacket, from side: Side) -> Fault {
        state.withLock { state in
            var fault = Self.random(for: packet, from: side, &state)
            for (index, rule) in rules.enumerated() where rule.concerns(packet, from: side) {
                state.counts[index] += 1
                if rule.places.contains(state.counts[index]) { fault = rule.fault }
            }
            if case .none = fault { return fault }
            state.faults += 1
            return fault
        }
    }

    private static func random(
        for packet: FakeBrokerPacket, from side: Side, _ state: inout State
    ) -> Fault {
        let isPublish = packet.kind == .publish && packet.publishQoS > 0
        guard state.rest > 0, isPublish || packet.kind == .puback,
            Int.random(in: 0..<4, using: &state.generator) == 0
        else { return .none }
        state.rest -= 1
        let faults: [Fault] =
            isPublish
            ? [.duplicate, .holdBack, .cutBefore, .cutAfter] : [.drop, .cutBefore, .cutAfter]
        return faults.randomElement(using: &state.generator) ?? .none
    }
}
