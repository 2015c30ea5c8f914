internal import DeviceControlPresentation

/// Where the power of the home comes from and where it goes, as a drawing: the house in the middle, solar
/// above, the grid at the left and the battery at the right.
struct EnergyDrawing: Sendable {
    let texts: Texts
    let flow: EnergyFlow

    /// Below this nothing flows, as far as a person cares.
    private static let stillW = 5.0

    func svg() -> HTML {
        element(
            "svg", .class("flow"), .init("viewBox", "0 0 480 306"), .init("role", "img"),
            .label(summary)
        ) {
            wire("M240 112V166", flow: flow.solarW)
            wire("M132 220H186", flow: flow.gridW)
            wire("M294 220H348", flow: flow.batteryW)
            node(240, 58, .sun, .solar, flow.solarW)
            node(78, 220, .grid, .grid, flow.gridW)
            node(240, 220, .house, .consumption, flow.loadW)
            node(402, 220, .energyStore, .battery, flow.batteryW)
            if let chargePercent = flow.chargePercent {
                label(402, 297, texts.format.number(chargePercent, decimals: 0) + "%", "name")
            }
        }
    }

    /// The same in a sentence.
    private var summary: String {
        let parts: [(Phrase, Double?)] = [
            (.solar, flow.solarW), (.grid, flow.gridW), (.consumption, flow.loadW),
            (.battery, flow.batteryW),
        ]
        return parts.compactMap { name, value in value.map { "\(texts[name]) \(power($0))" } }
            .joined(separator: ", ")
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
