internal import Connectivity
internal import DeviceDomain

/// Whether the rules with `same-as` can be right, as far as the ledger knows the devices. Pure.
struct RuleCheck: Sendable {
    /// The channels in the order of the configuration.
    let channels: [ChannelID]
    /// Other ids of devices, each with the id that people see.
    let aliases: [DeviceID: DeviceID]
    /// The devices that the ledger knows, under the ids of their channels.
    let known: [RememberedDevice]

    /// A warning for each rule that joins two devices of a channel. One of them may be there no more.
    var findings: [Finding] {
        guard !aliases.isEmpty else { return [] }
        var identities = DeviceIdentities(channels: channels, same: aliases)
        let contradictions = known.sorted { $0.profile.id < $1.profile.id }
            .compactMap { identities.note($0.profile.id, on: $0.channel) }
        return contradictions.map { contradiction in
            .warning(
                .configurationFile, contradiction.fact,
                remedy: "\(contradiction.remedy); 'homeport forget' drops one that is there no more"
            )
        }
    }
}
