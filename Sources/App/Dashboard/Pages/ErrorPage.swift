internal import Markup

/// A page that says why there is no other one.
struct ErrorPage: Sendable {
    let frame: PageFrame
    let title: Phrase
    let text: String

    func render() -> HTML {
        let texts = frame.texts
        return frame.page(title: texts[title]) {
            element("h1", text: texts[title])
            element("p", text: text)
            element("p") {
                element("a", .class("button"), .href("/"), text: texts[.backHome])
            }
        }
    }
}
