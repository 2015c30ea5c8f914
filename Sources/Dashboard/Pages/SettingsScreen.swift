/// The language and appearance of this browser.
@MainActor
struct SettingsScreen: Screen {
    let preferences: Preferences
    let texts: Texts

    var title: String { texts[.settings] }

    func live() -> LiveContent { LiveContent() }

    func content(_ parts: LiveParts, _ form: FormSeal) -> HTML {
        .joined([
            element("h1", text: texts[.settings]),
            form.form("/preferences", .class("card stack")) {
                choices(
                    "language", .language,
                    Language.allCases.map { ($0.rawValue, $0.ownName, $0 == preferences.language) })
                choices(
                    "theme", .theme,
                    Preferences.Theme.allCases.map {
                        ($0.rawValue, texts[$0.phrase], $0 == preferences.theme)
                    })
                element("div") { element("button", .class("main"), text: texts[.save]) }
            },
            form.form("/sign-out", .class("card")) {
                element("button", text: texts[.signOut])
            },
        ])
    }

    private func choices(
        _ name: String, _ title: Phrase, _ values: [(value: String, text: String, isChosen: Bool)]
    ) -> HTML {
        element("fieldset", .class("field")) {
            element("legend", text: texts[title])
            element("div", .class("choices")) {
                values.map { choice in
                    element("label", .class("choice")) {
                        void(
                            "input", .init("type", "radio"), .init("name", name),
                            .init("value", choice.value), .init("checked", choice.isChosen))
                        element("span", text: choice.text)
                    }
                }
            }
        }
    }
}

extension Preferences.Theme {
    fileprivate var phrase: Phrase {
        switch self {
        case .automatic: .themeAuto
        case .light: .themeLight
        case .dark: .themeDark
        }
    }
}
