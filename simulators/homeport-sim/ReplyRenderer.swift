import DeviceDomain
import DeviceMessages
import LocalServices
import TerminalOutput

/// Writes what a fleet says of its devices to standard output.
struct ReplyRenderer {
    let json: Bool
    /// The process of the fleet.
    let processID: Int32

    /// - Throws: `ExitCode`, after a line that says why it could not be written.
    func show(_ replies: [ControlReply]) throws {
        try Console.simulator.writeResult(
            json
                ? lines(of: replies).map(line)
                : replies.compactMap { clock($0, isAlone: replies.count == 1) } + rows(of: replies))
    }

    // MARK: JSON

    /// Each device with the world clock of its fleet; the clock alone where that is the whole answer.
    private func lines(of replies: [ControlReply]) -> [JSONObject] {
        var clock: JSONObject = [:]
        for case .world(let world) in replies { clock = world.members }
        let devices = replies.compactMap(members)
        return devices.isEmpty && !clock.isEmpty
            ? [clock] : devices.map { $0.merging(clock) { own, _ in own } }
    }

    private func members(of reply: ControlReply) -> JSONObject? {
        switch reply {
        case .device(let device): device.members
        case .boxed(let box): box.members
        case .world, .fault, .refused, .done: nil
        }
    }

    private func line(_ members: JSONObject) -> String {
        let pid = ["pid": JSONValue.integer(Int(processID))]
        let line = JSONWriter.write(.object(members.merging(pid) { own, _ in own }))
        return String(decoding: line, as: UTF8.self)
    }

    // MARK: Text

    /// Such as `world 2026-06-21 06:00:05.250 paused, speed 60`, in local time. A clock that runs as all others do is
    /// told only where it is the whole answer.
    private func clock(_ reply: ControlReply, isAlone: Bool) -> String? {
        guard case .world(let world) = reply, isAlone || world.isPaused || world.speed != 1
        else { return nil }
        let speed = String(decoding: JSONWriter.write(.number(world.speed)), as: UTF8.self)
        return "world \(LocalTime.date(world.instant)) \(LocalTime.timeOfDay(world.instant))"
            + "\(world.isPaused ? " paused" : ""), speed \(speed)"
    }

    /// A table without titles.
    private func rows(of replies: [ControlReply]) -> [String] {
        var table = TextTable((0..<5).map { _ in TextTable.Column("") })
        for reply in replies { if let cells = cells(of: reply) { table.add(cells) } }
        return table.rows.flatMap(table.plan(in: .plain).lines(of:))
    }

    private func cells(of reply: ControlReply) -> [TextTable.Cell]? {
        switch reply {
        case .device(let device):
            [
                .init(device.device), .init(device.kind),
                device.isOnline ? "online" : "offline", .init(device.activity),
                .init(device.faults.map(\.text).joined(separator: ", ")),
            ]
        case .boxed(let box):
            [
                .init(box.device), "boxed", .init(box.accessPoint),
                .init(String(decoding: JSONWriter.write(.object(box.label)), as: UTF8.self)), "",
            ]
        case .fault, .world, .refused, .done: nil
        }
    }
}

extension PresentFault {
    /// Such as `slow delayMs=3000 until 2025-11-24 16:00:00`, in local time.
    fileprivate var text: String {
        var words = [name.rawValue]
        for (name, value) in settings.sorted(by: { $0.key < $1.key }) {
            words.append(
                "\(name)=\(String(decoding: JSONWriter.write(.number(value)), as: UTF8.self))")
        }
        if let until { words.append("until \(LocalTime.dateAndTime(until))") }
        return words.joined(separator: " ")
    }
}
