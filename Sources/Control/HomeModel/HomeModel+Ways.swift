internal import Connectivity
public import DeviceDomain

/// Devices that several channels know.
extension HomeModel {
    /// When it is to be looked again which channels are used, by the monotonic clock; `nil` for never.
    public var nextReview: Duration? {
        sharedDevices.values.compactMap(\.selection.nextReview).min()
    }

    /// Looks again which channels are used.
    /// - Returns: what changed.
    public mutating func review(at moment: Timestamp, elapsed: Duration) -> [DeviceChange] {
        sharedDevices.keys.sorted().flatMap { id in
            sharedDevices[id]?.selection.nextReview.map { $0 <= elapsed } == true
                ? rejoin(id, nil, at: moment, elapsed) : []
        }
    }

    /// The devices that have described themselves, each as every channel that knows it calls it.
    public var describedDevices: [RememberedDevice] {
        allDevices.flatMap { device -> [RememberedDevice] in
            let reports = sharedDevices[device.id].map { shared in
                // Where two channels know it by one id, that in use comes last and is kept.
                shared.reports.values.sorted {
                    ($0.channel == device.channel ? 1 : 0, $0.channel)
                        < ($1.channel == device.channel ? 1 : 0, $1.channel)
                }
            }
            return (reports ?? [device]).compactMap { report in
                guard case .described(let profile) = report.identity else { return nil }
                let local = identities.id(of: device.id, on: report.channel)
                return RememberedDevice(
                    profile: profile.called(local), channel: report.channel,
                    heardAt: report.heardAt)
            }
        }
    }

    /// The link of a channel works. Its devices are heard again before they count as reachable.
    /// - Returns: what changed.
    public mutating func linkMade(
        of channel: ChannelID, at moment: Timestamp, elapsed: Duration = .zero
    ) -> [DeviceChange] {
        links[channel] = .up
        // Messages may have come before the news that the link works.
        return sharedDevices.keys.sorted().flatMap { id in
            sharedDevices[id]?.reports[channel] == nil ? [] : rejoin(id, nil, at: moment, elapsed)
        }
    }

    /// Takes in the ids of a device of an earlier run.
    mutating func learn(
        _ profile: DeviceProfile, on channel: ChannelID, isHeard: Bool
    ) -> [DeviceChange] {
        switch identities.learn(profile, on: channel, isHeard: isHeard) {
        case .same(let other, let device)?: unite(other, with: device)
        case .different(let device)?: separate(device)
        case .contradicted(let contradiction)?: separate(contradiction)
        case nil: []
        }
    }

    // MARK: Observations

    mutating func applyAmongOthers(
        _ observation: DeviceObservation, at moment: Timestamp, elapsed: Duration
    ) -> [DeviceChange] {
        var changes: [DeviceChange] = []
        if case .description(let profile) = observation.content {
            changes = learn(profile, on: observation.channel, isHeard: true)
        } else if !identities.isPlain,
            let contradiction = identities.note(observation.device, on: observation.channel)
        {
            changes = separate(contradiction)
        }
        let named = observation.called(identities.device(observation.device))
        if case .removed = observation.content {
            identities.leave(observation.device, observation.channel)
        }
        changes += applyNamed(named, at: moment, elapsed)
        if case .description = named.content, let problem = wrongRules[named.device] {
            changes += applyNamed(named.with(problem), at: moment, elapsed)
        }
        return changes
    }

    /// Applies an observation that has the id of the device in the home.
    private mutating func applyNamed(
        _ observation: DeviceObservation, at moment: Timestamp, _ elapsed: Duration
    ) -> [DeviceChange] {
        var changes: [DeviceChange] = []
        let (id, channel) = (observation.device, observation.channel)
        if links[channel] == nil { links[channel] = .up }
        share(id, with: channel)
        guard sharedDevices[id] != nil else {
            let former = devices[id]?.channel
            changes += applyAlone(observation, at: moment)
            if let former, former != channel, devices[id] != nil {
                let reason = "it was known on \(former) from an earlier run"
                changes.append(
                    DeviceChange(device: id, channel: channel, content: .channel(reason)))
            }
            return changes
        }
        return changes + apply(observation, toShared: id, at: moment, elapsed)
    }

    /// A device that one channel knew is known on another one, too.
    private mutating func share(_ id: DeviceID, with channel: ChannelID) {
        guard sharedDevices[id] == nil, let known = devices[id], known.channel != channel else {
            return
        }
        // One that is known from an earlier run alone has moved, unless it has another id there.
        guard known.heardAt != nil || identities.ids(of: id).count > 1 else { return }
        sharedDevices[id] = SharedDevice([known])
    }

    private mutating func apply(
        _ observation: DeviceObservation, toShared id: DeviceID, at moment: Timestamp,
        _ elapsed: Duration
    ) -> [DeviceChange] {
        let channel = observation.channel
        var report =
            sharedDevices[id]?.reports[channel] ?? KnownDevice(id, in: home, on: channel)
        let change = change(&report, by: observation, at: moment)
        if report.isEmpty || change == .removed {
            sharedDevices[id]?.reports[channel] = nil
        } else {
            sharedDevices[id]?.reports[channel] = report
        }
        sharedDevices[id]?.note(change, from: channel)
        return rejoin(id, change.map { (channel, $0) }, at: moment, elapsed)
    }

