internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import Homeport

/// What pages show of the home. It hears every change while it runs, and reads the ledger again where
/// a command has moved.
@MainActor
final class HomeState {
    let home: Home
    /// The devices in the order of their ids.
    @Tracked private(set) var devices: [DeviceID: DeviceState] = [:]
    /// The channels' links.
    @Tracked private(set) var links: [ChannelID: LinkState] = [:]
    /// Commands that wait for devices that are away, newest first.
    @Tracked private(set) var waiting: [CommandRecord] = []
    /// Why the ledger cannot be read; `nil` where it can.
    @Tracked private(set) var ledgerProblem: String? = nil

    /// Commands whose outcome is unknown, newest first.
    @Tracked private(set) var undecided: [CommandRecord] = []
    private let moved: AsyncStream<DeviceID>
    private let tellMoved: AsyncStream<DeviceID>.Continuation
    private let receipts: AsyncStream<CommandReceipt>
    private let tellReceipt: AsyncStream<CommandReceipt>.Continuation

    init(_ home: Home) {
        self.home = home
        // One entry per device is enough: the ledger is read, whatever has moved.
        (moved, tellMoved) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1_000))
        (receipts, tellReceipt) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(100))
    }

    /// The devices in the order of their ids.
    var allDevices: [DeviceState] { devices.values.sorted { $0.id < $1.id } }

    /// Hears what changes until the task is cancelled.
    func run() async {
        await withTaskGroup { group in
            group.addTask { await self.hear() }
            group.addTask { await self.readMoved() }
            group.addTask { await self.followReceipts() }
            await readOpenCommands()
            await group.next()
            group.cancelAll()
        }
    }

    private func hear() async {
        // What was known before is shown at once, also while no broker can be reached.
        do throws(HomeError) {
            try await home.recallDevices()
        } catch {
            ledgerProblem = error.message
        }
        for device in home.model.allDevices { touch(device.id) }
        for await change in home.changes() {
            switch change {
            case .link(let channel, let link): links[channel] = link
            case .device(let change): apply(change)
            }
        }
    }

    private func apply(_ change: DeviceChange) {
        switch change.content {
        case .removed: devices[change.device] = nil
        case .telemetry: touch(change.device)?.addSample()
        case .evidence: tellMoved.yield(change.device)
        case .presence:
            touch(change.device)
            tellMoved.yield(change.device)
        case .description, .doubt, .state, .problem: touch(change.device)
        case .event: break
        }
    }

    /// The device as it is known now; `nil` where nothing is.
    @discardableResult
    private func touch(_ id: DeviceID) -> DeviceState? {
        guard let known = home.latest(id) else { return devices[id] }
        if let device = devices[id] {
            device.update(known)
            return device
        }
        let device = DeviceState(known)
        devices[id] = device
        return device
    }

    // MARK: Commands

    /// A command was sent from here: it is followed to its end.
    func follow(_ receipt: CommandReceipt) {
        devices[receipt.record.intent.device]?.update(receipt.record)
        tellReceipt.yield(receipt)
    }

    private func followReceipts() async {
        await withDiscardingTaskGroup { group in
            for await receipt in receipts {
                group.addTask {
                    for await record in receipt.changes { await self.note(record) }
                }
            }
            group.cancelAll()
        }
    }

    private func note(_ record: CommandRecord) async {
        devices[record.intent.device]?.update(record)
        await readOpenCommands()
    }

    private func readMoved() async {
        for await device in moved {
            await readCommands(of: device)
            await readOpenCommands()
            // Commands move in steps: what comes meanwhile is read at once.
            do { try await Task.sleep(for: .milliseconds(50)) } catch { return }
        }
    }

    /// Reads what was sent to a device.
    func readCommands(of id: DeviceID) async {
        do {
            let records = try await home.history(device: id, limit: DeviceState.commandLimit)
            devices[id]?.update(records)
            if ledgerProblem != nil { ledgerProblem = nil }
        } catch {
            if error.code == .ledger { ledgerProblem = error.message }
        }
    }

    /// Reads which commands wait, and which have an unknown outcome.
    func readOpenCommands() async {
        if let records = try? await home.waitingCommands(), records != waiting {
            waiting = records
        }
        if let records = try? await home.history(limit: Self.historyDepth) {
            let unknown = records.filter { $0.state == .unknown }
            if unknown != undecided { undecided = unknown }
        }
    }

    /// How many of the latest commands are looked at for unknown outcomes.
    private static let historyDepth = 200
}
