/// The TLS contexts of a loop, and the connections that wait for one.
///
/// A context is kept as long as its files do not change, so that reconnecting reads no file. A connection that
/// begins after they have changed, such as by the rotation of a certificate, gets a new one.
struct TLSContextStore {
    private var contexts: [TLSIdentity: TLSContext] = [:]
    private var waiting: [TLSIdentity: [ConnectionTable.Reference]] = [:]
    /// Contexts whose files have changed. OpenSSL calls them for connections that began with them.
    private var replaced: [TLSContext] = []

    /// How many contexts there are.
    var count: Int { contexts.count }

    /// The newest context of an identity, if one was created.
    subscript(identity: TLSIdentity) -> TLSContext? { contexts[identity] }

    /// Whether there is a context that was made from the files as they are.
    func isCurrent(_ identity: TLSIdentity) -> Bool {
        contexts[identity]?.stamp == TLSFileStamp(identity.configuration)
    }

    /// Adds a waiting connection. True for the first one, which must create the context.
    mutating func wait(_ reference: ConnectionTable.Reference, for identity: TLSIdentity) -> Bool {
        waiting[identity, default: []].append(reference)
        return waiting[identity]?.count == 1
    }

    /// The context was created, or could not be; then an earlier one stays in use.
    /// - Returns: the waiting connections, and whether there is a context for them.
    mutating func finish(
        _ identity: TLSIdentity, _ context: TLSContext?
    ) -> (waiting: [ConnectionTable.Reference], isUsable: Bool) {
        if let context {
            if let old = contexts.updateValue(context, forKey: identity) { replaced.append(old) }
        }
        return (waiting.removeValue(forKey: identity) ?? [], contexts[identity] != nil)
    }
}
