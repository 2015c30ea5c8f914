public import Connectivity
public import DeviceDomain
internal import HomeModel

/// Something that happened to a device of a home.
public struct DeviceEvent: Hashable, Sendable {
    /// The device.
    public let device: DeviceID
    /// The channel that reported it.
    public let channel: ChannelID
    /// The event as it came, with its name, its details and its time.
    public let report: EventReport

    /// What happened, typed.
    public var fact: DeviceFact { DeviceFact(report.name, report.detail) }

    init?(_ change: HomeChange) {
        guard case .device(let change) = change, case .event(let report) = change.content else {
            return nil
        }
        device = change.device
        channel = change.channel
        self.report = report
    }
}

/// A sample of a device, and when it was taken.
public struct DeviceReading<Sample: DeviceSample>: Hashable, Sendable {
    /// The signals.
    public let sample: Sample
    /// When the device took it, if the channel reports that (world clock).
    public let at: Timestamp?

    init?(_ change: HomeChange) {
        guard case .device(let change) = change, case .telemetry(let report) = change.content else {
            return nil
        }
        sample = Sample(report.values)
        at = report.at
    }
}

extension Home {
    /// What happens to a part of the home from the call on, until the task is cancelled or the home ends. Connects
    /// as ``changes(of:)`` does. For a reader that falls behind by 10,000 events the newest ones are dropped.
    public func events(
        of scope: HomeScope = .everyDevice
    ) -> some AsyncSequence<DeviceEvent, Never> & Sendable {
        changes(of: scope).compactMap { DeviceEvent($0) }
    }

    /// The samples of a device, beginning with the latest that is known, until the task is cancelled or the home
    /// ends. Connects as ``changes(of:)`` does. A slow reader gets the newest.
    public func samples<Source: Sampled>(
        of device: Source
    ) -> some AsyncSequence<DeviceReading<Source.Sample>, Never> & Sendable {
        changes(of: .device(device.id)).compactMap { DeviceReading($0) }
    }
}
