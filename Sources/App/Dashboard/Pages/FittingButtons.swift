internal import DeviceDomain
internal import Markup
internal import SharedPresentation

/// The one or two buttons that fit the state of a device. They stand in live parts, so they change with it.
struct FittingButtons: Sendable {
    let texts: Texts
    /// The page on which they stand, which stays open.
    let from: Route

    /// The buttons; nothing where none fits.
    func render(_ device: DeviceSummary) -> HTML {
        guard !device.fitting.isEmpty else { return .empty }
        return element("div", .class("row actions")) {
            device.fitting.enumerated().map { index, command in
                button(command, of: device, index == 0 ? "main" : "")
            }
        }
    }

    /// The button of a command, or the link to the form in which something must be entered first.
    func button(_ command: FittingCommand, of device: DeviceSummary, _ style: String) -> HTML {
        let name = command.name.rawValue
        let label = "\(text(command)): \(device.name)"
        guard command.needsEntry else {
            return ActionButton(
                text: text(command),
                path: "\(Route.device(device.id).path)/commands/\(name)?from=\(from.path)",
                style: style, label: label
            ).html
        }
        return element(
            "a", .class("button \(style)"),
            .href("\(Route.device(device.id).path)?open=\(name)#form-\(name)"), .label(label)
        ) {
            element("span", text: "\(text(command)) …")
        }
    }

    private func text(_ command: FittingCommand) -> String {
        guard let percent = command.percent else { return texts.terms.command(command.name) }
        let number = texts.format.number(percent, decimals: 0)
        return texts.choose(english: "Reserve \(number)%", chinese: "备用电量 \(number)%")
    }
}
