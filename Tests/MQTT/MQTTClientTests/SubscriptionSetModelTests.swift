import TestSupport
import Testing

@testable import MQTTClient

/// Random subscriptions, answers, connections and messages, against a broker and an index without any cleverness.
@Suite struct SubscriptionSetModelTests {
    @Test(arguments: 0..<40 as Range<UInt64>)
    func everySubscriptionGetsWhatItAskedFor(seed: UInt64) throws {
        var world = try SubscriptionWorld(seed: seed)
        for _ in 0..<100 {
            try world.step()
            try world.checkWhileUnsettled()
        }
        world.settle()
        try world.checkSettled()
        world.removeEverything()
        world.settle()
        #expect(world.broker.isEmpty, "\(world.broker.keys)")
        #expect(world.set.isEmpty && world.set.isSettled && world.set.surplus.isEmpty)
    }
}

/// A set of subscriptions, the broker's session, and what a naive client would know.
private struct SubscriptionWorld {
    var set = SubscriptionSet()
    /// What the broker's session has.
    var broker: [MQTTTopicFilter: MQTTSubscriptionRequest] = [:]
    private var subscriptions: [UInt64: [MQTTSubscriptionRequest]] = [:]
    /// Requests and UNSUBSCRIBEs on their way, in order.
    private var packets: [Packet] = []
    private var lastSubscription: UInt64 = 0
    private var generator: SeededGenerator
    private let topics: [MQTTTopic]
    private let filters: [MQTTTopicFilter]
    private let address: MQTTBrokerAddress
    private let offersIdentifiers: Bool
    private var isForeign = false

    private enum Packet {
        case subscribe([FilterRequest])
        case unsubscribe([MQTTTopicFilter])
    }

    init(seed: UInt64) throws {
        generator = SeededGenerator(seed: seed)
        offersIdentifiers = seed % 3 > 0
        address = try MQTTBrokerAddress(host: "broker")
        topics = try ["a", "a/b", "a/b/c", "b", "b/a", "$SYS/a", "/a", "a/"].map {
            try MQTTTopic($0)
        }
        filters = try [
            "a", "a/b", "a/b/c", "b/a", "+", "#", "+/#", "a/+", "+/b", "a/#", "a/b/#", "+/+/c",
            "$SYS/a",
            "$SYS/#", "$SYS/+", "/+", "$share/g/a/+", "$share/g/a/b", "$share/h/#",
        ].map { try MQTTTopicFilter($0) }
        connect(isKept: false)
    }

    // MARK: Steps

    mutating func step() throws {
        switch Int.random(in: 0..<12, using: &generator) {
        case 0..<4: subscribe()
        case 4..<6: unsubscribe()
        case 6..<10: deliverPacket()
        case 10: reconnect()
        default: settle()
        }
    }

