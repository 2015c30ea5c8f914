import Homeport

/// The changes that `watch` shows with `--kind` and `--where`: those of devices that pass the filter.
///
/// A device that begins to pass is introduced with its presence and state: its earlier messages were
/// not shown.
struct FilteredChanges: Sendable {
    private let filter: DeviceFilter
    private var passing: Set<DeviceID> = []

    init(_ filter: DeviceFilter) { self.filter = filter }

    /// Whether every change is shown.
    var isOpen: Bool { filter.isEmpty }

    /// What is shown of a change.
    /// - Parameter device: what is known of the device now; `nil` if it is gone.
    mutating func shown(_ change: DeviceChange, _ device: KnownDevice?) -> [DeviceChange] {
        if isOpen { return [change] }
        guard let device, filter.contains(device) else {
            let wasPassing = passing.remove(change.device) != nil
            return wasPassing && device == nil ? [change] : []
        }
        guard passing.insert(change.device).inserted else { return [change] }
        return device.introduction + (change.isPartOfIntroduction ? [] : [change])
    }
}

extension KnownDevice {
    fileprivate var introduction: [DeviceChange] {
        let contents = [
            connection == .unknown ? nil : presence.map(DeviceChange.Content.presence),
            state.map(DeviceChange.Content.state),
        ]
        return contents.compactMap(\.self).map {
            DeviceChange(device: id, channel: channel, content: $0)
        }
    }
}

extension DeviceChange {
    fileprivate var isPartOfIntroduction: Bool {
        switch content {
        case .presence, .state: true
        case .description, .doubt, .channel, .label, .telemetry, .event, .evidence, .removed,
            .problem:
            false
        }
    }
}
