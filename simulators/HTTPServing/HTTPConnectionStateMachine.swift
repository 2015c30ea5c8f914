import NIOCore
import NIOHTTP1

/// What one connection of a server is doing.
struct HTTPConnectionStateMachine {
    /// What its owner has to do.
    enum Action {
        /// Nothing.
        case none
        /// Let a request be answered; ``handle(_:)-(HTTPOutcome)`` tells the result.
        case answer(HTTPRequest)
        /// Send these; ``handleSent()`` tells the end of it.
        case send(HTTPResponseHead, ArraySlice<UInt8>)
        /// The answer is whole: wait for the next request.
        case awaitRequest
        /// The answer is whole, and the last one of the connection.
        case end
        /// Close the connection.
        case close
    }

    private enum State {
        /// The head of a request is awaited.
        case awaiting
        /// A head has come, and so much of its body.
        case reading(HTTPRequestHead, body: [UInt8])
        /// A whole request is answered.
        case answering(keepsConnection: Bool)
        /// An answer is sent.
        case sending(keepsConnection: Bool)
        /// The first half of an answer is sent.
        case breakingOff
        /// The connection is closed.
        case ended
    }

    private let limits: HTTPServerLimits
    private var state = State.awaiting

    init(within limits: HTTPServerLimits) { self.limits = limits }

    /// The head of a request has come.
    mutating func handle(_ head: HTTPRequestHead) -> Action {
        switch state {
        case .awaiting:
            if let status = limits.refusal(of: head) { return refuse(status) }
            state = .reading(head, body: [])
            return .none
        case .reading, .answering, .sending, .breakingOff, .ended: return .none
        }
    }

    /// A part of a body has come.
    mutating func handle(_ bytes: ByteBuffer) -> Action {
        switch state {
        case .reading(let head, let body):
            guard body.count + bytes.readableBytes <= limits.body else {
                return refuse(.payloadTooLarge)
            }
            state = .reading(head, body: body + bytes.readableBytesView)
            return .none
        case .awaiting, .answering, .sending, .breakingOff, .ended: return .none
        }
    }

    /// A request is whole.
    mutating func handleEnd() -> Action {
        switch state {
        case .reading(let head, let body):
            state = .answering(keepsConnection: head.isKeepAlive && limits.keepsConnections)
            return .answer(HTTPRequest(head, body: body))
        case .awaiting, .answering, .sending, .breakingOff, .ended: return .none
        }
    }

    /// What has come is no HTTP/1, or the connection has failed.
    mutating func handle(_ error: any Error) -> Action {
        switch state {
        case .awaiting, .reading:
            switch error as? HTTPParserError {
            case nil, .invalidEOFState:
                state = .ended
                return .close
            case .headerOverflow: return refuse(.requestHeaderFieldsTooLarge)
            case .some: return refuse(.badRequest)
            }
        case .answering, .sending, .breakingOff, .ended: return .none
        }
    }

    /// The client sends nothing more.
    mutating func handleInputClosed() -> Action {
        switch state {
        case .awaiting, .reading:
            state = .ended
            return .close
        case .answering: state = .answering(keepsConnection: false)
        case .sending: state = .sending(keepsConnection: false)
        case .breakingOff, .ended: break
        }
        return .none
    }

    /// It was decided what becomes of the request.
    mutating func handle(_ outcome: HTTPOutcome) -> Action {
        switch state {
        case .answering(let keepsConnection):
            switch outcome {
            case .reply(let reply):
                state = .sending(keepsConnection: keepsConnection)
                return .send(reply.head(closing: !keepsConnection), reply.body[...])
            case .half(let reply):
                state = .breakingOff
                let half = reply.body.prefix(reply.body.count / 2)
                return .send(reply.head(closing: !keepsConnection), half)
            case .nothing:
                state = .ended
                return .close
            }
        case .awaiting, .reading, .sending, .breakingOff, .ended: return .none
        }
    }

    /// The system has taken what was sent.
    mutating func handleSent() -> Action {
        switch state {
        case .sending(keepsConnection: true):
            state = .awaiting
            return .awaitRequest
        case .sending(keepsConnection: false):
            state = .ended
            return .end
        case .breakingOff:
            state = .ended
            return .close
        case .awaiting, .reading, .answering, .ended: return .none
        }
    }

    private mutating func refuse(_ status: HTTPResponseStatus) -> Action {
        state = .sending(keepsConnection: false)
        let text =
            status == .methodNotAllowed
            ? "only \(limits.method.rawValue) is supported"
            : "\(status.code) \(status.reasonPhrase)"
        let reply = HTTPReply(Int(status.code), text: text + "\n")
        return .send(reply.head(closing: true), reply.body[...])
    }
}
