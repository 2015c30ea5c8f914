internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import Homeport

/// Commands that wait for devices that are away.
@MainActor
struct QueueScreen: Screen {
    let state: HomeState
    let texts: Texts

    var title: String { texts[.queue] }

    func live() -> LiveContent {
        LiveContent(parts: [
            LivePart("waiting") { waiting },
            LivePart("undecided") { undecided },
        ])
    }

    func content(_ parts: LiveParts, _ form: FormSeal) -> HTML {
        .joined([
            element("h1", text: texts[.queue]),
            parts("waiting", "section", .class("stack"), .label(texts[.queue])),
            parts("undecided", "section", .class("stack"), .label(texts[.outcomeUnknown])),
        ])
    }

    private var waiting: HTML {
        guard !state.waiting.isEmpty else {
            return EmptyState(
                icon: .queue, title: texts[.queueEmptyTitle], text: texts[.queueEmptyText]
            ).html
        }
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
                element("tbody") { state.waiting.map { row($0, now) } }
            }
        }
    }

    private func row(_ record: CommandRecord, _ now: Timestamp) -> HTML {
        let (device, name) = (record.intent.device, texts.terms.command(record.intent.name))
        return element("tr") {
            element("td") {
                element(
                    "a", .href(Route.device(device).path),
                    text: state.devices[device]?.name ?? device.text)
            }
            element("td") {
                element("a", .href(Route.command(record.id).path), text: name)
            }
            element(
                "td", .class("number"),
                text: texts.format.dateAndTime(record.progress.timings.createdAt, now: now))
            element(
                "td", .class("number"),
                text: texts.format.dateAndTime(record.intent.expiresAt, now: now))
            element("td", .class("last")) {
                ActionButton(
                    text: texts[.takeBack], path: "\(Route.command(record.id).path)/cancel",
                    label: "\(texts[.takeBack]): \(name)"
                ).html
            }
        }
    }

    private var undecided: HTML {
        guard !state.undecided.isEmpty else { return .empty }
        return element("div", .class("card")) {
            element("h2", text: texts[.outcomeUnknown])
            CommandList(texts: texts, now: MachineClock.wallTime).render(state.undecided)
        }
    }
}
