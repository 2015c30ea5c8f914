internal import DeviceControl
public import DeviceDomain
public import HomeModel

extension Home {
    /// Every device of the home, in the order of their ids, each of the type of its model or kind; a
    /// `GenericDevice` where the type is unknown.
    /// - Throws: ``HomeError`` `noConnection` if no channel has a usable connection.
    public func devices() async throws(HomeError) -> [any Device] {
        try await survey().devices.map { $0.device(madeBy: commands.deviceFactory) }
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

    /// The devices that pass a filter, in the order of their ids. Telemetry is heard only where a
    /// condition cannot be decided without it; samples of it are waited for, for a while.
    /// - Throws: ``HomeError`` `noConnection`; `unknownMember` where a condition is on a member that no
    ///   device of the kind reports.
    public func devices(
        matching filter: DeviceFilter, waiting patience: Duration = .seconds(10)
    ) async throws(HomeError) -> [KnownDevice] {
        try await observation.devices(matching: filter, waiting: patience).devices
    }

    /// A device by its id or, where that is unique, by its name, in upper or lower case.
    /// - Throws: ``HomeError`` `unknownDevice`, `ambiguousName`, `noConnection`, `ledger`.
    public func device(_ reference: String) async throws(HomeError) -> any Device {
        try await find(reference).device(madeBy: commands.deviceFactory)
    }

    /// As ``device(_:)``, with how it is known.
    public func find(_ reference: String) async throws(HomeError) -> KnownDevice {
        try await observation.find(reference)
    }

    /// Finds the devices: connects where that is not done yet, and waits for the retained messages.
    /// - Throws: ``HomeError`` `noConnection` if no channel has a usable connection, `notRunning`.
    public func survey(_ scope: HomeScope = .everyDevice) async throws(HomeError) -> HomeSurvey {
        try await observation.survey(scope)
    }

    /// The devices that the ledger knows and of which nothing is heard, although their channels are up: they
    /// are away, and their broker keeps nothing of them any more; or they are gone.
    /// - Parameter kind: only those of a kind.
    /// - Throws: ``HomeError`` `noConnection`, `ledger`.
    public func unheardDevices(
        of kind: DeviceKind? = nil
    ) async throws(HomeError) -> [DeviceID] {
        try await observation.unheardDevices(of: kind, in: nil)
    }

    // MARK: The ledger

    /// The devices that this home has seen, from the ledger. It needs no connection.
    /// - Throws: ``HomeError`` `ledger`.
    public func rememberedDevices() async throws(HomeError) -> [DeviceProfile] {
        try await observation.rememberedDevices().map(\.profile)
    }

    /// The id of a device that people call so, as far as the ledger knows: an id, or a name in upper or
    /// lower case. It needs no connection.
    /// - Returns: `nil` where the ledger knows no such device.
    /// - Throws: ``HomeError`` `ambiguousName`, `ledger`.
    public func rememberedID(
        ofDeviceCalled reference: String
    ) async throws(HomeError) -> DeviceID? {
        try await observation.rememberedID(ofDeviceCalled: reference)
    }

    /// Stores the descriptions of the devices that were heard, so that they are known while they are
    /// offline.
    /// - Throws: ``HomeError`` `ledger`.
    public func rememberDevices() async throws(HomeError) {
        try await observation.rememberDevices()
    }

    /// Removes a device from the ledger, from what is known of the home, and from what its broker keeps: the
    /// retained messages of the device and its desired settings. Its commands stay in the ledger; those that wait
    /// for it are taken back, and settings that were kept for it put away.
    ///
    /// A device that is online is refused: its next message would bring it back, without the description that
    /// it publishes once. So is one whose channel is down, as it may be online. With `evenIfOnline` both are
    /// forgotten all the same: one whose certificate was revoked counts as online, because mosquitto sends no will
    /// when it ends the connection. Where the broker keeps some of it, ``ForgottenDevice/comesBack`` says why it
    /// will be there again.
    /// - Throws: ``HomeError`` `deviceOnline`; `unknownDevice` if neither ledger nor home knows it; that of its
    ///   channel; `ledger`, `notRunning`.
    @discardableResult
    public func forget(
        _ device: DeviceID, evenIfOnline: Bool = false
    ) async throws(HomeError) -> ForgottenDevice {
        try await withdrawal.forget(device, evenIfOnline: evenIfOnline)
    }

    // MARK: Changes

    /// What is known of a part of the home at this moment, then every change, until the task is
    /// cancelled or the home ends. It connects where that is not done yet, and again for ever where
    /// a link is lost; only refused credentials end that.
    public func changes(of scope: HomeScope = .everyDevice) -> HomeChanges {
        let changes = live.changes(of: scope)
        observation.observe(scope)
        return changes
    }

    /// What is known of the home at this moment, without asking anybody.
    public var model: HomeModel { live.model }

    /// What is known of a device at this moment, without asking anybody; `nil` if nothing is.
    public func latest(_ device: DeviceID) -> KnownDevice? { live.device(device) }

    /// Whether a device sends samples of telemetry from time to time: not over a channel that reports
    /// states only.
    public func reportsTelemetry(_ device: KnownDevice) -> Bool {
        observation.reportsTelemetry(device)
    }

    /// Waits until every one of these devices has sent a sample of telemetry since the home connected.
    /// - Parameters:
    ///   - devices: the devices whose samples it waits for.
    ///   - limit: how long it waits at most.
    /// - Returns: the devices that have sent none.
    @discardableResult
    public func waitForTelemetry(
        of devices: Set<DeviceID>, within limit: Duration
    ) async -> Set<DeviceID> {
        await observation.waitForTelemetry(of: devices, within: limit)
    }
}
