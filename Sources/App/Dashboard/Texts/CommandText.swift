internal import DeviceControl
internal import DeviceControlPresentation
internal import DeviceDomain
internal import DeviceMessages
internal import Markup
internal import SharedPresentation

/// Why commands are where they are, in the language of the page.
struct CommandText: Sendable {
    let texts: Texts

    /// Why a command is where it is; `nil` where its state says everything.
    func reason(_ timeline: CommandTimeline) -> HTML? {
        switch timeline.cause {
        case .nothing: nil
        case .device(let code, let message): report(code, message)
        case .waits, .neverLeft, .givenUp, .replaced, .noEvidence, .noAnswer, .noEnd:
            HTML(
                texts.language == .english && !timeline.reason.isEmpty
                    ? timeline.reason : sentence(timeline.cause))
        }
    }

    /// What a device says: its code in the language of the page, else its own message as a quotation.
    private func report(_ code: AckCode, _ message: String) -> HTML? {
        guard let meaning = texts.meaning(of: code) else {
            return message.isEmpty ? (code == .ok ? nil : quote(code.rawValue)) : quote(message)
        }
        guard texts.language == .english, !message.isEmpty else { return HTML(meaning) }
        return .joined([HTML("\(meaning): "), quote(message)])
    }

    /// How far a command has come, in a word.
    func standing(_ command: CommandSummary) -> String {
        let timeline = command.timeline
        let reached = timeline.stages.last {
            if case .reached = $0.standing { $0.point != .effectSeen } else { false }
        }
        let isUnknown = timeline.ending == .unknown
        return isUnknown
            ? texts[.outcomeUnknown] : reached.map { texts[$0.point.phrase(timeline.ending)] } ?? ""
    }

    /// The message of a device, in whatever language it speaks.
    func quote(_ message: String) -> HTML { element("q", .name, text: message) }

    /// What a reason of the controller says in a language that the ledger does not speak.
    private func sentence(_ reason: CommandReason) -> String {
        switch reason {
        case .nothing: ""
        case .device(let code, _): texts.meaning(of: code) ?? code.rawValue
        case .waits: texts.choose(english: "It waits for its device.", chinese: "正在等待设备")
        case .neverLeft:
            texts.choose(english: "It could not be sent in time.", chinese: "未能及时发出")
        case .givenUp(let code):
            texts.meaning(of: code)
                ?? texts.choose(english: "It could not be sent.", chinese: "未能发出")
        case .replaced:
            texts.choose(english: "Another command took its place.", chinese: "已被其他命令取代")
        case .noEvidence:
            texts.choose(
                english: "It was delivered; nothing shows whether it took effect.",
                chinese: "已送达，但无法得知是否生效")
        case .noAnswer:
            texts.choose(english: "The device has not answered.", chinese: "设备没有应答")
        case .noEnd:
            texts.choose(
                english: "The device accepted it and has not said how it ended.",
                chinese: "设备已接受，但没有报告结果")
        }
    }

    /// What a command was given, in words; rooms by their names.
    func arguments(_ arguments: JSONObject, rooms: RoomPlan?) -> [String] {
        let deviceText = DeviceText(texts: texts, units: .metric)
        let names = texts.roomNames(rooms)
        return arguments.sorted { $0.key < $1.key }.map { name, value in
            let chosen = name == "rooms" ? value.array : nil
            let text =
                chosen.map { $0.map { names[$0] ?? texts.choiceName($0) }.joined(separator: ", ") }
                ?? deviceText.value(value, of: name)
            return "\(texts.terms.member(name)) \(text)"
        }
    }
}

extension Texts {
    /// What the rooms of a floor are called, by the values that commands name them with. Two rooms of one
    /// name have their numbers, too.
    func roomNames(_ plan: RoomPlan?) -> [JSONValue: String] {
        let rooms = plan?.rooms ?? []
        let counts = Dictionary(rooms.map { ($0.name, 1) }, uniquingKeysWith: +)
        return Dictionary(
            rooms.map { room in
                let number = choose(english: "Room \(room.id)", chinese: "房间 \(room.id)")
                guard let name = room.name else { return (.integer(room.id), number) }
                return (.integer(room.id), counts[name] == 1 ? name : "\(name) (\(room.id))")
            }
        ) { first, _ in first }
    }
}
