internal import Markup
internal import SharedPresentation

/// What a page shows where a view model has no content.
struct Placeholder: Sendable {
    let texts: Texts
    /// What is said where there is nothing.
    let empty: HTML

    /// The standing of a state; `nil` where there is content.
    func html<Content>(_ state: ScreenState<Content>) -> HTML? {
        switch state {
        case .loading:
            element("p", .class("muted"), .init("role", "status"), text: texts[.reading])
        case .failed(let failure): Notice(failure, texts).html
        case .empty: empty
        case .content: nil
        }
    }
}

/// A page of which nothing can be shown, and why.
@MainActor
struct FailureScreen: Screen {
    let title: String
    let failure: Failure
    let texts: Texts

    var status: Int { 503 }

    func live() -> LiveContent { LiveContent() }

    func content(_ parts: LiveParts, _ form: FormToken) -> HTML {
        .joined([element("h1", text: title), Notice(failure, texts).html])
    }
}