    private mutating func subscribe() {
        lastSubscription += 1
        let requests = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
            MQTTSubscriptionRequest(
                filters.randomElement(using: &generator) ?? filters[0],
                qos: Bool.random(using: &generator) ? .atLeastOnce : .atMostOnce,
                retainAsPublished: Int.random(in: 0..<4, using: &generator) == 0)
        }
        subscriptions[lastSubscription] = requests
        let isReplaying = Bool.random(using: &generator)
        send(set.add(lastSubscription, requests, replaying: isReplaying))
    }

    private mutating func unsubscribe() {
        guard let number = subscriptions.keys.sorted().randomElement(using: &generator) else {
            return
        }
        remove(number)
    }

    private mutating func remove(_ number: UInt64) {
        subscriptions[number] = nil
        send(set.remove(number).requests)
        sendSurplus()
    }

    mutating func removeEverything() {
        for number in subscriptions.keys.sorted() { remove(number) }
    }

    private mutating func send(_ requests: [FilterRequest]) {
        if !requests.isEmpty { packets.append(.subscribe(requests)) }
    }

    private mutating func sendSurplus() {
        if !set.surplus.isEmpty { packets.append(.unsubscribe(set.takeSurplus())) }
    }

    /// The broker handles a packet, and its answer comes back.
    private mutating func deliverPacket() {
        guard !packets.isEmpty else { return }
        switch packets.removeFirst() {
        case .unsubscribe(let filters):
            for filter in filters { broker[filter] = nil }
        case .subscribe(let requests):
            let reasons = requests.map { request -> MQTTReasonCode in
                guard Int.random(in: 0..<15, using: &generator) > 0 else {
                    broker[request.filter] = nil
                    return .notAuthorized
                }
                broker[request.filter] = request.request
                return .grantedQoS1
            }
            send(set.answered(requests, reasons))
            sendSurplus()
        }
    }

    mutating func settle() {
        while !packets.isEmpty { deliverPacket() }
    }

    /// Some of the packets under way have reached the broker, whose answers are lost.
    private mutating func reconnect() {
        for packet in packets.prefix(Int.random(in: 0...packets.count, using: &generator)) {
            switch packet {
            case .subscribe(let requests):
                for request in requests { broker[request.filter] = request.request }
            case .unsubscribe(let filters):
                for filter in filters { broker[filter] = nil }
            }
        }
        for case .unsubscribe(let filters) in packets { set.notUnsubscribed(filters) }
        connect(isKept: Bool.random(using: &generator))
    }

    private mutating func connect(isKept: Bool) {
        packets = []
        if !isKept { broker = [:] }
        let missing = set.connected(
            to: address, isSessionPresent: isKept, offersIdentifiers: offersIdentifiers)
        sendSurplus()
        send(missing)
    }

    // MARK: Checks

    /// What holds at any time: no message reaches who has no filter for it, nor brings two identifiers.
    func checkWhileUnsettled() throws {
        for topic in topics {
            let matching = broker.values.filter { $0.filter.matches(topic) }
            try check(matching.count { $0.identifier != nil } <= 1, "\(topic): \(matching)")
            for copy in matching.map(\.identifier) + [nil] {
                let received = recipients(topic, copy)
                let wanted = subscribers(to: topic)
                // An identifier may still name a filter of before.
                try check(received.isSubset(of: wanted), "\(topic) \(copy ?? 0)")
            }
        }
    }

    /// When all is answered, every subscription gets its messages whether the broker sends one copy for all
    /// filters or one for each; and none comes for a filter that another one covers with the same options.
    func checkSettled() throws {
        try #require(set.isSettled)
        for topic in topics {
            let matching = broker.values.filter { $0.filter.matches(topic) }
            let refused = Set(set.refused.keys)
            let wanted = subscriptions.filter { _, requests in
                requests.contains { request in
                    !refused.contains(request.filter) && request.filter.matches(topic)
                }
            }
            let plain = matching.filter { !$0.filter.isShared }
            let perFilter = matching.map { recipients(topic, $0.identifier) }
            let merged =
                plain.isEmpty
                ? [] : recipients(topic, plain.compactMap(\.identifier).first)
            for (number, requests) in wanted {
                let isPlain = requests.contains {
                    !$0.filter.isShared && !refused.contains($0.filter) && $0.filter.matches(topic)
                }
                try check(perFilter.contains { $0.contains(number) }, "\(topic) \(requests)")
                if isPlain { try check(merged.contains(number), "\(topic) \(requests)") }
            }
        }
        for (filter, request) in broker where !filter.isShared {
            for (other, wider) in broker where filter != other && !other.isShared {
                let isSame =
                    wider.qos == request.qos
                    && wider.retainAsPublished == request.retainAsPublished
                let tree = tree(of: other)
                try check(
                    !isSame || tree.values(.covering, filter).isEmpty, "\(other) covers \(filter)")
            }
        }
    }

    /// Without the cost of an expectation for each of many thousands.
    private func check(_ holds: Bool, _ what: @autoclosure () -> String) throws {
        if !holds { throw TestSupportError(what()) }
    }

    private func tree(of filter: MQTTTopicFilter) -> TopicFilterTree<UInt32> {
        var tree = TopicFilterTree<UInt32>()
        tree.insert(1, under: filter)
        return tree
    }

    private func subscribers(to topic: MQTTTopic) -> Set<UInt64> {
        Set(subscriptions.filter { $1.contains { $0.filter.matches(topic) } }.keys)
    }

    private func recipients(_ topic: MQTTTopic, _ identifier: UInt32?) -> Set<UInt64> {
        var set = set
        var message = MQTTMessage(topic: topic, payload: [])
        message.properties.subscriptionIdentifiers = identifier.map { [$0] } ?? []
        var received: Set<UInt64> = []
        set.forEachRecipient(of: message) { received.insert($0) }
        return received
    }
}
