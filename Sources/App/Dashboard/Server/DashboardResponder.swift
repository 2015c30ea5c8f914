internal import HTTPTypes
internal import Hummingbird
internal import Markup
internal import NIOCore
internal import NIOHTTP1

/// Takes requests from the web server and gives it what the site answers.
struct DashboardResponder: HTTPResponder {
    typealias Context = DashboardContext

    /// The size of the largest form in bytes. The largest one is a command with all its fields.
    static let largestForm = 64 << 10

    let site: DashboardSite
    let connections: OpenConnections

    func respond(to request: Request, context: Context) async throws -> Response {
        // What follows could be its body or another request, so this error ends the connection.
        guard request.hasKnownLength else { throw HTTPParserError.unknown }
        guard var page = PageRequest(request) else { return refusal(.methodNotAllowed) }
        page.peer = PeerAddress(context.channel.remoteAddress).text
        if page.method == .post {
            guard request.isForm else { return refusal(.unsupportedMediaType) }
            guard let body = try? await request.body.collect(upTo: Self.largestForm) else {
                return refusal(.contentTooLarge)
            }
            page.form = FormValues(String(buffer: body))
        }
        connections.answer(context.channel, isVisitor: await site.isVisitor(page))
        defer { connections.awaitNext(context.channel) }
        let answer = await site.respond(to: page)
        guard case .events(let feed) = answer.content else {
            return response(answer, hasBody: page.method != .head)
        }
        return events(feed, answer, request)
    }

    private func refusal(_ status: HTTPResponse.Status) -> Response {
        Response(status: status, headers: headers([]))
    }

    private func response(_ answer: PageResponse, hasBody: Bool) -> Response {
        var fields = headers(answer.headers)
        let bytes: ByteBuffer
        switch answer.content {
        case .empty, .events: bytes = ByteBuffer()
        case .page(let page):
            fields[.contentType] = "text/html; charset=utf-8"
            bytes = ByteBuffer(string: page.markup)
        case .table(let text, _):
            fields[.contentType] = "text/csv; charset=utf-8"
            bytes = ByteBuffer(string: text)
        case .asset(let asset):
            fields[.contentType] = asset.type
            bytes = ByteBuffer(bytes: asset.bytes)
        }
        let body = hasBody ? ResponseBody(byteBuffer: bytes) : ResponseBody()
        return Response(
            status: HTTPResponse.Status(code: answer.status), headers: fields, body: body)
    }

    private func events(
        _ feed: EventFeed, _ answer: PageResponse, _ request: Request
    ) -> Response {
        var fields = headers(answer.headers)
        fields[.contentType] = "text/event-stream"
        fields[.cacheControl] = "no-store"
        let body = ResponseBody { writer in
            let watcher = await feed.page.watch()
            let follower = feed.sessions.follow(feed.session) { watcher.end() }
            // A browser that has gone away ends it; what could not be sent is of no interest then.
            try? await request.body.consumeWithInboundCloseHandler { _ in
                var events = feed.events(watcher)
                while let event = try await events.next() {
                    try await writer.write(ByteBuffer(string: event))
                }
            } onInboundClosed: {
                watcher.end()
            }
            feed.sessions.unfollow(feed.session, follower)
            await feed.page.leave(watcher)
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: fields, body: body)
    }

    private func headers(_ own: [(name: String, value: String)]) -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in SecurityHeaders.fields + own {
            if let name = HTTPField.Name(name) {
                fields.append(HTTPField(name: name, value: value))
            }
        }
        return fields
    }
}

extension PageRequest {
    /// - Returns: `nil` for a method that nothing here understands.
    fileprivate init?(_ request: Request) {
        let headers = request.headers
        switch request.method {
        case .get: method = .get
        case .head: method = .head
        case .post: method = .post
        default: return nil
        }
        path = request.uri.path
        query = FormValues(request.uri.query ?? "")
        host = request.singleHost
        origin = headers[.origin]
        fetchSite = headers[HTTPField.Name.fetchSite]
        fetchMode = headers[HTTPField.Name.fetchMode]
        acceptLanguage = headers[.acceptLanguage]
        lastEventID = headers[HTTPField.Name.lastEventID]
        cookies = Self.cookies(headers[.cookie] ?? "")
    }
}

extension Request {
    /// Whether it is clear where it ends: the only transfer coding that is understood is `chunked`.
    fileprivate var hasKnownLength: Bool {
        let codings = headers[values: .transferEncoding]
        return codings.allSatisfy { $0.lowercased() == "chunked" } && codings.count <= 1
    }

    /// The host that it is meant for; `nil` where there are two. The first header `Host` is the authority;
    /// another one is left among the headers.
    fileprivate var singleHost: String? {
        headers[values: .furtherHost].isEmpty ? head.authority : nil
    }

    fileprivate var isForm: Bool {
        let type = headers[.contentType]?.split(separator: ";").first?.lowercased()
        return type?.filter { $0 != " " } == "application/x-www-form-urlencoded"
    }
}

extension HTTPField.Name {
    fileprivate static let fetchSite = HTTPField.Name("Sec-Fetch-Site") ?? .origin
    fileprivate static let fetchMode = HTTPField.Name("Sec-Fetch-Mode") ?? .origin
    fileprivate static let furtherHost = HTTPField.Name("Host") ?? .origin
    fileprivate static let lastEventID = HTTPField.Name("Last-Event-ID") ?? .origin
}
