internal import Connectivity
internal import DeviceDomain

extension HomeChange {
    /// About how many bytes it takes in memory.
    var size: Int { if case .device(let change) = self { change.size } else { 0 } }
}

extension DeviceChange {
    /// About how many bytes it takes in memory. Of what waits as the newest of its kind only, the content is left out.
    package var size: Int {
        let fixed = 256
        return switch content {
        case .telemetry(let sample): fixed + sample.values.size
        case .event(let event): fixed + event.detail.size
        case .evidence(let evidence): fixed + evidence.message.utf8.count + evidence.result.size
        case .description, .presence, .doubt, .channel, .label, .state, .removed, .problem: fixed
        }
    }
}

extension JSONObject {
    fileprivate var size: Int { reduce(32) { $0 + 32 + $1.key.utf8.count + $1.value.size } }
}

extension JSONValue {
    fileprivate var size: Int {
        switch self {
        case .null, .boolean, .number: 16
        case .string(let text): 16 + text.utf8.count
        case .array(let values): values.reduce(32) { $0 + $1.size }
        case .object(let members): members.size
        }
    }
}
