public import Instrumentation

extension MQTTMessage {
    /// Puts the tracing context into the user properties, in the format of the process's instrument (W3C:
    /// `traceparent` and `tracestate`). Replaces an earlier one.
    ///
    /// On MQTT 5 a client does this itself, with the current context of the publishing task. On 3.1.1 user
    /// properties are not sent.
    public mutating func inject(_ context: ServiceContext) {
        InstrumentationSystem.instrument.inject(
            context, into: &properties, using: UserPropertyCarrier())
    }

    /// The tracing context that the publisher put into the user properties, on top of `context`:
    /// `withSpan("handle", context: message.serviceContext(), ofKind: .consumer) { … }`.
    public func serviceContext(over context: ServiceContext = .topLevel) -> ServiceContext {
        var context = context
        InstrumentationSystem.instrument.extract(
            properties, into: &context, using: UserPropertyCarrier())
        return context
    }

    /// The message with the caller's context. Costs two task-local reads if there is no tracing.
    func carryingCurrentContext(_ version: MQTTProtocolVersion) -> MQTTMessage {
        guard version == .v5, let context = ServiceContext.current else { return self }
        var message = self
        message.inject(context)
        return message
    }
}

extension [MQTTMessage] {
    /// The messages with the caller's context, which is looked up once.
    func carryingCurrentContext(_ version: MQTTProtocolVersion) -> Self {
        guard version == .v5, ServiceContext.current != nil else { return self }
        return map { $0.carryingCurrentContext(version) }
    }
}

/// Reads and writes a tracing context as user properties.
struct UserPropertyCarrier: Injector, Extractor {
    func extract(key: String, from properties: MQTTProperties) -> String? {
        properties[key]
    }

    func inject(_ value: String, forKey key: String, into properties: inout MQTTProperties) {
        properties.userProperties.removeAll { $0.name == key }
        properties.userProperties.append(.init(name: key, value: value))
    }
}
