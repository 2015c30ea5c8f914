extension DeviceProfile {
    /// A device that has not described itself: of no known kind, and without commands.
    public static func undescribed(_ id: DeviceID, in home: HomeID) -> DeviceProfile {
        DeviceProfile(
            id: id, home: home, kind: DeviceKind(rawValue: "unknown"),
            model: DeviceModel(rawValue: "unknown"), name: id.text, firmware: "",
            capabilities: [], commands: [])
    }
}
