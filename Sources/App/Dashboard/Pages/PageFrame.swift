internal import DeviceControlPresentation
internal import Markup

/// What surrounds every page: the head, the bar with the pages, and the foot.
struct PageFrame: Sendable {
    /// An entry of the bar.
    struct Entry: Hashable, Sendable {
        let name: String
        let icon: Icon
        let path: String
    }

    let texts: Texts
    let appearance: AppSettings.Appearance
    /// The name of the home.
    let home: String
    /// The entries of the bar; none on a page for those who are not signed in.
    var entries: [Entry] = []
    /// The path of the page.
    var path = "/"
    /// Whether the links of the home work.
    var link: HTML = .empty
    /// What the page shows that changes; `nil` for one that does not.
    var liveMark: String?
    /// What leads a browser to the dashboard's own host; empty on a page of it.
    var entrance: HTML = .empty

    /// The whole page.
    func page(title: String, @HTMLBuilder content: () -> HTML) -> HTML {
        HTML.document(
            language: texts.language.rawValue, theme: appearance.rawValue, head(title),
            element("body", bodyAttributes) {
                element("a", .class("skip"), .href("#main"), text: texts[.skip])
                bar
                element("main", .id("main"), .init("tabindex", "-1")) { content() }
                element("footer") { element("p", text: texts[.projectLine]) }
            })
    }

    private var bodyAttributes: [HTMLAttribute] {
        let here = entries.isEmpty || path.isEmpty ? [] : [HTMLAttribute("data-path", path)]
        guard let liveMark else { return here }
        let path = FormValues.encoded([("page", path), ("seen", liveMark)])
        return here + [.init("data-events", "/events?\(path)")]
    }

    private func head(_ title: String) -> HTML {
        element("head") {
            void("meta", .init("charset", "utf-8"))
            element("title", text: "\(title) · \(home)")
            void(
                "meta", .init("name", "viewport"),
                .init("content", "width=device-width, initial-scale=1"))
            void("meta", .init("name", "color-scheme"), .init("content", colorScheme))
            void("link", .init("rel", "icon"), .href(Asset.icon.path))
            void("link", .init("rel", "apple-touch-icon"), .href(Asset.bitmaps[0].asset.path))
            void("link", .init("rel", "manifest"), .href(Asset.manifest.path))
            void("meta", .init("name", "theme-color"), .init("content", "#0b6e63"))
            void("link", .init("rel", "stylesheet"), .href(Asset.style.path))
            if !entries.isEmpty {
                element("script", .init("src", Asset.script.path), .init("defer")) {}
            }
            entrance
        }
    }

    private var colorScheme: String {
        switch appearance {
        case .automatic: "light dark"
        case .light: "light"
        case .dark: "dark"
        }
    }

    private var bar: HTML {
        element("header", .class("bar")) {
            element("div", .class("masthead")) {
                element("a", .class("brand"), .href("/")) {
                    Icon.home.svg
                    element("span") {
                        "Homeport "
                        element("small", .name, text: home)
                    }
                }
                link
            }
            if !entries.isEmpty {
                element("nav", .class("pages"), .label(texts[.pages])) {
                    element("ul") { entries.map(item) }
                }
            }
        }
    }

    private func item(_ entry: Entry) -> HTML {
        let isHere = entry.path == path || (entry.path != "/" && path.hasPrefix(entry.path + "/"))
        return element("li") {
            element(
                "a", [.href(entry.path)] + (isHere ? [.init("aria-current", "page")] : [])
            ) {
                entry.icon.svg
                element("span", text: entry.name)
            }
        }
    }
}
