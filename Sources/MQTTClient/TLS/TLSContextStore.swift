/// The TLS contexts of a loop, and the connections that wait for one. Contexts are kept until the loop
/// ends, so that reconnecting reads no file.
struct TLSContextStore {
    private var contexts: [TLSIdentity: TLSContext] = [:]
    private var waiting: [TLSIdentity: [ConnectionTable.Reference]] = [:]

    /// How many contexts there are.
    var count: Int { contexts.count }

    /// The context of an identity, if it was created.
    subscript(identity: TLSIdentity) -> TLSContext? { contexts[identity] }

    /// Adds a waiting connection. True for the first one, which must create the context.
    mutating func wait(_ reference: ConnectionTable.Reference, for identity: TLSIdentity) -> Bool {
        waiting[identity, default: []].append(reference)
        return waiting[identity]?.count == 1
    }

    /// The context was created, or could not be. Returns the waiting connections.
    mutating func finish(
        _ identity: TLSIdentity, _ context: TLSContext?
    ) -> [ConnectionTable.Reference] {
        if let context { contexts[identity] = context }
        return waiting.removeValue(forKey: identity) ?? []
    }
}
