package import DeviceDomain

/// An observation before it has the names of its channel and its home.
package struct DeviceUpdate: Hashable, Sendable {
    /// The device that it is about.
    package let device: DeviceID
    /// What was received of it, or concluded.
    package let content: DeviceObservation.Content

    package init(device: DeviceID, content: DeviceObservation.Content) {
        self.device = device
        self.content = content
    }

    /// Nobody knows whether the device is there, so that commands to it may be tried.
    package static func unknownPresence(of device: DeviceID) -> DeviceUpdate {
        DeviceUpdate(device: device, content: .cleared(.presence))
    }
}
