package import DeviceDomain
import DeviceMessages

/// A fault of a device in a run, for those who show it.
package struct FaultSpan: Hashable, Sendable {
    /// Which fault.
    package let fault: String
    package let home: HomeID
    package let device: DeviceID
    /// When it began (world clock).
    package let from: Timestamp
    /// When it ended or will end; `nil` for one that stays.
    package let until: Timestamp?
}

extension FleetReport {
    /// The faults that happened, in the order in which they began.
    package var faultSpans: [FaultSpan] {
        faults.map {
            FaultSpan(
                fault: $0.fault, home: $0.device.home, device: $0.device.device, from: $0.from,
                until: $0.until)
        }
    }

    /// How many commands the devices took.
    package var commandsSent: Int { commands.sent }

    /// How these ended, in the order of a report; those that have not last.
    package var commandEnds: [(name: String, count: Int)] {
        CommandTally.ends.map { ($0.rawValue, commands.ended[$0] ?? 0) } + [("open", commands.open)]
    }
}
