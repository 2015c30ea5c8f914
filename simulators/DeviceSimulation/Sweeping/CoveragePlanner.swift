/// Plans the cleaning of a part of a floor: along its edges first, the wall on the right, then in lanes.
///
/// A cell of the floor counts as cleaned once the main brush, or along edges the side brush, has passed over
/// its middle.
struct CoveragePlanner {
    /// In which way two cleanings of the same floor differ.
    struct Variant: Hashable, Sendable {
        /// 0…7.
        let number: Int

        /// How many there are.
        static let count = 8
        /// Whether the lanes lead from south to north.
        var isUpright: Bool { number & 1 == 1 }
        /// On which of two rows the first lane lies.
        var offset: Int { number >> 1 & 1 }
        /// Whether it begins at the far end.
        var isReversed: Bool { number >> 2 & 1 == 1 }
        /// From the least to the highest coverage of the model, 0…1.
        var share: Double { Double(number) / Double(Self.count - 1) }
    }

    private let floor: Floor
    private let region: Set<GridCell>
    private let variant: Variant
    private let blocked: CellSet?
    private var dirty: DirtyFloor
    private var legs: [DriveLeg] = []
    private var position: PlanPoint

    /// - Parameters:
    ///   - region: the free cells to clean from; not empty.
    ///   - area: the floor whose cells count.
    ///   - entry: near where it begins.
    init(
        _ floor: Floor, region: [GridCell], of area: (PlanPoint) -> Bool, entry: PlanPoint,
        variant: Variant, avoiding blocked: CellSet? = nil
    ) {
        self.floor = floor
        self.region = Set(region)
        self.variant = variant
        self.blocked = blocked
        dirty = DirtyFloor(
            floor, around: region, reach: floor.robot.sideBrushReach.value, of: area)
        position = entry
    }

    /// The way; `nil` where nothing can be cleaned.
    mutating func path() -> DrivePath? {
        let loops = EdgeTracer(region: region, grid: floor.grid).loops
        guard let start = begin(loops) else { return nil }
        followEdges(loops)
        driveLanes()
        let plain = DrivePath(from: start, legs: legs)
        return DrivePath(from: start, legs: legs, cleaningSpeed: speed(for: plain))
    }

    // MARK: Edges

    private mutating func begin(_ loops: [[GridCell]]) -> PlanPoint? {
        let grid = floor.grid
        let corner = loops.joined().min {
            let (a, b) = (
                grid.middle($0).distance(to: position), grid.middle($1).distance(to: position)
            )
            return a == b ? ($0.row, $0.column) < ($1.row, $1.column) : a < b
        }
        guard let corner else { return nil }
        position = grid.middle(corner)
        return position
    }

    private mutating func followEdges(_ loops: [[GridCell]]) {
        var rest = loops
        let grid = floor.grid
        func nearest(_ loop: [GridCell], to point: PlanPoint) -> (index: Int, distance: Double) {
            var best = (index: 0, distance: Double.infinity)
            for (index, cell) in loop.enumerated() {
                let distance = grid.middle(cell).distance(to: point)
                if distance < best.distance { best = (index, distance) }
            }
            return best
        }
        while !rest.isEmpty {
            var choice = (loop: 0, place: nearest(rest[0], to: position))
            for index in rest.indices.dropFirst() {
                let place = nearest(rest[index], to: position)
                if place.distance < choice.place.distance { choice = (index, place) }
            }
            let loop = rest.remove(at: choice.loop)
            let index = choice.place.index
            guard connect(to: grid.middle(loop[index])) else { continue }
            let turned = Array(loop[index...] + loop[...index])
            for corner in straightened(turned) { clean(to: grid.middle(corner), .edge) }
        }
    }

    /// The corners of a row of neighbouring cells, without the first: pieces that stay within a cell of them.
    private func straightened(_ cells: [GridCell]) -> [GridCell] {
        let grid = floor.grid
        var corners: [GridCell] = []
        var from = 0
        while from < cells.count - 1 {
            var to = from + 1
            while to + 1 < cells.count {
                let piece = PlanSegment(
                    start: grid.middle(cells[from]), end: grid.middle(cells[to + 1]))
                let isNear = cells[from...to + 1].allSatisfy {
                    piece.distance(to: grid.middle($0)) <= FloorGrid.cellM * 0.8
                }
                guard isNear, floor.isClear(piece.start, piece.end, avoiding: blocked) else {
                    break
                }
                to += 1
            }
            corners.append(cells[to])
            from = to
        }
        return corners
    }

    // MARK: Lanes

