internal import Connectivity
package import DeviceDomain
package import HomeModel

/// Finding single devices: from what was heard, else from the ledger.
extension HomeObservation {
    /// A device by its id or, where that is unique, by its name.
    func find(_ reference: String) async throws(HomeError) -> KnownDevice {
        if let id = DeviceID(rawValue: reference) {
            do throws(HomeError) {
                if let known = try await knownDevice(id) {
                    await labels.learn()
                    return live.device(known.id) ?? known
                }
            } catch {
                // As by its name: it is enough that one of several channels is up.
                guard error.code == .noConnection, channels.count > 1 else { throw error }
            }
        }
        await labels.learn()
        if let labelled = live.labels.device(called: reference),
            let known = try await knownDevice(labelled)
        {
            return known
        }
        let survey = try await survey(.everyDevice)
        let matches = survey.devices.called(reference, id: \.id, names: \.names)
        guard let match = matches.first else {
            if let id = try await rememberedID(ofDeviceCalled: reference),
                let known = try await knownDevice(id)
            {
                return known
            }
            throw .unknownDevice(
                reference, in: place, among: survey.devices.map { ($0.id, $0.name) },
                doubt: survey.doubt)
        }
        guard matches.count == 1 else { throw .ambiguousName(reference, matches.map(\.id)) }
        return match
    }

    /// A device by its id or name, without a connection where the ledger remembers the device and its commands.
    /// - Parameter find: finds any other one.
    func findRemembered(
        _ reference: String, else find: (String) async throws(HomeError) -> KnownDevice
    ) async throws(HomeError) -> KnownDevice {
        await labels.learn()
        let remembered = try await rememberedDevices()
        live.remember(remembered)
        let identities = live.identities
        let ids = Set(remembered.map { identities.device($0.profile.id) })
        let matches = ids.sorted().compactMap { live.device($0) }
            .called(reference, id: \.id, names: \.names)
        guard matches.count == 1 else { return try await find(reference) }
        // Why it takes no commands is known of a device that is heard.
        let takesCommands = matches[0].profile?.commands.isEmpty == false
        return takesCommands ? matches[0] : (try? await find(reference)) ?? matches[0]
    }

    /// As ``find(_:)``, from the ledger where that knows the device: then no connection is needed.
    package func findByLedger(_ reference: String) async throws(HomeError) -> KnownDevice {
        if let known = try await recallDevice(reference) { return known }
        return try await find(reference)
    }

    /// A device as the ledger remembers it, by its id or name; `nil` where it does not. It needs no connection.
    func recallDevice(_ reference: String) async throws(HomeError) -> KnownDevice? {
        guard let device = try await rememberedID(ofDeviceCalled: reference) else { return nil }
        if live.device(device)?.profile == nil, let remembered = try await rememberedDevice(device)
        {
            live.remember([remembered])
        }
        return live.device(device)
    }

    /// The device as it is known now; it is looked for unless it is heard already.
    func receiver(_ id: DeviceID) async throws(HomeError) -> KnownDevice {
        let device = live.identities.device(id)
        if let known = live.device(device), isCurrent(known) { return known }
        guard let known = try await knownDevice(device) else {
            throw .unknownDevice(device.text, in: place)
        }
        return known
    }

    /// A device by its id, from its channel or the ledger; `nil` if it is known to neither.
    ///
    /// With one channel the ledger is read only for a device that does not describe itself, so that
    /// a command need not wait until the ledger is open.
    func knownDevice(_ id: DeviceID) async throws(HomeError) -> KnownDevice? {
        let remembered = channels.count > 1 ? await ledgerEntry(of: id) : nil
        let entry = try? remembered?.get()
        await learnIDs(of: entry)
        let device = live.identities.device(id)
        _ = try await survey(.device(device), over: likelyChannels(of: entry))
        if live.device(device)?.profile == nil {
            let known = if let remembered { remembered } else { await ledgerEntry(of: device) }
            switch known {
            case .success(let known): live.remember([known].compactMap(\.self))
            case .failure(let error):
                // What is heard can be told without a ledger, too.
                if live.device(device) == nil { throw error }
            }
        }
        return live.device(device)
    }

    /// A device with every channel that knows it. That several do is told by serial numbers too, for which all
    /// devices of the other channels are looked at.
    package func onEveryChannel(_ device: KnownDevice) async throws(HomeError) -> KnownDevice {
        guard channels.count > 1, device.profile?.serial != nil, !isSurveyed else { return device }
        _ = try await survey(.everyDeviceWithoutTelemetry)
        return live.device(live.identities.device(device.id)) ?? device
    }

    private func ledgerEntry(of device: DeviceID) async -> Result<RememberedDevice?, HomeError> {
        do throws(HomeError) {
            return .success(try await rememberedDevice(device))
        } catch {
            return .failure(error)
        }
    }

    /// Learns by which ids other channels know a device whose serial number is known.
    private func learnIDs(of entry: RememberedDevice?) async {
        guard entry?.profile.serial != nil else { return }
        await recallDevices(of: Set(channels.map(\.channel.id)))
    }

    /// The channels over which a device may be: all of them, unless a rule or the ledger tells.
    private func likelyChannels(of remembered: RememberedDevice?) -> [HomeChannel] {
        guard let remembered, !mayUseSeveralChannels(remembered.profile),
            let choice = try? factory.choice(
                for: remembered.profile, heardOn: remembered.channel),
            let channel = channel(choice.channel.id)
        else { return channels }
        return [channel]
    }

