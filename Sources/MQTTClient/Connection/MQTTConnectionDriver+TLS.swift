/// The TLS context that a connection needs before it can start.
extension MQTTConnectionDriver {
    /// The configuration and server name of the context; nil without TLS.
    private var tlsIdentity: TLSIdentity? {
        configuration.security.tls?.identity(for: broker.host)
    }

    /// The context that ``prepareTLS()`` made available.
    var tlsContext: TLSContext? { tlsIdentity.flatMap { core.tlsContexts[$0] } }

    /// Creates the context if it is needed and missing, or if its files have changed, on a thread of its own,
    /// because files are read.
    /// Returns false if the connection must wait for ``tlsPrepared(_:)``.
    func prepareTLS() -> Bool {
        guard let identity = tlsIdentity, !core.tlsContexts.isCurrent(identity) else { return true }
        guard core.tlsContexts.wait(reference, for: identity) else { return false }
        TLSContext.make(identity) { [loop] result in
            loop.execute { loop.core.tlsPrepared(identity, result) }
        }
        return false
    }

    /// The context of that identity was created, or cannot be.
    func tlsPrepared(_ identity: TLSIdentity, _ error: MQTTError?) {
        // The result may be for an earlier attempt at another broker.
        guard case .resolving = machine.state, identity == tlsIdentity else { return }
        if let error { fail(error) } else { lookUp() }
    }

    /// Fails instead of connecting in plaintext if TLS is configured.
    func requireTLSContext() throws(MQTTError) {
        guard tlsIdentity != nil, tlsContext == nil else { return }
        throw MQTTError(
            .tlsConfiguration, "TLS to \(broker) is not prepared", isRetriable: true)
    }
}

extension EventLoopCore {
    /// A context was created, or could not be.
    func tlsPrepared(_ identity: TLSIdentity, _ result: Result<TLSContext, MQTTError>) {
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
}