    private mutating func driveLanes() {
        var lanes = lanes()
        while let (index, isFromEnd) = nearestLane(lanes) {
            let lane = lanes.remove(at: index)
            // What the ways so far have cleaned is not driven over again.
            guard let (from, to) = dirtyPart(of: isFromEnd ? (lane.1, lane.0) : lane) else {
                continue
            }
            guard connect(to: floor.grid.middle(from)) else { continue }
            clean(to: floor.grid.middle(to), .lane)
        }
    }

    /// Every row of free cells at the distance of lanes, by its two ends.
    private func lanes() -> [(GridCell, GridCell)] {
        let spacing = Int((floor.robot.laneSpacing.value / FloorGrid.cellM).rounded())
        func place(_ cell: GridCell) -> (lane: Int, along: Int) {
            variant.isUpright ? (cell.column, cell.row) : (cell.row, cell.column)
        }
        var byLane: [Int: [Int]] = [:]
        for cell in region {
            let (lane, along) = place(cell)
            if (lane + variant.offset) % spacing == 0 { byLane[lane, default: []].append(along) }
        }
        func cell(_ lane: Int, _ along: Int) -> GridCell {
            variant.isUpright
                ? GridCell(column: lane, row: along) : GridCell(column: along, row: lane)
        }
        var lanes: [(GridCell, GridCell)] = []
        for lane in byLane.keys.sorted() {
            let positions = (byLane[lane] ?? []).sorted()
            var first = 0
            for index in positions.indices
            where index + 1 == positions.count || positions[index + 1] > positions[index] + 1 {
                lanes.append((cell(lane, positions[first]), cell(lane, positions[index])))
                first = index + 1
            }
        }
        return variant.isReversed ? lanes.reversed() : lanes
    }

    private func nearestLane(
        _ lanes: [(GridCell, GridCell)]
    ) -> (index: Int, isFromEnd: Bool)? {
        var best: (index: Int, isFromEnd: Bool)?
        var least = Double.infinity
        for (index, lane) in lanes.enumerated() {
            for (cell, isFromEnd) in [(lane.0, false), (lane.1, true)] {
                let distance = floor.grid.middle(cell).distance(to: position)
                if distance < least { (least, best) = (distance, (index, isFromEnd)) }
            }
        }
        return best
    }

    /// The part of a lane from the first to the last cell below which there is something to clean.
    private func dirtyPart(of lane: (GridCell, GridCell)) -> (GridCell, GridCell)? {
        let length = max(
            (lane.1.column - lane.0.column).magnitude, (lane.1.row - lane.0.row).magnitude)
        let (dx, dy) = (
            (lane.1.column - lane.0.column).signum(), (lane.1.row - lane.0.row).signum()
        )
        func cell(_ step: Int) -> GridCell {
            GridCell(column: lane.0.column + step * dx, row: lane.0.row + step * dy)
        }
        let brush = floor.robot.brushWidth.value / 2
        let dirtySteps = (0...Int(length)).filter { step in
            dirty.hasDirt(around: floor.grid.middle(cell(step)), radius: brush)
        }
        guard let first = dirtySteps.first, let last = dirtySteps.last else { return nil }
        return (cell(first), cell(last))
    }

    // MARK: Driving

    /// Leads to a point by the shortest way, the brush on the floor.
    /// - Returns: whether there is a way.
    private mutating func connect(to point: PlanPoint) -> Bool {
        guard position != point else { return true }
        guard let corners = floor.corners(from: position, to: point, avoiding: blocked) else {
            return false
        }
        for corner in corners { clean(to: corner, .lane) }
        return true
    }

    private mutating func clean(to point: PlanPoint, _ kind: DriveLeg.Kind) {
        let way = PlanSegment(start: position, end: point)
        guard way.start != way.end else { return }
        let brush = floor.robot.brushWidth.value / 2
        let side = kind == .edge ? floor.robot.sideBrushReach.value : brush
        let cells = dirty.clean(along: way, reach: brush, rightReach: side)
        legs.append(
            DriveLeg(to: point, kind, cells: cells, carpetShare: floor.carpetShare(along: way)))
        position = point
    }

    /// The top speed at which the way has the coverage of the model, as far as it can have it.
    private func speed(for path: DrivePath) -> Double {
        let robot = floor.robot
        let target = robot.coverage.value(at: variant.share) / 60
        let area = Double(path.cells) * FloorGrid.cellAreaM2
        let range =
            robot.cleaningSpeed.range ?? robot.cleaningSpeed.value...robot.cleaningSpeed.value
        var (slow, fast) = (range.lowerBound, range.upperBound)
        for _ in 0..<12 {
            let speed = (slow + fast) / 2
            if area / path.duration(robot, cleaningAt: speed) < target {
                slow = speed
            } else {
                fast = speed
            }
        }
        return (slow + fast) / 2
    }
}

