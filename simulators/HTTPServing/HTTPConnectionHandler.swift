import NIOCore
import NIOHTTP1

/// Carries out what ``HTTPConnectionStateMachine`` says for one connection, on its event loop. An
/// ``HTTPOutcome`` comes as an outbound event.
final class HTTPConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = HTTPServerResponsePart

    private var machine: HTTPConnectionStateMachine
    private let connections: ClientConnections
    private let source: AsyncStream<HTTPExchange>.Continuation

    init(
        within limits: HTTPServerLimits, among connections: ClientConnections,
        _ source: AsyncStream<HTTPExchange>.Continuation
    ) {
        machine = HTTPConnectionStateMachine(within: limits)
        self.connections = connections
        self.source = source
    }

    func handlerAdded(context: ChannelHandlerContext) { connections.open(context.channel) }

    func handlerRemoved(context: ChannelHandlerContext) { connections.remove(context.channel) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch Self.unwrapInboundIn(data) {
        case .head(let head): perform(machine.handle(head), context)
        case .body(let bytes): perform(machine.handle(bytes), context)
        case .end: perform(machine.handleEnd(), context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { perform(machine.handleInputClosed(), context) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        perform(machine.handle(error), context)
    }

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        guard let outcome = event as? HTTPOutcome else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        perform(machine.handle(outcome), context, promise)
    }

    private func perform(
        _ action: HTTPConnectionStateMachine.Action, _ context: ChannelHandlerContext,
        _ done: EventLoopPromise<Void>? = nil
    ) {
        switch action {
        case .none: done?.succeed()
        case .answer(let request):
            connections.stopWaiting(context.channel)
            let exchange = HTTPExchange(request: request, channel: context.channel)
            // The server has ended, or its limits have been miscounted.
            guard case .enqueued = source.yield(exchange) else {
                return context.close(promise: nil)
            }
        case .send(let head, let body): send(head, body, context, done)
        case .awaitRequest:
            connections.wait(context.channel)
            // The next request is read from here on, because the client has taken the answer before.
            context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: done)
        case .end:
            context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: nil)
            context.close(promise: nil)
            done?.succeed()
        case .close:
            context.close(promise: nil)
            done?.succeed()
        }
    }

    /// Sends a head and a body, and goes on once the system has taken them.
    private func send(
        _ head: HTTPResponseHead, _ body: ArraySlice<UInt8>, _ context: ChannelHandlerContext,
        _ done: EventLoopPromise<Void>?
    ) {
        connections.wait(context.channel)
        context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
        let bytes = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: body)))
        context.writeAndFlush(Self.wrapOutboundOut(bytes)).assumeIsolated().whenComplete {
            result in
            switch result {
            case .success: self.perform(self.machine.handleSent(), context, done)
            case .failure: self.perform(.close, context, done)
            }
        }
    }
}
