internal import Connectivity
internal import DeviceDomain

extension KnownDevice {
    /// As known from an earlier run, unless the device has said itself what it is.
    func remembering(_ remembered: RememberedDevice, as profile: DeviceProfile) -> KnownDevice {
        guard identity == .unknown else { return self }
        var device = self
        device.identity = .remembered(profile)
        device.formerlyHeardAt = remembered.heardAt
        return device
    }

    /// The same under another id.
    func called(_ id: DeviceID) -> KnownDevice {
        var device = KnownDevice(id, in: home, on: channel)
        device.heardAt = heardAt
        device.identity =
            switch identity {
            case .unknown: .unknown
            case .remembered(let profile): .remembered(profile.called(id))
            case .described(let profile): .described(profile.called(id))
            }
        device.connection = connection
        device.presence = presence
        device.keepHistory(of: self)
        device.state = state
        device.telemetry = telemetry
        device.problems = problems
        device.hearing = hearing
        return device
    }

    /// Whether the device was there, or away, just so before. Not every channel tells its boots.
    func isAsPresent(as former: KnownDevice?) -> Bool {
        let before = former?.connection ?? .unknown
        guard connection.description == before.description else { return false }
        return connection.boot == before.boot || connection.boot == nil || before.boot == nil
    }

    /// What is new in the device as all channels together know it.
    /// - Parameter cause: what one channel reported.
    func changes(
        since former: KnownDevice?,
        because cause: (channel: ChannelID, content: DeviceChange.Content)?
    ) -> [DeviceChange] {
        var contents: [DeviceChange.Content] = []
        if let former, former.channel != channel, let ways {
            contents.append(.channel(ways.reason))
        }
        if let profile, profile != former?.profile || former?.identity.isDescribed == false {
            if identity.isDescribed { contents.append(.description(profile)) }
        }
        if !isAsPresent(as: former) {
            if let presence, connection != .unknown {
                contents.append(.presence(presence))
            } else {
                contents.append(.doubt)
            }
        }
        var source = channel
        switch cause?.content {
        case .state(let state)?:
            guard ways?.stateSource == cause?.channel else { break }
            // Another channel says the same.
            if let known = former?.state, former?.ways?.stateSource != cause?.channel,
                known.members == state.members
            {
                break
            }
            contents.append(.state(state))
            source = cause?.channel ?? channel
        case .telemetry?, .event?, .evidence?, .problem?:
            cause.map { contents.append($0.content) }
            source = cause?.channel ?? channel
        case .description?, .presence?, .doubt?, .channel?, .label?, .removed?, nil: break
        }
        return contents.map { content in
            DeviceChange(
                device: id, channel: content.isReport ? source : channel, content: content)
        }
    }
}

extension KnownDevice.Identity {
    fileprivate var isDescribed: Bool { if case .described = self { true } else { false } }
}

extension DeviceChange.Content {
    /// Whether it is what one channel reported, so that it is the source.
    fileprivate var isReport: Bool {
        switch self {
        case .state, .telemetry, .event, .evidence, .problem: true
        case .description, .presence, .doubt, .channel, .label, .removed: false
        }
    }
}
