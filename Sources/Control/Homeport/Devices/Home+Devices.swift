internal import Connectivity
public import DeviceDomain
public import HomeModel

extension Home {
    /// Every device of the home, in the order of their ids, each of the type of its model or kind; a
    /// `GenericDevice` where the type is unknown.
    /// - Throws: ``HomeError`` `noConnection` if no channel has a usable connection.
    public func devices() async throws(HomeError) -> [any Device] {
        try await survey().devices.map { $0.device(madeBy: deviceFactory) }
    }

    /// Every device of one type.
    ///
    /// ```swift
    /// for robot in try await home.devices(of: SweepingRobot.self) { print(robot.name) }
    /// ```
    /// - Throws: as ``devices()``.
    public func devices<Kind: Device>(of type: Kind.Type) async throws(HomeError) -> [Kind] {
        try await devices().compactMap { $0 as? Kind }
    }

    /// A device by its id or, where that is unique, by its name, in upper or lower case.
    /// - Throws: ``HomeError`` `unknownDevice`, `ambiguousName`, `noConnection`.
    public func device(_ reference: String) async throws(HomeError) -> any Device {
        try await find(reference).device(madeBy: deviceFactory)
    }

    /// As ``device(_:)``, with how it is known.
    public func find(_ reference: String) async throws(HomeError) -> KnownDevice {
        if let id = DeviceID(rawValue: reference) {
            do throws(HomeError) {
                if let known = try await knownDevice(id) { return known }
            } catch {
                // As by its name: it is enough that one of several channels is up.
                guard error.code == .noConnection, stations.count > 1 else { throw error }
            }
        }
        let survey = try await survey()
        let matches = survey.devices.called(reference, id: \.id, name: \.profile?.name)
        guard let match = matches.first else {
            if let id = try await rememberedID(ofDeviceCalled: reference),
                let known = try await knownDevice(id)
            {
                return known
            }
            throw .unknownDevice(
                reference, in: id, among: survey.devices.map { ($0.id, $0.profile?.name) },
                doubt: survey.doubt)
        }
        guard matches.count == 1 else { throw .ambiguousName(reference, matches.map(\.id)) }
        return match
    }

    /// A device by its id, from its channel or the ledger; `nil` if it is known to neither.
    ///
    /// With one channel the ledger is read only for a device that does not describe itself, so that
    /// a command need not wait until the ledger is open.
    func knownDevice(_ device: DeviceID) async throws(HomeError) -> KnownDevice? {
        let remembered = stations.count > 1 ? await rememberedDevice(device) : nil
        _ = try await survey(.device(device), over: likelyStations(of: remembered))
        if live.device(device)?.profile == nil {
            let known = if let remembered { remembered } else { await rememberedDevice(device) }
            live.remember([known].compactMap(\.self))
        }
        return live.device(device)
    }

    /// The channels over which a device may be: all of them, unless a rule or the ledger tells.
    private func likelyStations(of remembered: RememberedDevice?) -> [ChannelStation] {
        guard let remembered,
            let choice = try? factory.choice(
                for: remembered.profile, heardOn: remembered.channel),
            let station = stations.first(where: { $0.channel.id == choice.channel.id })
        else { return stations }
        return [station]
    }

    /// The id of a device that people call so, as far as the ledger knows: an id, or a name in upper or
    /// lower case. It needs no connection.
    /// - Returns: `nil` where the ledger knows no such device.
    /// - Throws: ``HomeError`` `ambiguousName`, `ledger`.
    public func rememberedID(
        ofDeviceCalled reference: String
    ) async throws(HomeError) -> DeviceID? {
        let remembered = try await rememberedDevices()
        if let id = DeviceID(rawValue: reference), remembered.contains(where: { $0.id == id }) {
            return id
        }
        let called = remembered.called(reference, id: \.id, name: { $0.name }).map(\.id)
        guard called.count < 2 else { throw .ambiguousName(reference, called) }
        return called.first
    }

    /// What the ledger knows of a device; `nil` also where there is no ledger.
    func rememberedDevice(_ device: DeviceID) async -> RememberedDevice? {
        guard let control = try? await openedControl() else { return nil }
        return try? await control.devices.device(device, in: id)
    }

    // MARK: Changes

    /// What is known of a part of the home at this moment, then every change, until the task is
    /// cancelled or the home ends. It connects where that is not done yet, and again for ever where
    /// a link is lost; only refused credentials end that.
    public func changes(of scope: HomeScope = .everyDevice) -> HomeChanges {
        let changes = live.changes(of: scope)
        for station in stations { hear(scope, over: station.channel) }
        return changes
    }

    /// What is known of the home at this moment, without asking anybody.
    public var model: HomeModel { live.model }
}

extension Sequence {
    /// The devices that people mean by a text: by their ids, or their names in upper or lower case. Blanks around
    /// a name count only where several devices differ in nothing else.
    func called(
        _ reference: String, id: (Element) -> DeviceID, name: (Element) -> String?
    ) -> [Element] {
        let typed = reference.lowercased()
        let exact = filter { id($0).text == reference || name($0)?.lowercased() == typed }
        guard exact.isEmpty else { return exact }
        let bare = typed.withoutOuterBlanks
        return filter { name($0)?.lowercased().withoutOuterBlanks == bare }
    }
}

extension String {
    /// The text without blanks at its beginning and its end.
    fileprivate var withoutOuterBlanks: Substring {
        let tail = drop(while: \.isWhitespace)
        return tail.prefix(
            upTo: tail.lastIndex { !$0.isWhitespace }.map(tail.index(after:)) ?? tail.startIndex)
    }
}

extension HomeSurvey {
    /// Why a device that was not found may be there all the same; `nil` where it cannot.
    fileprivate var doubt: String? {
        if let channel = failures.keys.min() { return "the channel \(channel) is down" }
        return doubts.min { $0.key < $1.key }?.value
    }
}
