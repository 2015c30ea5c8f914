internal import DeviceDomain
internal import Provisioning

/// Brings a boxed device into the home.
@MainActor
struct ProvisioningScreen: Screen {
    /// What was filled in and refused.
    struct Entry: Hashable, Sendable {
        var code = ""
        var ssid = ""
        var device = ""
        /// What is wrong, by the name of the field.
        var problems: [String: String] = [:]
    }

    let desk: ProvisioningDesk
    let texts: Texts
    var entry = Entry()

    var title: String { texts[.addDevice] }

    func live() -> LiveContent {
        LiveContent(parts: [LivePart("attempt") { attempt }], shape: "\(desk.isRunning)")
    }

    func content(_ parts: LiveParts, _ form: FormSeal) -> HTML {
        .joined([
            element("h1", text: texts[.addDevice]),
            parts("attempt", "section", .class("stack"), .init("aria-live", "polite")),
            desk.isRunning ? .empty : self.form(form),
        ])
    }

    // MARK: The attempt

    private var attempt: HTML {
        switch desk.status {
        case .idle: return .empty
        case .running(let phase, let problem):
            return element("div", .class("card")) {
                steps(phase, isDone: false)
                problem.map(notice)
                ActionButton(
                    text: texts[.cancel], path: "/provisioning/cancel", style: "danger"
                ).html
            }
        case .ended(let result): return element("div", .class("card")) { ending(result) }
        case .impossible(let reason): return Notice(tone: .bad, text: reason).html
        }
    }

    private func steps(_ phase: ProvisioningPhase?, isDone: Bool) -> HTML {
        let phases = ProvisioningPhase.allCases
        let current = phase.flatMap(phases.firstIndex(of:)) ?? 0
        return element("ol", .class("wizard")) {
            phases.indices.map { index in
                let isHere = !isDone && index == current
                return element(
                    "li",
                    [.class(isDone || index < current ? "reached" : "open")]
                        + (isHere ? [.init("aria-current", "step")] : [])
                ) {
                    element("span", text: texts[phases[index].phrase])
                }
            }
        }
    }

    private func ending(_ result: ProvisioningResult) -> HTML {
        switch result.ending {
        case .provisioned:
            return .joined([
                steps(nil, isDone: true), Notice(tone: .good, text: texts[.provisioned]).html,
                element(
                    "a", .class("button main"), .href(Route.device(result.device).path),
                    text: texts[.openDevice]),
            ])
        case .failed(let error), .unknown(let error): return notice(error)
        case .cancelled: return Notice(tone: .plain, text: texts[.cancelled]).html
        }
    }

    private func notice(_ error: ProvisioningError) -> HTML {
        Notice(tone: .warn, text: error.message, remedy: "\(error.userAction)").html
    }

    // MARK: The form

    private func form(_ seal: FormSeal) -> HTML {
        seal.form("/provisioning", .class("card stack")) {
            element("p", text: texts[.addDeviceText])
            element("div", .class("fields")) {
                field("code", .setupCode, .setupCodeHint, entry.code, isRequired: true)
                field("ssid", .wifiName, nil, entry.ssid, isRequired: true)
                field("password", .wifiPassword, .wifiPasswordHint, "", type: "password")
                field("device", .deviceName, .deviceNameHint, entry.device)
            }
            element("div") { element("button", .class("main"), text: texts[.begin]) }
        }
    }

    private func field(
        _ name: String, _ label: Phrase, _ hint: Phrase?, _ value: String,
        isRequired: Bool = false, type: String = "text"
    ) -> HTML {
        let problem = entry.problems[name]
        var attributes: [HTMLAttribute] = [
            .id(name), .init("name", name), .init("type", type), .init("value", value),
            .init("required", isRequired), .init("autocomplete", "off"),
        ]
        let descriptions =
            (hint == nil ? [] : ["\(name)-hint"]) + (problem == nil ? [] : ["\(name)-wrong"])
        if !descriptions.isEmpty {
            attributes.append(.init("aria-describedby", descriptions.joined(separator: " ")))
        }
        if problem != nil { attributes.append(.init("aria-invalid", "true")) }
        return element("div", .class("field")) {
            element("label", .init("for", name), text: texts[label])
            HTML.void("input", attributes)
            hint.map { element("span", .class("hint"), .id("\(name)-hint"), text: texts[$0]) }
            problem.map { element("span", .class("wrong"), .id("\(name)-wrong"), text: $0) }
        }
    }
}

extension ProvisioningPhase {
    fileprivate var phrase: Phrase {
        switch self {
        case .scanning: .stepJoin
        case .connectingToDeviceAP: .stepSecure
        case .sendingWiFiCredentials: .stepWifi
        case .confirmingCloudConnection: .stepClaim
        case .finalizing: .stepDone
        }
    }
}
