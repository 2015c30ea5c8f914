/// The TLS contexts of a loop, and which connections wait for one to be made. Contexts stay for the
/// life of the loop: reconnecting reads no file.
struct TLSContextStore {
    private var contexts: [TLSIdentity: TLSContext] = [:]
    private var waiting: [TLSIdentity: [ConnectionTable.Reference]] = [:]

    /// How many contexts there are.
    var count: Int { contexts.count }

    /// The context of an identity, if it has been made.
    subscript(identity: TLSIdentity) -> TLSContext? { contexts[identity] }

    /// Lets a connection wait. True for the first one, which has to see to it that the context is made.
    mutating func wait(_ reference: ConnectionTable.Reference, for identity: TLSIdentity) -> Bool {
        waiting[identity, default: []].append(reference)
        return waiting[identity]?.count == 1
    }

    /// The context is made, or could not be: returns who waited.
    mutating func finish(
        _ identity: TLSIdentity, _ context: TLSContext?
    ) -> [ConnectionTable.Reference] {
        if let context { contexts[identity] = context }
        return waiting.removeValue(forKey: identity) ?? []
    }
}