    /// Whether a device may use several channels, as far as is known of its ids and by the rules.
    private func mayUseSeveralChannels(_ profile: DeviceProfile) -> Bool {
        let identities = live.identities
        if identities.ids(of: identities.device(profile.id)).count > 1 { return true }
        guard case .prefer(let order)? = factory.rule(for: profile) else { return false }
        return order.count > 1
    }

    // MARK: The ledger

    /// The devices that the ledger remembers, under each of their ids.
    func rememberedDevices() async throws(HomeError) -> [RememberedDevice] {
        try await lifetime.withStorage { try await $0.devices.devices(in: home) }
    }

    /// Stores the descriptions of the devices that were heard.
    func rememberDevices() async throws(HomeError) {
        let heard = live.model.describedDevices
        guard !heard.isEmpty else { return }
        try await lifetime.withStorage { try await $0.devices.remember(heard) }
    }

    /// The devices that the ledger knows and of which nothing is heard.
    package func unheardDevices(
        of kind: DeviceKind?, in room: GivenName?
    ) async throws(HomeError) -> [DeviceID] {
        let heard = Set(try await survey(.everyDeviceWithoutTelemetry).devices.map(\.id))
        let profiles = try await rememberedDevices().map(\.profile)
        let identities = live.identities
        let unheard = profiles.filter { kind == nil || $0.kind == kind }
            .map { identities.device($0.id) }.filter { !heard.contains($0) }
        let inRoom = room.map { Set(live.labels.devices(in: $0)) }
        return Set(unheard).filter { inRoom?.contains($0) != false }.sorted()
    }

    /// The id of a device that people call so, as far as the ledger knows; `nil` where it knows none.
    func rememberedID(ofDeviceCalled reference: String) async throws(HomeError) -> DeviceID? {
        let remembered = try await rememberedDevices().map(\.profile)
        let identities = live.identities
        if let id = DeviceID(rawValue: reference), remembered.contains(where: { $0.id == id }) {
            return identities.device(id)
        }
        await labels.learn()
        if let labelled = live.labels.device(called: reference) {
            return identities.device(labelled)
        }
        let called = Set(
            remembered.called(reference, id: \.id, names: { [$0.name] }).map {
                identities.device($0.id)
            }
        ).sorted()
        guard called.count < 2 else { throw .ambiguousName(reference, called) }
        return called.first
    }

    /// What the ledger knows of a device.
    func rememberedDevice(_ device: DeviceID) async throws(HomeError) -> RememberedDevice? {
        try await lifetime.withStorage { try await $0.devices.device(device, in: home) }
    }

    /// The devices of a channel that the ledger knows: whom to expect. A home is listed without a ledger, too.
    func rememberedDevices(of channel: ChannelID) async -> Set<DeviceID> {
        let known = try? await lifetime.withStorage {
            try await $0.devices.identifiers(in: home, on: channel)
        }
        return known ?? []
    }

    /// Puts the devices that the ledger remembers into the model of the home, as they were last known; what is heard
    /// of them replaces it. It needs no connection.
    /// - Throws: ``HomeError`` `ledger`.
    package func recallDevices() async throws(HomeError) {
        await labels.learn()
        live.remember(try await rememberedDevices())
    }

    /// Adds what the ledger knows of the devices of channels that are down. A home is listed without a ledger, too.
    func recallDevices(of channels: Set<ChannelID>) async {
        guard let known = try? await rememberedDevices() else { return }
        live.remember(known.filter { channels.contains($0.channel) })
    }

    /// Checks that a device of a kind is known, by what was heard or by the ledger. Where no device is known
    /// at all, nothing can be said of its kind.
    /// - Throws: ``HomeError`` `unknownDevice`, with the kinds that are known.
    package func requireKnownKind(_ kind: DeviceKind?) async throws(HomeError) {
        guard let kind else { return }
        // A home is listed without a ledger, too.
        let remembered = (try? await rememberedDevices()) ?? []
        let known = Set(
            live.model.allDevices.compactMap(\.profile?.kind) + remembered.map(\.profile.kind))
        guard !known.isEmpty, !known.contains(kind) else { return }
        throw HomeError(
            .unknownDevice,
            "no device of kind \(kind.rawValue) is known in \(place); the kinds that are known: "
                + known.map(\.rawValue).sorted().joined(separator: ", "))
    }
}

extension Sequence {
    /// The devices that people mean by a text: by their ids, or their names in upper or lower case. Blanks around
    /// a name count only where several devices differ in nothing else.
    func called(
        _ reference: String, id: (Element) -> DeviceID, names: (Element) -> [String]
    ) -> [Element] {
        let typed = reference.lowercased()
        let exact = filter {
            id($0).text == reference || names($0).contains { $0.lowercased() == typed }
        }
        guard exact.isEmpty else { return exact }
        let bare = typed.withoutOuterBlanks
        return filter {
            names($0).contains { $0.lowercased().withoutOuterBlanks == bare }
        }
    }
}

extension KnownDevice {
    /// What people call it: by its user, and by itself.
    fileprivate var names: [String] { [label.name?.text, profile?.name].compactMap(\.self) }
}
