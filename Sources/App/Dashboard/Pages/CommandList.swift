internal import DeviceControl
internal import DeviceControlPresentation
internal import DeviceDomain
internal import DeviceMessages
internal import Markup
internal import SharedPresentation

/// Commands with how far each has come.
struct CommandList: Sendable {
    let texts: Texts
    let now: Timestamp
    /// The page that shows the list, which stays open when a command is taken back.
    let page: Route

    /// The commands, newest first.
    func render(_ commands: [CommandSummary]) -> HTML {
        element("ol", .class("commands")) { commands.map(item) }
    }

    private func item(_ command: CommandSummary) -> HTML {
        let standing = CommandText(texts: texts).standing(command)
        return element(
            "li", .id(Self.id(of: command.id)), .init("data-standing", standing)
        ) {
            element("div", .class("row spread")) {
                element("div") {
                    element("strong", text: texts.name(of: command))
                    arguments(command).map {
                        element("span", .class("muted"), .name, text: " \($0)")
                    }
                    element("div", .class("muted small")) {
                        texts.format.dateAndTime(command.askedAt, now: now)
                        reason(command).map { .joined([HTML(" · "), $0]) } ?? .empty
                    }
                }
                element("div", .class("row")) { buttons(command) }
            }
            stages(command.timeline)
        }
    }

    /// The points on its way; those that it has reached have a time.
    func stages(_ timeline: CommandTimeline) -> HTML {
        element("ol", .class("stages")) {
            timeline.stages.filter(Self.isShown).map { stage in
                element("li", .class(style(stage, timeline.ending))) {
                    texts[stage.point.phrase(timeline.ending)]
                    moment(stage.standing)
                }
            }
        }
    }

    /// That an effect may be seen some time says nothing.
    private static func isShown(_ stage: CommandTimeline.Stage) -> Bool {
        if case .reached = stage.standing { return true }
        return stage.point != .effectSeen
    }

    private func moment(_ standing: CommandTimeline.Standing) -> HTML? {
        switch standing {
        case .reached(let at): at.map { element("time", text: texts.format.timeWithSeconds($0)) }
        case .next, .open: unseen(.notKnownYet)
        case .skipped: unseen(.never)
        case .doubtful: nil
        }
    }

    private func unseen(_ phrase: Phrase) -> HTML {
        element("span", .class("unseen"), text: ": \(texts[phrase])")
    }

    private func style(_ stage: CommandTimeline.Stage, _ ending: CommandOutcome?) -> String {
        switch stage.standing {
        case .reached where stage.point == .ended && ending != .succeeded: "bad"
        case .reached: "reached"
        case .next: "now"
        case .open, .skipped: "open"
        case .doubtful: "doubt"
        }
    }

    private func buttons(_ command: CommandSummary) -> HTML {
        let (name, path) = (texts.name(of: command), Route.command(command.id).path)
        return .joined([
            command.canCancel
                ? ActionButton(
                    text: texts[.cancel], path: "\(path)/cancel?from=\(page.path)",
                    label: "\(texts[.cancel]): \(name)"
                ).html : .empty,
            command.canPutAway
                ? ActionButton(
                    text: texts[.putAway], path: "\(path)/put-away?from=\(page.path)",
                    label: "\(texts[.putAway]): \(name)"
                ).html : .empty,
            element(
                "a", .class("button little"), .href(path), .label("\(texts[.explain]): \(name)"),
                text: texts[.explain]),
        ])
    }

    private func arguments(_ command: CommandSummary) -> String? {
        let arguments = CommandText(texts: texts).arguments(command.arguments, rooms: command.rooms)
        return arguments.isEmpty ? nil : arguments.joined(separator: ", ")
    }

    private func reason(_ command: CommandSummary) -> HTML? {
        if let percent = command.percent, command.timeline.ending == nil {
            return HTML(texts.format.number(percent, decimals: 0) + "%")
        }
        return CommandText(texts: texts).reason(command.timeline)
    }

    /// The name of a command's element, by which a page follows it.
    static func id(of command: CommandID) -> String { "command-\(command)" }
}

extension CommandTimeline.Point {
    /// What the point is called, once it is known how the command ended.
    func phrase(_ ending: CommandOutcome?) -> Phrase {
        switch self {
        case .asked: .asked
        case .delivered: .delivered
        case .accepted: .accepted
        case .ended: ending?.phrase ?? .done
        case .effectSeen: .effectSeen
        }
    }
}

extension CommandOutcome {
    fileprivate var phrase: Phrase {
        switch self {
        case .succeeded: .done
        case .failed: .failed
        case .rejected: .rejected
        case .cancelled: .cancelled
        case .superseded: .superseded
        case .refused: .refused
        case .expired: .expired
        case .unknown: .outcomeUnknown
        }
    }
}
