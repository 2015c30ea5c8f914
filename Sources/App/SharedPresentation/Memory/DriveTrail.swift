/// Where a robot has been lately, and what it has cleaned on its way.
public struct DriveTrail: Hashable, Sendable {
    /// How many places are kept: an hour and more of samples every 5 s.
    public static let longest = 1_000

    /// The places, oldest first; the last one is where it is.
    public private(set) var points: [FloorPoint] = []
    /// What its present or last cleaning had cleaned at each place, in m²; `nil` where it has not said.
    private var areas: [Double?] = []

    public init() {}

    /// The robot is here now.
    /// - Parameter area: what its present or last cleaning has cleaned, in m²; `nil` if it has not said.
    mutating func move(to place: FloorPoint, area: Double?) {
        guard points.last != place else {
            areas[areas.count - 1] = area
            return
        }
        points.append(place)
        areas.append(area)
        guard points.count > Self.longest else { return }
        points.removeFirst(points.count - Self.longest)
        areas.removeFirst(areas.count - Self.longest)
    }

    /// Puts an earlier trail in front of this one.
    mutating func begin(with earlier: DriveTrail) {
        var whole = earlier
        for (place, area) in zip(points, areas) { whole.move(to: place, area: area) }
        self = whole
    }

    /// The stretches on which its present or last cleaning has cleaned anything, oldest first. A cleaned area that
    /// falls is the beginning of another cleaning.
    public var cleaned: [[FloorPoint]] {
        var (stretches, last): ([[FloorPoint]], Int?) = ([], nil)
        for index in points.indices.dropFirst() {
            guard let area = areas[index], let former = areas[index - 1] else { continue }
            if area < former { (stretches, last) = ([], nil) }
            guard area > former else { continue }
            if last == index - 1 {
                stretches[stretches.count - 1].append(points[index])
            } else {
                stretches.append([points[index - 1], points[index]])
            }
            last = index
        }
        return stretches
    }
}
