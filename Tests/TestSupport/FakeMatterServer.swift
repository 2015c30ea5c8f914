internal import Basics

/// A Matter server that a test scripts: it greets, lists nodes, and answers as it is told.
package final class FakeMatterServer: Sendable {
    /// A request of a client.
    package struct Request: Hashable, Sendable {
        /// The id by which it is answered.
        package let id: String
        /// Such as `device_command`.
        package let command: String
        /// The whole text.
        package let text: String
    }

    /// Answers a request: texts that are sent in this order. `nil` hangs up.
    package typealias Script = @Sendable (Request) -> [String]?

    private struct State {
        var nodes: [String]
        var greeting: String?
        var requests: [Request] = []
        var peers: [WebSocketPeer] = []
        var script: Script
    }

    private let state: Guarded<State>
    private let server = Guarded<WebSocketServer?>(nil)

    /// The port that it listens on.
    package let port: UInt16

    /// The URL of a channel.
    package var url: String { "ws://127.0.0.1:\(port)/ws" }

    /// What a server of a schema says first.
    package static func greeting(schema: Int, oldest: Int) -> String {
        """
        {"fabric_id":1,"compressed_fabric_id":12345678901234567890,"schema_version":\(schema),\
        "min_supported_schema_version":\(oldest),"sdk_version":"2025.7.0",\
        "wifi_credentials_set":false,"thread_credentials_set":false,"bluetooth_enabled":false}
        """
    }

    /// Starts to listen.
    /// - Parameters:
    ///   - greeting: the first message; `nil` for none.
    ///   - nodes: the JSON of each node.
    ///   - script: answers everything but `start_listening`; by default with the result null.
    package init(
        on port: UInt16 = 0, greeting: String? = FakeMatterServer.greeting(schema: 11, oldest: 9),
        nodes: [String], script: @escaping Script = { [FakeMatterServer.result("null", of: $0)] }
    ) throws(TestSupportError) {
        state = Guarded(State(nodes: nodes, greeting: greeting, script: script))
        self.port = try port == 0 ? freePort() : port
        try start()
    }

    /// Listens, also again after ``stop()``.
    package func start() throws(TestSupportError) {
        let server = try WebSocketServer(on: port) { [weak self] peer in
            guard let self else { return }
            let greeting = state.withLock { state in
                state.peers.append(peer)
                return state.greeting
            }
            if let greeting { peer.send(greeting) }
        } received: { [weak self] peer, text in
            self?.received(text, from: peer)
        }
        self.server.withLock { $0 = server }
    }

    /// Ends every connection and stops to listen.
    package func stop() {
        let server = self.server.withLock { server in
            defer { server = nil }
            return server
        }
        server?.stop()
        state.withLock { $0.peers = [] }
    }

    /// Ends every connection, and takes new ones.
    package func hangUp() {
        let peers = state.withLock { state in
            defer { state.peers = [] }
            return state.peers
        }
        for peer in peers { peer.hangUp() }
    }

    /// Every request so far but `start_listening`.
    package var requests: [Request] {
        state.withLock { $0.requests.filter { $0.command != "start_listening" } }
    }

    /// How often a client has asked for all nodes.
    package var listings: Int {
        state.withLock { $0.requests.count { $0.command == "start_listening" } }
    }

    /// Changes what the next listing has.
    package func setNodes(_ nodes: [String]) { state.withLock { $0.nodes = nodes } }

    /// Sends a text to every client.
    package func send(_ text: String) {
        for peer in state.withLock({ $0.peers }) { peer.send(text) }
    }

    /// Reports the value of an attribute.
    package func report(_ node: String, _ path: String, _ value: String) {
        send(Self.report(node, path, value))
    }

    private func received(_ text: String, from peer: WebSocketPeer) {
        let request = Request(
            id: Self.member("message_id", of: text), command: Self.member("command", of: text),
            text: text)
        let (nodes, script) = state.withLock { state in
            state.requests.append(request)
            return (state.nodes, state.script)
        }
        if request.command == "start_listening" {
            peer.send(
                Self.result("[\(nodes.joined(separator: ","))]", of: request), inPartsOf: 60_000)
            return
        }
        guard let answers = script(request) else { return peer.hangUp() }
        for answer in answers { peer.send(answer) }
    }

    // MARK: Texts

    /// A success.
    package static func result(_ value: String, of request: Request) -> String {
        #"{"message_id":"\#(request.id)","result":\#(value)}"#
    }

    /// An error.
    package static func failure(_ code: Int, _ details: String, of request: Request) -> String {
        #"{"message_id":"\#(request.id)","error_code":\#(code),"details":"\#(details)"}"#
    }

    /// The report of an attribute.
    package static func report(_ node: String, _ path: String, _ value: String) -> String {
        #"{"event":"attribute_updated","data":[\#(node),"\#(path)",\#(value)]}"#
    }

    /// A node.
    package static func node(
        _ id: String, available: Bool = true, isBridge: Bool = false, _ attributes: String
    ) -> String {
        """
        {"node_id":\(id),"date_commissioned":"2025-01-01T00:00:00","last_interview":\
        "2025-01-01T00:00:00","interview_version":6,"available":\(available),\
        "is_bridge":\(isBridge),"attributes":{\(attributes)},"attribute_subscriptions":[]}
        """
    }

    private static func member(_ name: String, of text: String) -> String {
        guard let start = text.firstRange(of: "\"\(name)\":\"") else { return "" }
        return String(text[start.upperBound...].prefix { $0 != "\"" })
    }
}
