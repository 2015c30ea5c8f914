internal import DeviceControl
internal import DeviceDomain
internal import Homeport

/// One command: how far it has come, what happened to it and what happens next.
@MainActor
struct CommandScreen: Screen {
    let state: HomeState
    let explanation: CommandExplanation
    let texts: Texts

    private var record: CommandRecord { explanation.record }

    var title: String { texts.terms.command(record.intent.name) }

    func live() -> LiveContent {
        // The sentences are read from the ledger, so a command that moves is read again.
        let device = state.devices[record.intent.device]
        let moved = device?.commands.first { $0.id == record.id }?.progress.step
        return LiveContent(shape: "\(moved ?? record.progress.step)")
    }

    func content(_ parts: LiveParts, _ form: FormSeal) -> HTML {
        let device = record.intent.device
        return .joined([
            element("div", .class("title")) {
                element("div") {
                    element("h1", text: title)
                    element("p", .class("small")) {
                        element(
                            "a", .href(Route.device(device).path),
                            text: state.devices[device]?.name ?? device.text)
                    }
                }
                if !record.state.isFinal {
                    ActionButton(
                        text: texts[.cancel], path: "\(Route.command(record.id).path)/cancel",
                        style: "danger"
                    ).html
                }
            },
            element("section", .class("card"), .label(texts[.state])) {
                CommandList(texts: texts, now: MachineClock.wallTime).stages(record)
                element("p", text: explanation.meaning)
                element("p", .class("muted"), text: explanation.next)
            },
            element("section", .class("card")) {
                element("h2", text: texts[.history])
                element("ol", .class("steps")) { explanation.steps.map(step) }
                element("p", .class("muted small"), text: record.id.text)
            },
        ])
    }

    private func step(_ step: CommandExplanation.Step) -> HTML {
        element("li") {
            element("div", text: step.text)
            element(
                "div", .class("muted small number"), text: texts.format.timeWithSeconds(step.at))
        }
    }
}
