internal import DeviceControlPresentation
internal import Markup

/// Where the power of the home comes from and where it goes, as a drawing: the house in the middle, solar
/// above, the grid at the left and the battery at the right.
struct EnergyDrawing: Sendable {
    let texts: Texts
    let flow: EnergyFlow

    /// Below this nothing flows, as far as a person cares.
    private static let stillW = 5.0

    func svg() -> HTML {
        element(
            "svg", .class("flow"), .init("viewBox", "0 0 480 310"), .init("role", "img"),
            .label(summary)
        ) {
            wire("M240 112V166", flow: flow.solarW)
            wire("M132 220H186", flow: flow.gridW)
            wire("M294 220H348", flow: flow.batteryW)
            arrow(240, 139, turned: 90, flow: flow.solarW)
            arrow(159, 220, turned: 0, flow: flow.gridW)
            arrow(321, 220, turned: 0, flow: flow.batteryW)
            node(240, 58, .sun, .solar, flow.solarW)
            node(78, 220, .grid, .grid, flow.gridW)
            node(240, 220, .house, .consumption, flow.loadW)
            node(402, 220, .energyStore, .battery, flow.batteryW)
            label(78, 297, direction(flow.gridW, .fromGrid, .intoGrid) ?? "", "name")
            label(402, 297, battery, "name")
        }
    }

    /// The same in a sentence.
    private var summary: String {
        let parts: [(Phrase, Double?)] = [
            (.solar, flow.solarW), (.grid, flow.gridW), (.consumption, flow.loadW),
            (.battery, flow.batteryW),
        ]
        let powers = parts.compactMap { name, value in
            value.map { "\(texts[name]) \(power($0))" }
        }
        let ways = [direction(flow.gridW, .fromGrid, .intoGrid), battery].compactMap(\.self)
        return (powers + ways.filter { !$0.isEmpty }).joined(separator: ", ")
    }

    /// Which way power flows, in a word; `nil` where nothing flows.
    private func direction(_ watts: Double?, _ positive: Phrase, _ negative: Phrase) -> String? {
        guard let watts, watts.magnitude >= Self.stillW else { return nil }
        return texts[watts > 0 ? positive : negative]
    }

    private var battery: String {
        let charge = flow.chargePercent.map { texts.format.number($0, decimals: 0) + "%" }
        return [direction(flow.batteryW, .charging, .discharging), charge].compactMap(\.self)
            .joined(separator: " · ")
    }

    /// The head of an arrow on a wire, in the direction of the flow.
    private func arrow(_ x: Int, _ y: Int, turned degrees: Int, flow watts: Double?) -> HTML {
        guard let watts, watts.magnitude >= Self.stillW else { return .empty }
        let turn = watts < 0 ? degrees + 180 : degrees
        return void(
            "path", .class("head"), .init("d", "M-7 -8 8 0 -7 8Z"),
            .init("transform", "translate(\(x) \(y)) rotate(\(turn))"))
    }

    private func wire(_ path: String, flow watts: Double?) -> HTML {
        let isFlowing = (watts ?? 0).magnitude >= Self.stillW
        let direction = (watts ?? 0) < 0 ? " back" : ""
        return void(
            "path", .class(isFlowing ? "wire on\(direction)" : "wire"), .init("d", path))
    }

    private func node(
        _ x: Int, _ y: Int, _ icon: Icon, _ name: Phrase, _ watts: Double?
    ) -> HTML {
        element("g") {
            void(
                "circle", .class("node"), .init("cx", "\(x)"), .init("cy", "\(y)"),
                .init("r", "54"))
            element("g", .init("transform", "translate(\(x - 12) \(y - 36))")) { icon.lines }
            label(x, y + 10, watts.map(power) ?? "–", "value")
            label(x, y + 30, texts[name], "name")
        }
    }

    private func label(_ x: Int, _ y: Int, _ text: String, _ kind: String) -> HTML {
        element(
            "text", .class(kind), .init("x", "\(x)"), .init("y", "\(y)"), text: text)
    }

    /// The size of a power: the direction is drawn.
    private func power(_ watts: Double) -> String { texts.format.power(watts.magnitude) }
}
