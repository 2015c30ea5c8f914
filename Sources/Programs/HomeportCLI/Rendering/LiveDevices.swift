import Homeport
import TerminalOutput

/// The devices of a home, kept up to date: redrawn in place on a terminal; else the whole list once,
/// then a line for each change of a device.
struct LiveDevices: Sendable {
    /// How often a terminal is redrawn at most.
    private static let redrawPause = Duration.milliseconds(200)

    let home: Home
    let console: Console
    let style: ListStyle
    let filter: DeviceFilter
    /// Whether the terminal is cleared of the list at the end.
    var isErasedAtEnd = false

    /// Shows the devices that pass until the task is cancelled, nobody reads any more, or no channel
    /// can go on.
    /// - Returns: why it cannot go on.
    func show() async -> HomeError? {
        guard style.isTable, console.movesCursor else { return await print() }
        return await console.holdingRemarks { await redraw() }
    }

    /// The devices that pass the filter now.
    private var devices: [KnownDevice] { home.model.allDevices.filter(filter.contains) }

    // MARK: On a terminal

    private func redraw() async -> HomeError? {
        // Many changes make one redraw.
        let (ticks, tick) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        return await withTaskGroup(of: HomeError?.self) { group in
            group.addTask {
                defer { tick.finish() }
                return await follow { tick.yield() }
            }
            group.addTask { await draw(ticks) }
            let failure = await group.next() ?? nil
            group.cancelAll()
            return failure
        }
    }

    private func follow(_ changed: () -> Void) async -> HomeError? {
        var links = LinkLogs(home)
        changed()
        for await change in home.changes() {
            if case .link(let channel, let state) = change {
                if let text = links.remark(on: channel, state) { console.note(text) }
                if let failure = home.finalFailure { return failure }
            }
            changed()
        }
        return nil
    }

    private func draw(_ ticks: AsyncStream<Void>) async -> HomeError? {
        var region = ScreenRegion()
        for await _ in ticks {
            guard let size = console.terminalSize, !console.isClosed else { break }
            console.draw(region.frame(frame(), in: size))
            do {
                try await ContinuousClock().sleep(for: Self.redrawPause)
            } catch {
                break
            }
        }
        if let size = console.terminalSize {
            console.draw(region.frame(isErasedAtEnd ? [] : table(console.layout), in: size))
        }
        return nil
    }

    /// The table, and below it the latest remark.
    private func frame() -> [String] {
        let layout = console.layout
        let remark = console.heldRemark.map { layout.paint(layout.fitted($0), .faint) }
        return table(layout) + [remark].compactMap(\.self)
    }

    private func table(_ layout: Layout) -> [String] {
        DevicesRenderer(style: style, layout: layout).listing(of: devices).table(style)
            .lines(in: layout)
    }

    // MARK: Elsewhere

    private func print() async -> HomeError? {
        var list = PrintedDevices(style: style, layout: console.layout)
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
