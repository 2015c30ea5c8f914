internal import Connectivity
public import DeviceDomain

extension HomeModel {
    /// Takes in what the user calls devices and rooms now.
    /// - Returns: what changed.
    public mutating func learn(_ labels: HomeLabels) -> [DeviceChange] {
        guard labels != self.labels else { return [] }
        self.labels = labels
        return allDevices.compactMap { device in
            let label = label(of: device.id)
            guard device.label != label else { return nil }
            set(device, at: device.id)
            return DeviceChange(
                device: device.id, channel: device.channel, content: .label(label))
        }
    }

    /// What the user has said of a device, by any of its ids.
    func label(of id: DeviceID) -> DeviceLabel {
        if labels.devices.isEmpty { return DeviceLabel() }
        if let label = labels.devices[id] { return label }
        return identities.ids(of: id).lazy.compactMap { labels.devices[$0] }.first ?? DeviceLabel()
    }
}
