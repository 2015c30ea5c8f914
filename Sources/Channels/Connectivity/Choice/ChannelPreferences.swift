public import DeviceDomain

/// The channels of a home in their order, and the rules about them.
public struct ChannelPreferences: Hashable, Sendable {
    /// The channels in the order of the configuration.
    public let channels: [ChannelID]
    private let rules: [ChannelRule.Scope: ChannelRule.Use]

    /// Of two rules with one scope the later one holds.
    public init(channels: [ChannelID] = [], rules: [ChannelRule] = []) {
        self.channels = channels
        self.rules = Dictionary(rules.map { ($0.scope, $0.use) }) { _, later in later }
    }

    /// The rule that holds for a device, and whom it is about: that of the device, else of its model, else of
    /// its kind.
    /// - Parameter ids: the ids that the device has on its channels, beside that of the profile.
    func rule(
        for profile: DeviceProfile, called ids: Set<DeviceID> = []
    ) -> (use: ChannelRule.Use, subject: ChannelRule.Scope)? {
        let devices = [profile.id] + ids.subtracting([profile.id]).sorted()
        let scopes =
            devices.map { ChannelRule.Scope.device($0, profile.home) }
            + [.model(profile.model), .kind(profile.kind)]
        for scope in scopes {
            if let use = rules[scope] { return (use, scope) }
        }
        return nil
    }

    /// The channels that a device may use, the best one first.
    /// - Parameters:
    ///   - ids: the ids that the device has on its channels, beside that of the profile.
    ///   - known: those on which it is known.
    public func order(
        for profile: DeviceProfile, called ids: Set<DeviceID> = [], knownOn known: Set<ChannelID>
    ) -> [ChannelID] {
        let inOrder = channels.filter(known.contains)
        switch rule(for: profile, called: ids)?.use {
        case .only(let channel): return [channel]
        case .prefer(let preferred):
            return preferred.filter(known.contains) + inOrder.filter { !preferred.contains($0) }
        case nil: return inOrder
        }
    }
}
