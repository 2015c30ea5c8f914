import DeviceDomain
package import DeviceMessages

// The JSON form of records: one object each, with the kind of record in `r`.
extension JournalRecord {
    /// How large and deep one record may be: a payload of 64 KiB as a string, an answer of 60 KiB
    /// beside it, and the depth of an ack two levels further in.
    package static let limits = JSONLimits(bytes: 1 << 20, depth: 24)

    /// The canonical bytes: one JSON object without line breaks.
    package var bytes: [UInt8] {
        var json = JSONWriter()
        write(to: &json)
        return json.bytes
    }

    /// Reads the bytes of one record.
    /// - Throws: ``JournalDefect`` if they are not a record.
    package init(bytes: [UInt8]) throws(JournalDefect) {
        do {
            try self.init(json: JSONReader.read(bytes, limits: Self.limits))
        } catch let defect as JournalDefect {
            throw defect
        } catch {
            throw JournalDefect(reason: "\(error)")
        }
    }

    /// Writes the record: one JSON object without line breaks.
    package func write(to json: inout JSONWriter) {
        switch self {
        case .entered(let entry): json.write(entry.json)
        case .started(let key, let executions):
            json.write(key.json.with(["r": "started", "executions": .integer(executions)]))
        case .progressed(let key, let ack):
            json.write(key.json.with(["r": "progressed", "ack": .object(ack.json)]))
        case .finished(let finals, let state): json.write(Self.json(finals, state))
        case .confirmed(let key): json.write(key.json.with(["r": "confirmed"]))
        case .evicted(let keys):
            json.write(
                ["r": "evicted", "commands": .array(keys.map { .object($0.json) })] as JSONObject)
        case .promised(let controller, let ids, let at):
            json.write(Self.json("promised", controller, ids, ["at": .integer(at.milliseconds)]))
        case .released(let controller, let ids):
            json.write(Self.json("released", controller, ids))
        case .sequenced(let key, let sequence): json.write(Self.json(key, sequence))
        case .state(let state): json.write(state.json.with(["r": "state"]))
        // With every sample: it was written when it was compared.
        case .memory(let memory):
            json.writeObject { json in
                json.writeName("memory")
                json.write(written: memory)
                json.writeName("r")
                json.write("memory")
            }
        case .committed(let claim):
            json.write(["r": "committed", "claim": .string(claim.rawValue)] as JSONObject)
        case .lost(let moment):
            json.write(["r": "lost", "before": .integer(moment.milliseconds)] as JSONObject)
        }
    }

    private static func json(_ finals: [FinishedCommand], _ state: RecordedState?) -> JSONObject {
        let items = finals.map { final in
            JSONValue.object(final.command.json.with(["ack": .object(final.ack.json)]))
        }
        var json: JSONObject = ["r": "finished", "commands": .array(items)]
        if let state { json["state"] = .object(state.json) }
        return json
    }

    private static func json(
        _ kind: String, _ controller: ControllerID, _ ids: [CommandID], _ more: JSONObject = [:]
    ) -> JSONObject {
        let json: JSONObject = [
            "r": .string(kind), "controller": .string(controller.text),
            "ids": .array(ids.map { .string($0.text) }),
        ]
        return json.with(more)
    }

    private static func json(_ key: SequenceKey, _ sequence: Int) -> JSONObject {
        [
            "r": "sequenced", "setting": .string(key.setting.rawValue),
            "controller": .string(key.controller.text), "sequence": .integer(sequence),
        ]
    }
}

extension CommandKey {
    /// The members that name the command.
    var json: JSONObject { ["controller": .string(controller.text), "id": .string(id.text)] }
}

extension RecordedState {
    /// The JSON form.
    var json: JSONObject {
        [
            "revision": .integer(revision), "controlled": .object(controlled),
            "by": by.map { .string($0.text) } ?? .null, "at": .integer(at.milliseconds),
        ]
    }
}

extension JournalEntry {
    /// The JSON form.
    var json: JSONObject {
        command.json.with([
            "r": "entered", "payload": .string(String(decoding: payload, as: UTF8.self)),
            "urgent": .boolean(isUrgent), "executions": .integer(executions),
            "ack": .object(ack.json), "confirmed": .boolean(isConfirmed),
            "expiry": .integer(expiry.milliseconds),
        ])
    }
}

extension AckMessage {
    /// The members of the ack's payload.
    var json: JSONObject {
        let value = try? JSONReader.read(payload, limits: JournalRecord.limits)
        return value?.object ?? [:]
    }
}

extension [String: JSONValue] {
    /// These members and others beside them.
    func with(_ others: JSONObject) -> JSONObject { merging(others) { _, new in new } }
}
