internal import Markup

/// What a colour says.
enum BadgeTone: String, Hashable, Sendable {
    case plain, good, warn, bad, info

    /// The drawing that says the same without colour.
    var icon: Icon {
        switch self {
        case .plain, .info: .doubt
        case .good: .done
        case .warn: .warning
        case .bad: .problem
        }
    }
}

/// A word about the state of something.
struct Badge: Hashable, Sendable {
    let tone: BadgeTone
    let text: String
    var icon: Icon?

    var html: HTML {
        element("span", .class("badge \(tone.rawValue)")) {
            (icon ?? tone.icon).svg
            element("span", text: text)
        }
    }
}

/// Something to know, and what to do about it.
struct Notice: Hashable, Sendable {
    let tone: BadgeTone
    let text: String
    /// What is said of it in English only.
    var quotation = HTML.empty
    /// What to do; empty for nothing.
    var remedy = ""
    /// Whether assistive programs say it at once.
    var isUrgent = false
    /// The command that it is about; `nil` for none.
    var command: FollowedCommand?

    /// A command that a notice goes on with while the page is open.
    struct FollowedCommand: Hashable, Sendable {
        /// The name of its element on the page.
        let id: String
        /// How far it has come, in a word.
        let standing: String
        /// Where it is explained.
        let path: String
        /// What the link there is called.
        let link: String
    }

    /// The notice as it stays in sight wherever the page is scrolled, until it is dismissed.
    /// - Parameter path: the page without it.
    func flash(dismiss: String, path: String) -> HTML {
        element("div", .class("flash"), .id("notice")) {
            html
            element("a", .class("dismiss"), .href(path), .label(dismiss)) { Icon.problem.svg }
        }
    }

    var html: HTML {
        element(
            "div", .class("notice \(tone.rawValue)"), .init("role", isUrgent ? "alert" : "status")
        ) {
            tone.icon.svg
            element("div", .class("stack tight")) {
                element("p") {
                    text
                    quotation
                    if let command {
                        " "
                        element(
                            "strong", .init("data-follows", command.id), text: command.standing)
                        " "
                        element("a", .href(command.path), text: command.link)
                    }
                }
                if !remedy.isEmpty { element("p", .class("small"), text: remedy) }
            }
        }
    }
}

/// What a page shows where there is nothing to show.
struct EmptyState: Hashable, Sendable {
    let icon: Icon
    let title: String
    let text: String

    var html: HTML {
        element("div", .class("card empty")) {
            icon.svg
            element("h2", text: title)
            element("p", text: text)
        }
    }
}
