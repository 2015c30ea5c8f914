internal import NIOCore
internal import NIOHTTP1

/// Gives a request whose target is a whole URL the host of that URL in place of its header `Host`, as RFC 9112
/// (3.2.2) asks: the web server passes on the path of such a target only.
final class TargetHost: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data), !head.uri.hasPrefix("/"),
            head.headers["Host"].count == 1
        else { return context.fireChannelRead(data) }
        // Nothing is served for an empty host.
        head.headers.replaceOrAdd(name: "Host", value: Self.host(in: head.uri) ?? "")
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    /// The host and port that a URL names.
    private static func host(in url: String) -> String? {
        guard
            let scheme = ["http://", "https://"].first(where: { url.lowercased().hasPrefix($0) })
        else { return nil }
        return String(url.dropFirst(scheme.count).prefix { !"/?#".contains($0) })
    }
}
