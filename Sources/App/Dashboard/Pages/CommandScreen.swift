internal import Automation
internal import DeviceControl
internal import DeviceControlPresentation
internal import DeviceDomain
internal import DeviceMessages
internal import Markup
internal import SharedPresentation

/// One command: how far it has come, what happened to it and what happens next.
@MainActor
struct CommandScreen: Screen {
    let model: CommandViewModel
    /// What was read when the page was asked for.
    let content: CommandViewModel.Content
    let texts: Texts

    private var summary: CommandSummary { content.summary }
    private var explanation: CommandExplanation { content.explanation }
    private var explanationText: ExplanationText {
        ExplanationText(
            texts: texts, explanation: explanation, isDryRun: summary.isDryRun)
    }

    var title: String { texts.name(of: summary) }

    func live() -> LiveContent {
        // The sentences are read from the ledger, so a command that moves is read again.
        let progress = model.heardProgress ?? explanation.record.progress
        return LiveContent(shape: "\(progress.step)")
    }

    func readAgain() async { await model.readAgain() }

    func content(_ parts: LiveParts, _ form: FormToken) -> HTML {
        .joined([
            element("div", .class("title")) {
                element("div") {
                    element("h1", text: title)
                    element("p", .class("small")) {
                        element(
                            "a", .href(Route.device(summary.device).path), .name,
                            text: summary.deviceName)
                    }
                }
                if summary.canPutAway {
                    ActionButton(
                        text: texts[.putAway], path: "\(Route.command(summary.id).path)/put-away"
                    ).html
                }
                if summary.canCancel {
                    ActionButton(
                        text: texts[.cancel], path: "\(Route.command(summary.id).path)/cancel",
                        style: "danger"
                    ).html
                }
            },
            element("section", .class("card"), .label(texts[.state])) {
                CommandList(texts: texts, now: MachineClock.wallTime, page: .command(summary.id))
                    .stages(summary.timeline)
                element("p", text: explanationText.meaning)
                element("p", .class("muted"), text: explanationText.next)
                content.run.map(because(of:))
            },
            element("section", .class("card")) {
                element("h2", text: texts[.history])
                element("ol", .class("steps")) { explanation.steps.map(step) }
                element("p", .class("muted small"), .name, text: summary.id.text)
            },
        ])
    }

    private func because(of run: RecordedRun) -> HTML {
        element("p") {
            element("strong", text: "\(texts[.becauseOf]): ")
            element(
                "a", .href("\(Route.rules.path)#rule-\(run.run.rule)"), .name,
                text: run.name.text)
            " · "
            texts.reason(run.run.cause)
        }
    }

    private func step(_ step: CommandExplanation.Step) -> HTML {
        element("li") {
            element("div") { explanationText.step(step) }
            element(
                "div", .class("muted small number"), text: texts.format.timeWithSeconds(step.at))
        }
    }
}
