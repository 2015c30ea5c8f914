/// What several connections of a loop look for together: TLS contexts and the addresses of hosts.
extension EventLoopCore {
    /// Creates the context of an identity if it is missing, or if its files have changed, on a thread of its own,
    /// because files are read.
    /// Returns false if the connection must wait for ``MQTTConnectionDriver/tlsPrepared(_:_:)``.
    func prepareTLS(
        _ identity: TLSIdentity, for reference: ConnectionTable.Reference, on loop: MQTTEventLoop
    ) -> Bool {
        guard !tlsContexts.isCurrent(identity) else { return true }
        guard tlsContexts.wait(reference, for: identity) else { return false }
        TLSContext.make(identity) { result in
            loop.execute { loop.core.tlsPrepared(identity, result) }
        }
        return false
    }

    /// A context was created, or could not be.
    private func tlsPrepared(_ identity: TLSIdentity, _ result: Result<TLSContext, MQTTError>) {
        let (context, error): (TLSContext?, MQTTError?) =
            switch result {
            case .success(let context): (context, nil)
            case .failure(let error): (nil, error)
            }
        let (waiting, isUsable) = tlsContexts.finish(identity, context)
        for reference in waiting {
            connections[reference]?.tlsPrepared(identity, isUsable ? nil : error)
        }
    }

    /// Finds the addresses of a host; ``MQTTConnectionDriver/resolved(_:_:)`` gets them.
    func lookUp(
        _ host: String, for reference: ConnectionTable.Reference, on loop: MQTTEventLoop
    ) {
        if HostResolver.isNumeric(host) {
            connections[reference]?.resolved(host, .success([host]))
            return
        }
        guard lookups.begin(host, for: reference) else { return }
        lookups.find(host) { result in loop.execute { loop.core.resolved(host, result) } }
    }

    /// The addresses of a host that was looked up.
    private func resolved(_ host: String, _ result: Result<[String], MQTTError>) {
        for reference in lookups.end(host) {
            connections[reference]?.resolved(host, result)
        }
    }
}
