extension SubscriptionSet {
    /// Calls `body` once for each subscription that gets a message. Returns false if there is none.
    ///
    /// The number of a filter is sent in SUBSCRIBE as Subscription Identifier and comes back with the messages,
    /// so that one look-up finds their subscriptions. The wrapped library disconnects if a message has two
    /// identifiers. So of several filters that can match one topic, at most one is sent with its number, and
    /// messages for these filters are matched by topic.
    ///
    /// Mutating, so that the set is not copied for each message.
    @discardableResult
    mutating func forEachRecipient(of message: MQTTMessage, _ body: (UInt64) -> Void) -> Bool {
        let tag = usesIdentifiers ? message.properties.firstSubscriptionIdentifier : nil
        guard let tag, let route = routes[tag] else {
            let matched = tree.values(for: message.topic)
            // The identifier of a removed filter says nothing about the others.
            return deliver(to: matched, isKnown: usesIdentifiers && tag == nil, tag: nil, body)
        }
        guard route.neighbours > 0 else {
            for subscriber in route.subscribers { body(subscriber.subscription) }
            return true
        }
        let others = tree.values(for: message.topic).filter { $0 != tag }
        return deliver(to: [tag] + others, isKnown: true, tag: tag, body)
    }

    /// - Parameter isKnown: whether `tag` says for which filter the broker has sent this copy.
    private func deliver(
        to matched: [UInt32], isKnown: Bool, tag: UInt32?, _ body: (UInt64) -> Void
    ) -> Bool {
        // A shared subscription gets only the messages that the broker chose for it, and noLocal must not
        // be evaded by way of another filter.
        let isStrict =
            isKnown
            && matched.compactMap { routes[$0] }.contains { $0.isShared || $0.request.noLocal }
        var served: Set<UInt64> = []
        for number in matched {
            guard let route = routes[number] else { continue }
            if isStrict {
                // Every message for a filter that the broker has with an identifier brings it. Without one
                // there is a message for a group only if the broker has chosen it.
                let isTold = route.isTagged && route.isGranted
                guard isTold ? tag == number : !route.isShared || tag == nil else { continue }
            }
            for (number, _) in route.subscribers where served.insert(number).inserted {
                body(number)
            }
        }
        return !matched.isEmpty
    }
}
