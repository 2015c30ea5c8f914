extension DeviceProfile {
    /// The same device under another id: a channel may know it by another one than its home.
    public func called(_ id: DeviceID) -> DeviceProfile {
        id == self.id ? self : with(id, name)
    }

    /// The same device by the name that a user has given it; `nil` for its own.
    public func named(_ name: GivenName?) -> DeviceProfile {
        guard let name, name.text != self.name else { return self }
        return with(id, name.text)
    }

    private func with(_ id: DeviceID, _ name: String) -> DeviceProfile {
        DeviceProfile(
            id: id, home: home, kind: kind, model: model, name: name, firmware: firmware,
            capabilities: capabilities, commands: commands, plan: plan, stateMembers: stateMembers,
            serial: serial)
    }
}
