import Basics
import DeviceDomain

/// The numbers of a model of sweeping robot that can be given for some robots.
struct SweeperNumbers: Sendable {
    /// What its battery holds.
    var battery: Rating
    /// The state of charge with which it begins, on its dock.
    var firstCharge = Rating(
        100, "%", .estimate("it has stood on its dock long enough"), orFrom: 0...100)
    /// How long it has worked before.
    var worked = Rating(0, "h", .estimate("it was just unpacked"), orFrom: 0...1000)
    /// How much of the dustbin a square metre fills.
    var dust = Rating(
        0.4, "%/m²", .estimate("a bin does for about five cleanings of a home"), orFrom: 0...5)
    /// The life of the main brush.
    var mainBrushLife = Rating(
        300, "h", .published("Roborock and Dreame in Valetudo"), orFrom: 30...600)
    /// The life of the side brush.
    var sideBrushLife = Rating(
        200, "h", .published("Roborock and Dreame in Valetudo"), orFrom: 20...400)
    /// The life of the filter.
    var filterLife = Rating(
        150, "h", .published("Roborock and Dreame in Valetudo"), orFrom: 15...300)
    /// How long the sensors need no cleaning.
    var sensorLife = Rating(
        30, "h", .published("Roborock and Dreame in Valetudo"), orFrom: 3...60)
    /// What comes in its way by itself, where a run asks for it.
    var wear = SweeperWearRatings()

    init(battery: Rating) { self.battery = battery }

    /// Those that a robot has from its beginning, by the names under which a model lists them.
    private static var ofRobots: [(name: String, path: WritableKeyPath<SweeperNumbers, Rating>)] {
        [
            ("battery", \.battery), ("first-charge", \.firstCharge), ("worked", \.worked),
            ("dust", \.dust), ("main-brush-life", \.mainBrushLife),
            ("side-brush-life", \.sideBrushLife), ("filter-life", \.filterLife),
            ("sensor-life", \.sensorLife),
        ]
    }

    /// Those that are drawn anew each time.
    private static var ofTimes: [(name: String, path: WritableKeyPath<SweeperNumbers, Rating>)] {
        [("wear-help", \.wear.help)]
    }

    /// The names of all of them.
    static var names: [String] { (ofRobots + ofTimes).map(\.name) }

    /// The same numbers from other ranges.
    func narrowed(to parameters: [String: ClosedRange<Double>]) -> SweeperNumbers {
        var numbers = self
        for (name, path) in Self.ofRobots + Self.ofTimes {
            guard let range = parameters[name] else { continue }
            numbers[keyPath: path] = numbers[keyPath: path].narrowed(to: range)
        }
        return numbers
    }

    /// Whether a robot draws any of them.
    var isAnyDrawn: Bool { Self.ofRobots.contains { self[keyPath: $0.path].range != nil } }

    /// The numbers of one robot: those that have a range now are drawn from it.
    func drawn(using generator: inout SeededGenerator) -> SweeperNumbers {
        var numbers = self
        for (_, path) in Self.ofRobots {
            let rating = numbers[keyPath: path]
            guard let range = rating.range else { continue }
            numbers[keyPath: path] = Rating(
                generator.uniform(in: range), rating.unit, rating.source)
        }
        return numbers
    }
}
