internal import DeviceDomain
internal import DeviceMessages

extension CommandProgress {
    /// What an entry tells as `progress` beside the state of a command that has ended, or whose outcome is unknown: a
    /// check compares the command with it.
    var told: JSONValue {
        var told: JSONObject = [
            "message": .string(message), "result": .object(result), "sends": .integer(sends),
        ]
        told["code"] = code.map { .string($0.rawValue) }
        told["revision"] = revision.map(JSONValue.integer)
        told["sentAt"] = timings.sentAt.map { .integer($0.milliseconds) }
        told["acceptedAt"] = timings.acceptedAt.map { .integer($0.milliseconds) }
        told["finalAt"] = timings.finalAt.map { .integer($0.milliseconds) }
        return .object(told)
    }
}
