internal import DeviceDomain
internal import Markup

/// A page of the home: the parts that change by themselves, and what stands around them.
@MainActor
protocol Screen {
    /// The title in the browser.
    var title: String { get }
    /// The status of HTTP of the page.
    var status: Int { get }
    /// The parts that are replaced when they change. They are the same for every browser of a language.
    func live() -> LiveContent
    /// The page stays open: reads again what other processes may have changed, and no other page shows.
    func readAgain() async
    /// The whole content, with the live parts in their places.
    func content(_ parts: LiveParts, _ form: FormToken) -> HTML
}

extension Screen {
    var status: Int { 200 }
    func readAgain() async {}
}

/// The live parts of a page by their names.
struct LiveParts: Sendable {
    private let parts: [String: LivePart]

    init(_ content: LiveContent) {
        parts = Dictionary(content.parts.map { ($0.id, $0) }) { first, _ in first }
    }

    /// A part in its element.
    func callAsFunction(
        _ id: String, _ element: StaticString = "div", _ attributes: HTMLAttribute...
    ) -> HTML {
        guard let part = parts[id] else { return .empty }
        return .element(element, HTMLAttribute.live(id) + attributes, part.content)
    }
}

/// Makes forms that prove that they come from a page of this browser.
struct FormToken: Sendable {
    let token: String

    /// A form that is sent to a path.
    func form(
        _ path: String, _ attributes: HTMLAttribute..., @HTMLBuilder content: () -> HTML
    ) -> HTML {
        .element(
            "form", [.init("method", "post"), .action(path)] + attributes,
            .joined([hiddenField, content()]))
    }

    /// The empty form to which buttons in live parts belong: these know no browser.
    var shared: HTML { form("/", .id(ActionButton.form)) {} }

    private var hiddenField: HTML {
        void(
            "input", .init("type", "hidden"), .init("name", DashboardSite.formToken),
            .init("value", token))
    }
}

/// A button in a live part.
struct ActionButton: Sendable {
    /// The form that it belongs to.
    static let form = "act"

    let text: String
    let path: String
    var style = "little"
    /// What assistive programs read, where the text alone does not say what it is about.
    var label: String?
    var icon: Icon?

    var html: HTML {
        element(
            "button",
            [
                .class(style), .init("form", Self.form),
                .init("formaction", LocalPath(path).text),
            ] + (label.map { [.label($0)] } ?? [])
        ) {
            icon?.svg
            element("span", text: text)
        }
    }
}