    mutating func loseWays(
        over channel: ChannelID, at moment: Timestamp, elapsed: Duration
    ) -> [DeviceChange] {
        sharedDevices.keys.sorted().flatMap { id -> [DeviceChange] in
            guard sharedDevices[id]?.reports[channel] != nil else { return [] }
            sharedDevices[id]?.reports[channel]?.connection = .unknown
            sharedDevices[id]?.reports[channel]?.hearing.isOverLink = false
            return rejoin(id, nil, at: moment, elapsed)
        }
    }

    mutating func rememberAmongOthers(_ remembered: RememberedDevice) {
        let channel = remembered.channel
        _ = learn(remembered.profile, on: channel, isHeard: false)
        let id = identities.device(remembered.profile.id)
        let local = RememberedDevice(
            profile: remembered.profile.called(id), channel: channel, heardAt: remembered.heardAt)
        let isOther = identities.ids(of: id).count > 1
        if isOther { share(id, with: channel) }
        guard sharedDevices[id] != nil else { return rememberAlone(local) }
        guard sharedDevices[id]?.reports[channel] != nil || isOther else { return }
        let known = sharedDevices[id]?.reports[channel] ?? KnownDevice(id, in: home, on: channel)
        sharedDevices[id]?.reports[channel] = known.remembering(local, as: local.profile)
        _ = rejoin(id, nil, at: remembered.heardAt ?? Timestamp(milliseconds: 0), .zero)
    }

    // MARK: Joining

    /// Makes the device of what its channels report.
    /// - Parameter cause: what one of them reported.
    private mutating func rejoin(
        _ id: DeviceID, _ cause: (channel: ChannelID, content: DeviceChange.Content)?,
        at moment: Timestamp, _ elapsed: Duration
    ) -> [DeviceChange] {
        guard var shared = sharedDevices[id] else { return [] }
        let former = devices[id]
        let profile =
            former?.profile ?? shared.reports.values.lazy.compactMap(\.profile).first
            ?? .undescribed(id, in: home)
        shared.select(
            preferences.order(
                for: profile, called: identities.ids(of: id), knownOn: shared.channels),
            links: links, at: elapsed)
        sharedDevices[id] = shared
        guard !shared.reports.isEmpty, var device = shared.joined(after: former, identities) else {
            sharedDevices[id] = nil
            set(nil, at: id)
            return former.map {
                [DeviceChange(device: id, channel: $0.channel, content: .removed)]
            } ?? []
        }
        if !device.isAsPresent(as: former) { device.beginPeriod(at: moment) }
        set(device, at: id)
        return device.changes(since: former, because: cause)
    }

    private mutating func unite(_ other: DeviceID, with device: DeviceID) -> [DeviceChange] {
        guard let known = devices[other] else { return [] }
        var reports = sharedDevices[device].map { Array($0.reports.values) } ?? []
        if reports.isEmpty, let one = devices[device] { reports = [one] }
        let news = sharedDevices[other].map { Array($0.reports.values) } ?? [known]
        sharedDevices[other] = nil
        set(nil, at: other)
        reports += news.map { $0.called(device) }
        // With one report there is nothing to join yet.
        if reports.count == 1 {
            set(reports[0], at: device)
        } else {
            sharedDevices[device] = SharedDevice(reports)
        }
        return [DeviceChange(device: other, channel: known.channel, content: .removed)]
    }

    /// The configuration joins devices that are several: what was heard of them goes to the ids that their channels
    /// use.
    private mutating func separate(
        _ contradiction: DeviceIdentities.Contradiction
    ) -> [DeviceChange] {
        for id in contradiction.ids { wrongRules[id] = contradiction.text }
        let device = contradiction.device
        guard let known = devices[device] else { return [] }
        let reports = sharedDevices.removeValue(forKey: device)?.reports.values.map(\.self)
        set(nil, at: device)
        var changes: [DeviceChange] = []
        for report in (reports ?? [known]).sorted(by: { $0.channel < $1.channel }) {
            var report = report.called(contradiction.locals[report.channel] ?? device)
            let problem = wrongRules[report.id]
            if let problem { report.problems[.description] = problem }
            // Two channels may know it by one id: the first one is kept until the other speaks again.
            guard devices[report.id] == nil else { continue }
            set(report, at: report.id)
            changes += report.changes(
                since: report.id == device ? known : nil,
                because: problem.map { (report.channel, .problem(.description, $0)) })
        }
        guard devices[device] == nil else { return changes }
        return [DeviceChange(device: device, channel: known.channel, content: .removed)] + changes
    }

    /// What was known as one device is several: each channel's is known anew once it speaks again.
    private mutating func separate(_ device: DeviceID) -> [DeviceChange] {
        guard sharedDevices.removeValue(forKey: device) != nil, let known = devices[device] else {
            return []
        }
        set(nil, at: device)
        return [DeviceChange(device: device, channel: known.channel, content: .removed)]
    }
}

extension DeviceObservation {
    /// What is wrong with the description of the same device.
    fileprivate func with(_ problem: String) -> DeviceObservation {
        DeviceObservation(
            channel: channel, home: home, device: device, content: .problem(.description, problem))
    }
}
