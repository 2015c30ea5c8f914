package import DeviceDomain

/// What all devices of one product have in common, as Homeport needs it.
package struct ThingProduct: Hashable, Sendable {
    /// The product.
    package let key: ProductKey
    /// What its devices report and do.
    package let model: ThingModel
    /// The commands of its devices.
    package let commands: ThingCommands
    /// The kind of its devices.
    package let kind: DeviceKind

    package init(_ key: ProductKey, _ model: ThingModel, kind: DeviceKind = .alinkDevice) {
        self.key = key
        self.model = model
        commands = ThingCommands(model)
        self.kind = kind
    }

    /// The description of one of its devices.
    /// - Parameters:
    ///   - nickname: what people call it; the DeviceName if empty.
    ///   - firmware: its version; empty where that is not known.
    package func profile(
        of device: ThingName, in home: HomeID, nickname: String = "", firmware: String = ""
    ) -> DeviceProfile {
        DeviceProfile(
            id: device.deviceID, home: home, kind: kind, model: DeviceModel(rawValue: key.text),
            name: nickname.isEmpty ? device.device : nickname, firmware: firmware,
            capabilities: commands.all.isEmpty ? [.connectable] : [.connectable, .controllable],
            commands: commands.all.map(\.specification),
            stateMembers: Set(model.properties.lazy.filter(\.isReadable).map(\.identifier)))
    }

    /// A reported property as Homeport has it; `nil` if the model does not have it, or has it with another
    /// type.
    package func value(of identifier: String, wire: JSONValue) -> JSONValue? {
        model.property(identifier)?.type.value(ofWire: wire)
    }
}

extension DeviceKind {
    /// A device with a thing model, of no kind that is known.
    package static let alinkDevice = DeviceKind(rawValue: "alink-device")
}
