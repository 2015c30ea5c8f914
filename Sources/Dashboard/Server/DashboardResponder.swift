internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Takes requests from the web server and gives it what the site answers.
struct DashboardResponder: HTTPResponder {
    typealias Context = BasicRequestContext

    /// The size of the largest form in bytes. The largest one is a command with all its fields.
    static let largestForm = 64 << 10

    let site: DashboardSite

    func respond(to request: Request, context: Context) async throws -> Response {
        guard var page = PageRequest(request) else { return refusal(.methodNotAllowed) }
        if page.method == .post {
            guard request.isForm else { return refusal(.unsupportedMediaType) }
            guard let body = try? await request.body.collect(upTo: Self.largestForm) else {
                return refusal(.contentTooLarge)
            }
            page.form = FormValues(String(buffer: body))
        }
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
            // A browser that has gone away ends it; what could not be sent is of no interest then.
            try? await request.body.consumeWithInboundCloseHandler { _ in
                var events = feed.events(watcher)
                while let event = try await events.next() {
                    try await writer.write(ByteBuffer(string: event))
                }
            } onInboundClosed: {
                watcher.end()
            }
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
        host = request.head.authority
        origin = headers[.origin]
        fetchSite = headers[HTTPField.Name.fetchSite]
        acceptLanguage = headers[.acceptLanguage]
        lastEventID = headers[HTTPField.Name.lastEventID]
        cookies = Self.cookies(headers[.cookie] ?? "")
    }
}

extension Request {
    fileprivate var isForm: Bool {
        let type = headers[.contentType]?.split(separator: ";").first?.lowercased()
        return type?.filter { $0 != " " } == "application/x-www-form-urlencoded"
    }
}

extension HTTPField.Name {
    fileprivate static let fetchSite = HTTPField.Name("Sec-Fetch-Site") ?? .origin
    fileprivate static let lastEventID = HTTPField.Name("Last-Event-ID") ?? .origin
}
