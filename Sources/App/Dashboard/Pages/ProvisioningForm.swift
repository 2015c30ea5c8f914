internal import Markup
internal import ProvisioningPresentation
internal import SharedPresentation

/// The two forms of the wizard.
@MainActor
struct ProvisioningForm {
    let texts: Texts
    let token: FormToken

    /// Asks for the text of the QR code.
    func code(_ refused: String, _ problem: Failure?) -> HTML {
        token.form("/provisioning/code", .class("card stack")) {
            element("p", text: texts[.addDeviceText])
            element("div", .class("fields")) {
                field(
                    "code", .setupCode, .setupCodeHint, refused, problem.map(setupCode),
                    isRequired: true)
            }
            camera
            element("div") { element("button", .class("main"), text: texts[.next]) }
        }
    }

    /// Reads the QR code by the camera, where the script of the page finds that the browser can.
    private var camera: HTML {
        element(
            "div", .class("stack tight"), .id("camera"),
            .init("data-missing", texts[.cameraMissing]),
            .init("data-none", texts[.cameraNone]), .init("data-refused", texts[.cameraRefused]),
            .init("data-looking", texts[.cameraLooking]), .init("data-found", texts[.cameraFound])
        ) {
            element(
                "button", .class("little"), .init("type", "button"), .init("hidden"),
                text: texts[.scanCode])
            element("video", .init("hidden"), .init("muted"), .init("playsinline"), .decorative) {}
            element(
                "p", .class("muted small"), .init("role", "status"), text: texts[.cameraMissing])
        }
    }

    /// Asks for the network of the device with an access point.
    func network(
        _ wizard: ProvisioningWizardViewModel, _ accessPoint: String,
        _ problem: ProvisioningWizardViewModel.NetworkProblem?
    ) -> HTML {
        let wrong = problems(problem)
        return token.form("/provisioning/network", .class("card stack")) {
            element("p", text: texts[.networkText])
            element("p") { element("strong", .id("access-point"), .name, text: accessPoint) }
            element("div", .class("fields")) {
                found(wizard.networks ?? [], wizard.network)
                field(
                    "ssid", wizard.networks.isEmptyOrMissing ? .wifiName : .otherNetwork,
                    wizard.networks?.isEmpty == true ? .noNetworks : nil,
                    written(wizard), wrong.network,
                    isRequired: wizard.networks.isEmptyOrMissing)
                field(
                    "password", .wifiPassword, .wifiPasswordHint, "", wrong.password,
                    type: "password")
                field("device", .deviceName, .deviceNameHint, wizard.deviceName, wrong.device)
                field("address", .deviceAddress, .deviceAddressHint, wizard.address, wrong.address)
            }
            element("div", .class("row")) {
                element("button", .class("main"), text: texts[.begin])
                element(
                    "button", .class("plain"), .init("formaction", "/provisioning/search"),
                    .init("formnovalidate", true), text: texts[.findNetworks])
                ActionButton(
                    text: texts[.cancel], path: "/provisioning/cancel", style: "plain"
                ).html
            }
        }
    }

    /// The networks that the device finds, to choose one.
    private func found(_ networks: [FoundNetwork], _ chosen: String) -> HTML {
        guard !networks.isEmpty else { return .empty }
        return element("div", .class("field")) {
            element("label", .init("for", "found"), text: texts[.foundNetworks])
            element("select", .id("found"), .init("name", "found")) {
                networks.map { network in
                    element(
                        "option", .init("value", network.name),
                        .init("selected", network.name == chosen), text: line(for: network))
                }
            }
        }
    }

    private func line(for network: FoundNetwork) -> String {
        let signal = "\(network.name) (\(network.signalDBm) dBm"
        return network.isOpen ? "\(signal), \(texts[.openNetwork]))" : "\(signal))"
    }

    /// The network that was entered last, unless it can be chosen.
    private func written(_ wizard: ProvisioningWizardViewModel) -> String {
        let canBeChosen = wizard.networks?.contains { $0.name == wizard.network } ?? false
        return canBeChosen ? "" : wizard.network
    }

    private func problems(
        _ problem: ProvisioningWizardViewModel.NetworkProblem?
    ) -> (network: String?, password: String?, device: String?, address: String?) {
        switch problem {
        case .networkName: (texts[.networkNameWrong], nil, nil, nil)
        case .search(let failure):
            ("\(texts.cause(failure)) \(texts.advice(failure.action))", nil, nil, nil)
        case .wrongPassword(let failure): (nil, texts.cause(failure), nil, nil)
        case .deviceName: (nil, nil, texts[.deviceNameWrong], nil)
        case .address(let failure): (nil, nil, nil, texts.cause(failure))
        case nil: (nil, nil, nil, nil)
        }
    }

    /// What is wrong with a setup code: first what it is, then what its reader says.
    private func setupCode(_ failure: Failure) -> String {
        texts.choose(
            english: "This is not a setup code: \(failure.cause)", chinese: texts.cause(failure))
    }

    private func field(
        _ name: String, _ label: Phrase, _ hint: Phrase?, _ value: String, _ problem: String?,
        isRequired: Bool = false, type: String = "text"
    ) -> HTML {
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

extension [FoundNetwork]? {
    fileprivate var isEmptyOrMissing: Bool { self?.isEmpty ?? true }
}
