internal import Markup

/// The page for a browser that is not let in yet.
struct SignInPage: Sendable {
    /// What became of the attempt before.
    enum Problem: Hashable, Sendable {
        /// Something was wrong.
        case wrong
        /// There were too many wrong ones.
        case tooOften
    }

    let frame: PageFrame
    /// Whether a user name and password let in.
    let takesPassword: Bool
    let problem: Problem?

    private var texts: Texts { frame.texts }

    func render() -> HTML {
        frame.page(title: texts[.signInTitle]) {
            element("h1", text: texts[.signInTitle])
            if let problem { notice(problem) }
            if takesPassword {
                form {
                    field("username", .userName, type: "text", complete: "username")
                    field("password", .password, type: "password", complete: "current-password")
                }
            }
            form {
                element("p", .class("muted"), text: texts[.signInLinkText])
                field("token", .token, type: "password", complete: "off")
            }
        }
    }

    private func notice(_ problem: Problem) -> HTML {
        let text = problem == .wrong ? texts[.signInWrong] : texts[.signInTooOften]
        return Notice(tone: .bad, text: text, isUrgent: true).html
    }

    private func form(@HTMLBuilder _ fields: () -> HTML) -> HTML {
        element("form", .class("card"), .init("method", "post"), .action("/sign-in")) {
            element("div", .class("fields")) {
                fields()
                element("div") { element("button", .class("main"), text: texts[.signIn]) }
            }
        }
    }

    private func field(
        _ name: String, _ label: Phrase, type: String, complete: String
    ) -> HTML {
        element("div", .class("field")) {
            element("label", .init("for", "sign-in-\(name)"), text: texts[label])
            void(
                "input", .id("sign-in-\(name)"), .init("name", name), .init("type", type),
                .init("autocomplete", complete), .init("required"))
        }
    }
}
