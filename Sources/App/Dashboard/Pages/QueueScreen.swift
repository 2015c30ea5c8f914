internal import DeviceControl
internal import DeviceControlPresentation
internal import DeviceDomain
internal import DeviceMessages
internal import Markup
internal import SharedPresentation

/// Commands that wait for devices that are away.
@MainActor
struct QueueScreen: Screen {
    let model: QueueViewModel
    let texts: Texts

    var title: String { texts[.queue] }

    func live() -> LiveContent {
        LiveContent(parts: [
            LivePart("waiting") { waiting },
            LivePart("undecided") { undecided(model.state.content?.undecided ?? []) },
        ])
    }

    func content(_ parts: LiveParts, _ form: FormToken) -> HTML {
        .joined([
            element("h1", text: texts[.queue]),
            parts("waiting", "section", .class("stack"), .label(texts[.queue])),
            parts("undecided", "section", .class("stack"), .label(texts[.outcomeUnknown])),
        ])
    }

    private var waiting: HTML {
        let empty = EmptyState(
            icon: .queue, title: texts[.queueEmptyTitle], text: texts[.queueEmptyText]
        ).html
        if let standing = Placeholder(texts: texts, empty: empty).html(model.state) {
            return standing
        }
        let commands = model.state.content?.waiting ?? []
        return commands.isEmpty ? empty : table(commands)
    }

    private func table(_ commands: [CommandSummary]) -> HTML {
        let now = MachineClock.wallTime
        return element("div", .class("card")) {
            element("table", .class("table")) {
                element("thead") {
                    element("tr") {
                        [Phrase.device, .command, .waitingSince, .until].map { name in
                            element("th", .init("scope", "col"), text: texts[name])
                        }
                        element("th", .init("scope", "col")) {
                            element("span", .class("unseen"), text: texts[.takeBack])
                        }
                    }
                }
                element("tbody") { commands.map { row($0, now) } }
            }
        }
    }

    private func row(_ command: CommandSummary, _ now: Timestamp) -> HTML {
        let (name, path) = (texts.name(of: command), Route.command(command.id).path)
        return element("tr") {
            element("td") {
                element(
                    "a", .href(Route.device(command.device).path), .name, text: command.deviceName)
            }
            element("td") { element("a", .href(path), text: name) }
            element(
                "td", .class("number"), text: texts.format.dateAndTime(command.askedAt, now: now))
            element(
                "td", .class("number"),
                text: texts.format.dateAndTime(command.expiresAt, now: now))
            element("td", .class("last")) {
                if command.canCancel {
                    ActionButton(
                        text: texts[.takeBack], path: "\(path)/cancel?from=\(Route.queue.path)",
                        label: "\(texts[.takeBack]): \(name)"
                    ).html
                }
            }
        }
    }

    private func undecided(_ commands: [CommandSummary]) -> HTML {
        guard !commands.isEmpty else { return .empty }
        return element("div", .class("card")) {
            element("h2", text: texts[.outcomeUnknown])
            CommandList(texts: texts, now: MachineClock.wallTime, page: .queue).render(commands)
        }
    }
}
