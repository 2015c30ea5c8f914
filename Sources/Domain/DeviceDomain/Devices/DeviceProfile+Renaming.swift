extension DeviceProfile {
    /// The same device under another id: a channel may know it by another one than its home.
    public func called(_ id: DeviceID) -> DeviceProfile {
        guard id != self.id else { return self }
        return DeviceProfile(
            id: id, home: home, kind: kind, model: model, name: name, firmware: firmware,
            capabilities: capabilities, commands: commands, plan: plan, stateMembers: stateMembers,
            serial: serial)
    }
}
