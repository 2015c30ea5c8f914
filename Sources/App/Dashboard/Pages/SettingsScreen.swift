internal import DeviceControlPresentation
internal import Markup
internal import SharedPresentation

/// The language, appearance and units of this browser.
@MainActor
struct SettingsScreen: Screen {
    let settings: AppSettings
    let texts: Texts

    var title: String { texts[.settings] }

    func live() -> LiveContent { LiveContent() }

    func content(_ parts: LiveParts, _ form: FormToken) -> HTML {
        .joined([
            element("h1", text: texts[.settings]),
            form.form("/settings", .class("card stack")) {
                choices(
                    "language", .language,
                    Language.allCases.map { ($0.rawValue, $0.ownName, $0 == texts.language) })
                choices(
                    "theme", .theme,
                    AppSettings.Appearance.allCases.map {
                        ($0.rawValue, texts[$0.phrase], $0 == settings.appearance)
                    })
                choices(
                    "units", .units,
                    UnitSystem.allCases.map {
                        ($0.rawValue, texts[$0.phrase], $0 == settings.units)
                    })
                element("div") { element("button", .class("main"), text: texts[.save]) }
            },
            notifications,
            form.form("/sign-out", .class("card")) {
                element("button", text: texts[.signOut])
            },
        ])
    }

    /// A script shows it, where the browser can notify.
    private var notifications: HTML {
        element(
            "section", .class("card stack"), .id("notifications"), .init("hidden"),
            .init("data-on", texts[.notificationsOn]),
            .init("data-refused", texts[.notificationsRefused])
        ) {
            element("h2", text: texts[.notifications])
            element("p", text: texts[.notificationsText])
            element("div") {
                element(
                    "button", .init("type", "button"), .init("hidden"),
                    text: texts[.allowNotifications])
            }
            element("p", .init("role", "status")) {}
        }
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

extension AppSettings.Appearance {
    fileprivate var phrase: Phrase {
        switch self {
        case .automatic: .themeAuto
        case .light: .themeLight
        case .dark: .themeDark
        }
    }
}

extension UnitSystem {
    fileprivate var phrase: Phrase {
        switch self {
        case .metric: .metricUnits
        case .imperial: .imperialUnits
        }
    }
}
