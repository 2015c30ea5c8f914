import Homeport
import Synchronization

/// The devices of a home, kept up to date: redrawn in place on a terminal; else the whole list once,
/// then a line for each change of a device.
struct LiveDevices: Sendable {
    /// How often a terminal is redrawn at most.
    private static let redrawPause = Duration.milliseconds(200)

    let home: Home
    let console: Console
    let format: OutputFormat
    let filter: DeviceFilter
    /// Whether the terminal is cleared of the list at the end.
    var isErasedAtEnd = false

    /// Shows the devices that pass until the task is cancelled, nobody reads any more, or no channel
    /// can go on.
    /// - Returns: why it cannot go on.
    func show() async -> HomeError? {
        guard format == .human, console.movesCursor else { return await print() }
        return await redraw()
    }

    /// The devices that pass the filter now.
    private var devices: [KnownDevice] { home.model.allDevices.filter(filter.contains) }

    // MARK: On a terminal

    private func redraw() async -> HomeError? {
        // Many changes make one redraw.
        let (ticks, tick) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let remark = RemarkSlot()
        return await withTaskGroup(of: HomeError?.self) { group in
            group.addTask {
                defer { tick.finish() }
                return await follow(remark) { tick.yield() }
            }
            group.addTask { await draw(ticks, remark) }
            let failure = await group.next() ?? nil
            group.cancelAll()
            return failure
        }
    }

    private func follow(_ remark: RemarkSlot, _ changed: () -> Void) async -> HomeError? {
        var links = LinkLogs(home)
        changed()
        for await change in home.changes() {
            if case .link(let channel, let state) = change {
                if let text = links.remark(on: channel, state) { remark.text = text }
                if let failure = home.finalFailure { return failure }
            }
            changed()
        }
        return nil
    }

    private func draw(_ ticks: AsyncStream<Void>, _ remark: RemarkSlot) async -> HomeError? {
        var region = ScreenRegion()
        for await _ in ticks {
            guard let size = console.terminalSize, !console.isClosed else { break }
            console.draw(region.frame(frame(of: devices, remark.text), in: size))
            do {
                try await ContinuousClock().sleep(for: Self.redrawPause)
            } catch {
                break
            }
        }
        if isErasedAtEnd, let size = console.terminalSize {
            console.draw(region.frame([], in: size))
        }
        return nil
    }

    /// The table, and below it what is to be said of the links: a line on stderr would be drawn over.
    private func frame(of devices: [KnownDevice], _ remark: String?) -> [String] {
        let layout = console.layout
        let table = DevicesRenderer(format: .human, layout: layout).table(of: devices)
        let lines = table.lines(in: layout)
        return lines + (remark.map { [layout.paint(layout.fitted($0.printable), .faint)] } ?? [])
    }

    // MARK: Elsewhere

    private func print() async -> HomeError? {
        var list = PrintedDevices(format: format, layout: console.layout)
        console.write(list.lines(for: devices))
        var links = LinkLogs(home)
        for await change in home.changes() {
            switch change {
            case .device(let change):
                let device = home.latest(change.device).flatMap { filter.contains($0) ? $0 : nil }
                if let line = list.line(for: change.device, device) { console.write(line) }
            case .link(let channel, let state):
                if let text = links.remark(on: channel, state) { console.note(text) }
                if let failure = home.finalFailure { return failure }
            }
            if console.isClosed { break }
        }
        return nil
    }
}

/// What is to be said below a table, from the task that hears it to the task that draws it.
private final class RemarkSlot: Sendable {
    private let slot = Mutex<String?>(nil)

    var text: String? {
        get { slot.withLock { $0 } }
        set { slot.withLock { $0 = newValue } }
    }
}