extension Rating {
    /// The value so far up its range, 0…1.
    func value(at share: Double) -> Double {
        guard let range else { return value }
        return range.lowerBound + (range.upperBound - range.lowerBound) * share
    }
}

/// Finds the edges of a region of cells.
struct EdgeTracer {
    let region: Set<GridCell>
    let grid: FloorGrid

    /// The cells along each edge in their order, the outside on the right (Moore's neighbour tracing).
    var loops: [[GridCell]] {
        var traced: Set<GridCell> = []
        var loops: [[GridCell]] = []
        let starts = region.filter { !region.contains($0.neighbour(6)) }
            .sorted { ($0.row, $0.column) < ($1.row, $1.column) }
        for start in starts where !traced.contains(start) {
            let loop = trace(from: start)
            traced.formUnion(loop)
            loops.append(loop)
        }
        return loops
    }

    /// - Parameter start: a cell whose southern neighbour is outside.
    private func trace(from start: GridCell) -> [GridCell] {
        var loop = [start]
        var cell = start
        var heading = 0
        var firstHeading: Int?
        // A loop passes a cell at most once in each direction.
        for _ in 0..<region.count * 8 {
            let turns = (0..<8).map { heading + (heading & 1 == 0 ? 6 : 5) + $0 }
            guard let turn = turns.first(where: { region.contains(cell.neighbour($0)) }) else {
                return loop
            }
            heading = turn & 7
            if cell == start {
                if heading == firstHeading { return loop }
                firstHeading = firstHeading ?? heading
            }
            cell = cell.neighbour(heading)
            loop.append(cell)
        }
        return loop
    }
}

/// Which cells of a part of a floor still have to be cleaned.
struct DirtyFloor {
    private let columns: Range<Int>
    private let rows: Range<Int>
    private let grid: FloorGrid
    private var dirty: [Bool]

    /// - Parameters:
    ///   - region: where the middle of the body comes.
    ///   - reach: how far from there a cell can be cleaned, in metres.
    ///   - area: the floor whose cells count.
    init(
        _ floor: Floor, around region: [GridCell], reach: Double, of area: (PlanPoint) -> Bool
    ) {
        grid = floor.grid
        let margin = Int((reach / FloorGrid.cellM).rounded(.up))
        let (xs, ys) = (region.map(\.column), region.map(\.row))
        columns = max(0, (xs.min() ?? 0) - margin)..<min(grid.columns, (xs.max() ?? 0) + margin + 1)
        rows = max(0, (ys.min() ?? 0) - margin)..<min(grid.rows, (ys.max() ?? 0) + margin + 1)
        dirty = []
        for row in rows {
            for column in columns {
                let middle = grid.middle(GridCell(column: column, row: row))
                dirty.append(area(middle) && !floor.isOccupied(middle))
            }
        }
    }

    /// How many cells there are to clean.
    var count: Int { dirty.count { $0 } }

    /// Whether there is something to clean within a distance of a point.
    func hasDirt(around point: PlanPoint, radius: Double) -> Bool {
        var found = false
        visit(PlanSegment(start: point, end: point).bounds.widened(by: radius)) { index, middle in
            if dirty[index], middle.distance(to: point) <= radius { found = true }
        }
        return found
    }

    /// Cleans what lies within reach of a way.
    /// - Parameter rightReach: the reach on its right.
    /// - Returns: how many cells it cleans.
    mutating func clean(along way: PlanSegment, reach: Double, rightReach: Double) -> Int {
        var cleaned: [Int] = []
        visit(way.bounds.widened(by: max(reach, rightReach))) { index, middle in
            guard dirty[index] else { return }
            let distance = way.distance(to: middle)
            let isOnTheRight = way.side(of: middle) > 0
            if distance <= (isOnTheRight ? rightReach : reach) { cleaned.append(index) }
        }
        for index in cleaned { dirty[index] = false }
        return cleaned.count
    }

    private func visit(_ box: PlanBounds, _ body: (Int, PlanPoint) -> Void) {
        let (columns, rows) = grid.cells(in: box)
        for row in rows.clamped(to: self.rows) {
            for column in columns.clamped(to: self.columns) {
                let index =
                    (row - self.rows.lowerBound) * self.columns.count + column
                    - self.columns.lowerBound
                body(index, grid.middle(GridCell(column: column, row: row)))
            }
        }
    }
}
