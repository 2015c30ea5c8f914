internal import DeviceControl
public import DeviceDomain
public import Observation
public import SharedPresentation

/// Finds what is wrong with the set-up.
public protocol DoctorService: Sendable {
    /// Runs every check.
    func findings() async -> [DoctorFinding]
}

/// What one check has found, in the words of the library.
public struct DoctorFinding: Hashable, Sendable {
    /// How bad it is.
    public enum Status: String, Hashable, Sendable, CaseIterable {
        /// Nothing is wrong.
        case ok
        /// It works, but not well or not for certain.
        case warning
        /// Something is wrong.
        case problem
    }

    /// What was checked, by the name of the check.
    public let check: String
    /// How bad it is.
    public let status: Status
    /// What was found.
    public let cause: String
    /// What to do; empty where nothing is to be done.
    public let remedy: String

    public init(check: String, status: Status, cause: String, remedy: String) {
        self.check = check
        self.status = status
        self.cause = cause
        self.remedy = remedy
    }
}

/// The links of the channels, and what is wrong with the set-up.
@MainActor @Observable
public final class ChannelsViewModel {
    /// A channel and its link.
    public struct Channel: Hashable, Sendable, Identifiable {
        /// Names the channel.
        public let id: ChannelID
        /// Where its other end is.
        public let address: String
        /// How many devices are reached over it.
        public let deviceCount: Int
        /// How its link stands.
        public let link: LinkStanding
    }

    /// How the checks stand.
    public enum Checks: Hashable, Sendable {
        /// Nobody has asked for them.
        case idle
        /// They run.
        case running
        /// They have ended at a moment (wire clock).
        case done([DoctorFinding], at: Timestamp)
    }

    /// How the checks stand.
    public private(set) var checks = Checks.idle
    @ObservationIgnored private let services: DeviceControlServices
    @ObservationIgnored private let orders: AsyncStream<Void>
    @ObservationIgnored private let order: AsyncStream<Void>.Continuation

    init(_ services: DeviceControlServices) {
        self.services = services
        (orders, order) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The channels in the order of their ids.
    public var state: ScreenState<[Channel]> {
        let memory = services.memory
        let channels = memory.links.map { id, link in
            Channel(
                id: id, address: memory.service.address(of: id),
                deviceCount: memory.devices.values.count { $0.channel == id }, link: link)
        }
        guard channels.isEmpty else { return .content(channels.sorted { $0.id < $1.id }) }
        return memory.isRecalled ? .empty : .loading
    }

    /// The checks are to run; while they do that changes nothing.
    public func checkButtonTapped() {
        if case .running = checks { return }
        checks = .running
        order.yield()
    }

    /// Carries out the checks that are asked for until the task is cancelled.
    func run() async {
        for await _ in orders {
            let findings = await services.doctor.findings()
            checks = .done(findings, at: services.clock.now.wall)
        }
    }
}
