import Instrumentation
import MQTTClient
import TestSupport
import Testing

/// Trace contexts in user properties. The only suite that sets the process's instrument.
@Suite(.timeLimit(.minutes(1)))
struct TracingTests {
    init() {
        _ = Self.bootstrapped
    }

    private static let bootstrapped: Void = InstrumentationSystem.bootstrap(TestInstrument())

    @Test func theContextOfThePublisherReachesTheReceiver() async throws {
        try await withBroker { broker in
            try await withClient(broker.port) { client in
                let subscription = try await client.subscribe(to: [.test("a")])
                var context = ServiceContext.topLevel
                context[TraceKey.self] = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
                context[StateKey.self] = "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"
                try await ServiceContext.withValue(context) {
                    _ = try await client.publish(.test("a"))
                    await client.publishWithoutWaiting(try .test("a"))
                    _ = try await client.publish(contentsOf: [.test("a"), .test("a")])
                }
                var messages = subscription.makeAsyncIterator()
                for _ in 1...4 {
                    let message = try #require(try await messages.next())
                    #expect(message.properties["traceparent"] == context[TraceKey.self])
                    #expect(message.properties["tracestate"] == context[StateKey.self])
                    #expect(message.serviceContext()[TraceKey.self] == context[TraceKey.self])
                    #expect(message.serviceContext()[StateKey.self] == context[StateKey.self])
                }
            }
        }
    }

    @Test func withoutAContextNothingIsAdded() async throws {
        try await withBroker { broker in
            try await withClient(broker.port) { client in
                let subscription = try await client.subscribe(to: [.test("a")])
                try await client.publish(.test("a"))
                var messages = subscription.makeAsyncIterator()
                let message = try #require(try await messages.next())
                #expect(message.properties.userProperties.isEmpty)
                #expect(message.serviceContext()[TraceKey.self] == nil)
            }
        }
    }

    @Test func aForwardedMessageCarriesTheNewContextOnce() throws {
        var message = try MQTTMessage.test("a")
        message.properties.userProperties = [
            .init(name: "traceparent", value: "old"), .init(name: "other", value: "kept"),
            .init(name: "tracestate", value: "old=1"),
        ]
        var context = ServiceContext.topLevel
        context[TraceKey.self] = "new"
        context[StateKey.self] = "new=1"
        message.inject(context)
        #expect(
            message.properties.userProperties == [
                .init(name: "other", value: "kept"), .init(name: "traceparent", value: "new"),
                .init(name: "tracestate", value: "new=1"),
            ])
    }

    @Test func theContextComesOnTopOfTheGivenOne() throws {
        var message = try MQTTMessage.test("a")
        message.properties.userProperties = [.init(name: "traceparent", value: "theirs")]
        var own = ServiceContext.topLevel
        own[OtherKey.self] = "mine"
        let context = message.serviceContext(over: own)
        #expect(context[TraceKey.self] == "theirs")
        #expect(context[OtherKey.self] == "mine")
    }
}

private enum TraceKey: InstrumentationContextKey {
    typealias Value = String
}

private enum StateKey: InstrumentationContextKey {
    typealias Value = String
}

private enum OtherKey: InstrumentationContextKey {
    typealias Value = String
}

/// Passes both headers on, as a tracer does with W3C Trace Context.
private struct TestInstrument: Instrument {
    func inject<Carrier, Inject: Injector>(
        _ context: InstrumentationContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let value = context[TraceKey.self] else { return }
        injector.inject(value, forKey: "traceparent", into: &carrier)
        guard let state = context[StateKey.self] else { return }
        injector.inject(state, forKey: "tracestate", into: &carrier)
    }

    func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout InstrumentationContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
        if let value = extractor.extract(key: "traceparent", from: carrier) {
            context[TraceKey.self] = value
        }
        if let state = extractor.extract(key: "tracestate", from: carrier) {
            context[StateKey.self] = state
        }
    }
}
