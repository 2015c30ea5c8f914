internal import Markup

/// A drawing of 24 by 24 units in the colour of the text around it.
enum Icon: Hashable, Sendable, CaseIterable {
    // Kinds of devices
    case sweepingRobot, poolRobot, energyStore, bridge, light, device
    // Pages
    case home, floorPlan, energy, queue, schedule, rule, add, channels, settings
    // States
    case done, warning, problem, doubt, running, waiting
    // Parts of the energy flow
    case sun, grid, house

    /// The lines of the drawing (SVG path data).
    private var path: String {
        switch self {
        case .sweepingRobot:
            "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM12 7.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z"
                + "M5.5 15.5h13"
        case .poolRobot:
            "M6 11V8a2 2 0 0 1 2-2h8a2 2 0 0 1 2 2v3M4 11h16v4H4ZM12 6V3"
                + "M3 19.5c1.5 0 1.5-1 3-1s1.5 1 3 1 1.5-1 3-1 1.5 1 3 1 1.5-1 3-1 1.5 1 3 1"
        case .energyStore:
            "M7 5h10a1 1 0 0 1 1 1v14H6V6a1 1 0 0 1 1-1ZM10 5V3h4v2M12.5 8.5 10 12.5h4l-2.5 4"
        case .bridge: "M5 14h14v5H5ZM8.5 16.5h.01M12 14v-3M9 9a4 4 0 0 1 6 0M6.5 6.5a8 8 0 0 1 11 0"
        case .light:
            "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.6.5 1 1.2 1 2.100h5c0-.9.4-1.6 1-2.100A6 6 0 0 0 12 3Z"
        case .device:
            "M5 6a1 1 0 0 1 1-1h12a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1ZM9 12h6M12 9v6"
        case .home: "M4 11.5 12 5l8 6.5M6 10v9h12v-9M10 19v-5h4v5"
        case .floorPlan: "M4 4h16v16H4ZM4 12h7M11 4v11M15 20v-6h5"
        case .energy: "M13 3 6 13.5h5L10.5 21 18 10.5h-5.5Z"
        case .queue: "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01"
        case .schedule: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM12 8v4.5l3 2"
        case .rule: "M5 5v6a4 4 0 0 0 4 4h10M15 11l4 4-4 4M5 19v-4"
        case .add: "M12 5v14M5 12h14"
        case .channels:
            "M12 13v7M12 11h.01M8.5 14.5a5 5 0 0 1 0-7M15.5 7.5a5 5 0 0 1 0 7M6 17a9 9 0 0 1 0-12M18 5a9 9 0 0 1 0 12"
        case .settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4"
        case .done: "M5 12.5 10 17.5 19 7.5"
        case .warning: "M12 4 3 19.5h18ZM12 10v4.5M12 17h.01"
        case .problem: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM9.5 9.5l5 5M14.5 9.5l-5 5"
        case .doubt:
            "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM9.7 9.7a2.3 2.3 0 1 1 3.3 2.3c-.7.3-1 .8-1 1.5M12 16.5h.01"
        case .running: "M8 5.5 18 12 8 18.5Z"
        case .waiting: "M7 4h10M7 20h10M8 4v3l4 5 4-5V4M8 20v-3l4-5 4 5v3"
        case .sun:
            "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M18.4 5.6 17 7M7 17l-1.4 1.4"
        case .grid: "M9 21 12 3l3 18M6 8h12M7 12h10M10 15h4"
        case .house: "M4 11.5 12 5l8 6.5M6 10v9h12v-9"
        }
    }

    /// The drawing. The text beside it says what it means, so assistive programs leave it out.
    var svg: HTML {
        element(
            "svg", .class("icon"), .init("viewBox", "0 0 24 24"), .init("width", "24"),
            .init("height", "24"), .decorative, .init("focusable", "false")
        ) {
            lines
        }
    }

    /// The lines alone, for a larger drawing.
    var lines: HTML { void("path", .init("d", path)) }
}
