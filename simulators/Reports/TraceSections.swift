import DeviceDomain
import Fleet
import Markup

/// The way of a robot on its floor, that of one in its pool, and the time of a store.
struct TraceSections {
    let report: FleetReport

    var markup: HTML {
        let store = report.traces.first { $0.kind == .energyStore && $0.points.count > 1 }
        return HTML.joined([
            section("A floor and the way of its robot", .sweepingRobot),
            section("A pool and the way of its robot", .poolRobot),
            store.map { StoreSection(trace: $0, axis: TimeAxis(of: report)).markup } ?? .empty,
        ])
    }

    private func section(_ title: String, _ kind: DeviceKind) -> HTML {
        guard let robot = longest(kind) else { return .empty }
        return HTMLReport.section(title) { figure(of: robot) }
    }

    /// The robot that has come farthest; `nil` where none has moved.
    private func longest(_ kind: DeviceKind) -> DeviceTrace? {
        report.traces.filter { $0.kind == kind && $0.wayM > 0 }.max { $0.wayM < $1.wayM }
    }

    private func figure(of robot: DeviceTrace) -> HTML {
        let start = robot.points.first?.at ?? report.epoch
        let end = robot.points.last?.at ?? report.epoch
        return element("figure", .class("floor")) {
            FloorFigure(trace: robot).markup
            element("figcaption") {
                element("b", text: "\(robot.home)/\(robot.device)")
                ", \(NumberText.short((robot.wayM * 10).rounded() / 10)) m between "
                "\(NumberText.moment(start)) and \(NumberText.moment(end)). "
                "The way is drawn from sample to sample."
            }
        }
    }
}

/// What a store did with its home.
struct StoreSection {
    let trace: DeviceTrace
    /// That of all charts of the page.
    let axis: TimeAxis

    var markup: HTML {
        HTMLReport.section("A store and its home") {
            element("p", .class("lead")) {
                element("b", text: "\(trace.home)/\(trace.device)")
                " from \(NumberText.moment(start)), as it reported itself."
            }
            LineFigure(
                title: "State of charge", unit: "%",
                lines: [line("State of charge", "s1", .stateOfChargePercent, isFilled: true)],
                isPercent: true, axis: axis.markup
            ).markup
            LineFigure(
                title: "Powers", unit: "W",
                lines: [
                    line("Roof", "s3", .pvPowerW, isFilled: true),
                    line("Load", "s4", .loadPowerW), line("Grid", "s5", .gridPowerW),
                    line("Into the store", "s2", .batteryPowerW),
                ], axis: axis.markup
            ).markup
        }
    }

    private var start: Timestamp { trace.points.first?.at ?? Timestamp(milliseconds: 0) }

    private func line(
        _ name: String, _ tone: String, _ signal: Signal, isFilled: Bool = false
    ) -> LineFigure.Line {
        LineFigure.Line(
            name: name, tone: tone,
            points: trace.points.compactMap { point in
                point.values[signal].map {
                    LineFigure.Point(share: axis.share(of: point.at), value: $0)
                }
            }, isFilled: isFilled)
    }
}
