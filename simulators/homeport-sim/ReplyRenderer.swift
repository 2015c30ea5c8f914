import DeviceDomain
import DeviceMessages
import FleetControl

/// Writes what a fleet says of its devices to standard output.
struct ReplyRenderer {
    let json: Bool
    /// The process of the fleet.
    let processID: Int32

    func show(_ replies: [ControlReply]) {
        if json {
            for reply in replies { if let members = members(of: reply) { printObject(members) } }
        } else {
            printTable(replies.compactMap(columns))
        }
    }

    // MARK: JSON

    private func members(of reply: ControlReply) -> JSONObject? {
        switch reply {
        case .device(let device): device.members
        case .boxed(let box): box.members
        case .fault, .refused, .done: nil
        }
    }

    private func printObject(_ members: JSONObject) {
        let pid = ["pid": JSONValue.integer(Int(processID))]
        let line = JSONWriter.write(.object(members.merging(pid) { own, _ in own }))
        print(String(decoding: line, as: UTF8.self))
    }

    // MARK: Text

    private func columns(of reply: ControlReply) -> [String]? {
        switch reply {
        case .device(let device):
            [
                device.device, device.kind, device.isOnline ? "online" : "offline",
                device.activity, device.faults.map(\.text).joined(separator: ", "),
            ]
        case .boxed(let box):
            [
                box.device, "boxed", box.accessPoint,
                String(decoding: JSONWriter.write(.object(box.label)), as: UTF8.self),
            ]
        case .fault, .refused, .done: nil
        }
    }

    /// Rows of columns; the last column of a row takes what it needs.
    private func printTable(_ rows: [[String]]) {
        var widths: [Int] = []
        for row in rows {
            for (column, text) in row.dropLast().enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], text.count)
            }
        }
        for row in rows { print(line(row, widths)) }
    }

    private func line(_ row: [String], _ widths: [Int]) -> String {
        let padded = row.enumerated().map { column, text in
            let isLast = column == row.count - 1
            return isLast
                ? text : text + String(repeating: " ", count: widths[column] - text.count)
        }
        let line = padded.joined(separator: "  ")
        return String(line.reversed().drop { $0 == " " }.reversed())
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
