/// What a connection by TLS needs before it may begin.
extension MQTTConnectionDriver {
    /// What the context is made from; nil without TLS.
    private var tlsIdentity: TLSIdentity? {
        configuration.security.tls?.identity(for: broker.host)
    }

    /// The context that ``prepareTLS()`` has seen to.
    var tlsContext: TLSContext? { tlsIdentity.flatMap { core.tlsContexts[$0] } }

    /// Has the context made, if it is needed and missing, on a thread of its own: files are read. False
    /// if the connection must wait for ``tlsPrepared(_:)``.
    func prepareTLS() -> Bool {
        guard let identity = tlsIdentity, core.tlsContexts[identity] == nil else { return true }
        guard core.tlsContexts.wait(reference, for: identity) else { return false }
        TLSContext.make(identity) { [loop] result in
            loop.execute { loop.core.tlsPrepared(identity, result) }
        }
        return false
    }

    /// The context of that identity is there, or cannot be made.
    func tlsPrepared(_ identity: TLSIdentity, _ error: MQTTError?) {
        // What an earlier attempt asked for, at another broker, may come late.
        guard case .resolving = machine.state, identity == tlsIdentity else { return }
        if let error { fail(error) } else { lookUp() }
    }

    /// Nothing goes out in the clear where TLS was asked for.
    func requireTLSContext() throws(MQTTError) {
        guard tlsIdentity != nil, tlsContext == nil else { return }
        throw MQTTError(
            .tlsConfiguration, "TLS to \(broker) is not prepared", isRetriable: true)
    }
}

extension EventLoopCore {
    /// A context was made, or could not be.
    func tlsPrepared(_ identity: TLSIdentity, _ result: Result<TLSContext, MQTTError>) {
        let (context, error): (TLSContext?, MQTTError?) =
            switch result {
            case .success(let context): (context, nil)
            case .failure(let error): (nil, error)
            }
        for reference in tlsContexts.finish(identity, context) {
            connections[reference]?.tlsPrepared(identity, error)
        }
    }
}
