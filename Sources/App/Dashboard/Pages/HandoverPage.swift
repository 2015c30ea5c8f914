internal import Markup

/// Leads a browser that has shown a token to the host name of its own that the dashboard has.
///
/// It is a page rather than a redirection because a script of it remembers the name, in storage that belongs to
/// this port alone. The address without the name then leads to the dashboard in this browser.
struct HandoverPage: Sendable {
    let frame: PageFrame
    /// The host with its port.
    let host: String
    let token: String

    /// The head of a page that leads on where the browser remembers the name.
    static var follower: HTML {
        element("script", .init("src", Asset.entrance.path), .init("defer")) {}
    }

    private var address: String { "http://\(host)/?token=\(token)" }

    func render() -> HTML {
        var frame = frame
        frame.entrance = .joined([
            Self.follower,
            element("noscript") {
                void(
                    "meta", .init("http-equiv", "refresh"), .init("content", "0; url=\(address)"))
            },
        ])
        return frame.page(title: frame.texts[.handoverTitle]) {
            element("h1", text: frame.texts[.handoverTitle])
            element("p", .class("muted"), text: frame.texts[.handoverText])
            element("p") {
                element(
                    "a", .class("button"), .id("own-host"), .init("href", address),
                    text: frame.texts[.handoverLink])
            }
        }
    }
}
