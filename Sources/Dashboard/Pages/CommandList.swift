internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import DeviceMessages

/// Commands with how far each has come.
struct CommandList: Sendable {
    let texts: Texts
    let now: Timestamp

    /// The commands, newest first.
    func render(_ records: [CommandRecord]) -> HTML {
        element("ol", .class("commands")) { records.map(item) }
    }

    private func item(_ record: CommandRecord) -> HTML {
        element("li") {
            element("div", .class("row spread")) {
                element("div") {
                    element("strong", text: texts.terms.command(record.intent.name))
                    arguments(record).map { element("span", .class("muted"), text: " \($0)") }
                    element("div", .class("muted small")) {
                        texts.format.dateAndTime(record.progress.timings.createdAt, now: now)
                        reason(record).map { HTML(" · \($0)") }
                    }
                }
                element("div", .class("row")) { buttons(record) }
            }
            stages(record)
        }
    }

    /// The points on its way; those that it has reached have a time.
    func stages(_ record: CommandRecord) -> HTML {
        element("ol", .class("stages")) {
            CommandStages(record).stages.map { stage in
                element("li", .class(style(stage.standing))) {
                    texts[stage.name]
                    if let at = stage.at {
                        element("time", text: texts.format.timeWithSeconds(at))
                    } else if stage.standing != .doubt {
                        element("span", .class("unseen"), text: ": \(texts[.notKnownYet])")
                    }
                }
            }
        }
    }

    private func style(_ standing: CommandStages.Stage.Standing) -> String {
        switch standing {
        case .reached: "reached"
        case .next: "now"
        case .open: "open"
        case .failed: "bad"
        case .doubt: "doubt"
        }
    }

    private func buttons(_ record: CommandRecord) -> HTML {
        let name = texts.terms.command(record.intent.name)
        return .joined([
            record.state.isFinal
                ? .empty
                : ActionButton(
                    text: texts[.cancel], path: "\(Route.command(record.id).path)/cancel",
                    label: "\(texts[.cancel]): \(name)"
                ).html,
            element(
                "a", .class("button little"), .href(Route.command(record.id).path),
                .label("\(texts[.explain]): \(name)"), text: texts[.explain]),
        ])
    }

    private func arguments(_ record: CommandRecord) -> String? {
        let arguments = record.intent.arguments
        guard !arguments.isEmpty else { return nil }
        let words = DeviceWords(texts: texts)
        return arguments.sorted { $0.key < $1.key }
            .map { "\(texts.terms.member($0.key)) \(words.value($0.value, of: $0.key))" }
            .joined(separator: ", ")
    }

    private func reason(_ record: CommandRecord) -> String? {
        if let percent = record.progress.percent, !record.state.isSettled {
            return texts.format.number(percent, decimals: 0) + "%"
        }
        return record.progress.message.isEmpty ? nil : record.progress.message
    }
}
