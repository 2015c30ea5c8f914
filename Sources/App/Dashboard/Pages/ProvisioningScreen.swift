internal import DeviceDomain
internal import Markup
internal import ProvisioningPresentation
internal import SharedPresentation

/// Leads a boxed device into the home: its code, the network, the five states of the attempt, its page.
@MainActor
struct ProvisioningScreen: Screen {
    let wizard: ProvisioningWizardViewModel
    let texts: Texts
    /// Whether this browser has entered what the wizard knows.
    let isOwn: @MainActor () -> Bool

    /// Where the wizard stands for this browser: another one begins anew, unless an attempt runs.
    private var step: ProvisioningWizardViewModel.Step {
        wizard.isShared || isOwn() ? wizard.step : .code(problem: nil)
    }

    var title: String { texts[.addDevice] }

    func live() -> LiveContent {
        LiveContent(parts: [LivePart("attempt") { attempt }], shape: shape)
    }

    /// Which form stands on the page.
    private var shape: String {
        switch step {
        case .code: "code"
        case .network(let accessPoint, _): "network \(accessPoint)"
        case .searching, .running, .cancelling, .failed, .undecided, .cancelled, .added: "attempt"
        }
    }

    func content(_ parts: LiveParts, _ form: FormToken) -> HTML {
        .joined([
            element("h1", text: texts[.addDevice]),
            parts("attempt", "section", .class("stack"), .init("aria-live", "polite")),
            self.form(ProvisioningForm(texts: texts, token: form)),
        ])
    }

    private func form(_ form: ProvisioningForm) -> HTML {
        switch step {
        case .code(let problem): form.code(isOwn() ? wizard.refusedCode : "", problem)
        case .network(let accessPoint, let problem):
            form.network(wizard, accessPoint, problem)
        case .searching, .running, .cancelling, .failed, .undecided, .cancelled, .added: .empty
        }
    }

    // MARK: The attempt

    private var attempt: HTML {
        switch step {
        case .code, .network: .empty
        case .searching:
            card(element("p", text: texts[.searchingNetworks]), nil, buttons(.cancel))
        case .running(let phase, let notice):
            card(phases(phase), notice.map(self.notice), buttons(.cancel))
        case .cancelling: card(element("p", text: texts[.takingBack]), nil, nil)
        case .failed(let failure): card(notice(failure), nil, buttons(.retry, .cancel))
        case .undecided(let failure):
            card(
                Notice(tone: .warn, text: texts[.provisioningUnknown]).html, notice(failure),
                buttons(.retry, .cancel))
        case .cancelled:
            card(
                Notice(tone: .plain, text: texts[.provisioningTakenBack]).html, nil,
                buttons(.retry, .cancel))
        case .added:
            card(
                phases(nil, isDone: true), Notice(tone: .good, text: texts[.provisioned]).html,
                buttons(.open))
        }
    }

    private func card(_ first: HTML, _ second: HTML?, _ buttons: HTML?) -> HTML {
        element("div", .class("card stack")) {
            first
            second
            buttons
        }
    }

    private func phases(_ phase: ProvisioningPhase?, isDone: Bool = false) -> HTML {
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

    private func notice(_ failure: ProvisioningFailure) -> HTML {
        Notice(tone: .warn, text: texts.cause(failure), remedy: texts.advice(failure.action)).html
    }

    // MARK: Its buttons

    private enum Button {
        case cancel, retry, open
    }

    private func buttons(_ buttons: Button...) -> HTML {
        element("div", .class("row")) { buttons.map(html) }
    }

    private func html(_ button: Button) -> HTML {
        switch button {
        case .cancel:
            ActionButton(
                text: texts[.cancel], path: "/provisioning/cancel", style: "danger"
            ).html
        case .retry:
            ActionButton(text: texts[.tryAgain], path: "/provisioning/retry", style: "main").html
        case .open:
            ActionButton(text: texts[.openDevice], path: "/provisioning/done", style: "main").html
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
