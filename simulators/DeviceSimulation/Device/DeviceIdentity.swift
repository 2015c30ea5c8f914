package import DeviceDomain

/// Who a simulated device is; nothing of it changes while it lives.
package struct DeviceIdentity: Hashable, Sendable {
    /// The home that it belongs to.
    package let home: HomeID
    /// Its name within the home.
    package let device: DeviceID
    /// Its model, which decides its behaviour.
    package let model: DeviceModel
    /// The name that people gave it.
    package let name: String
    /// The version of its firmware.
    package let firmware: String

    package init(
        home: HomeID, device: DeviceID, model: DeviceModel, name: String,
        firmware: String = "1.0.0"
    ) {
        self.home = home
        self.device = device
        self.model = model
        self.name = name
        self.firmware = firmware
    }
}
