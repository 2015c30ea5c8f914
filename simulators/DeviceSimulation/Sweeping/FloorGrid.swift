/// A cell of a floor's grid.
struct GridCell: Hashable, Sendable {
    /// Its column, from west.
    var column: Int
    /// Its row, from south.
    var row: Int

    /// The cell next to it in one of eight directions: 0 east, then counter-clockwise.
    func neighbour(_ direction: Int) -> GridCell {
        let (x, y) = Self.steps[direction & 7]
        return GridCell(column: column + x, row: row + y)
    }

    private static let steps = [
        (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1),
    ]
}

/// Where the middle of a robot's body may be: one bit for each cell of 5 cm (the pixel of Valetudo's maps).
///
/// Cells say where ways lead; whether a straight way is free is decided by its exact distance from walls and
/// obstacles.
struct FloorGrid: Sendable {
    /// The length of a cell's side, in metres.
    static let cellM = 0.05
    /// The area of a cell, in m².
    static let cellAreaM2 = cellM * cellM
    /// How far the middle of a cell is from everything beyond the body's radius, in metres: between two such
    /// cells the way is free, also across a corner.
    private static let cellMargin = 0.005
    /// How far a planned way is from everything beyond the body's radius, in metres. Positions are kept and
    /// reported to the millimetre, which takes up to 0.7 mm of it.
    static let wayMargin = 0.001
    /// The same for the way from a position that was rounded to the grid.
    static let startMargin = 0.0002

    /// How many columns there are.
    let columns: Int
    /// How many rows there are.
    let rows: Int
    /// The radius of the body, in metres.
    let radius: Double
    private let limits: [(segment: PlanSegment, bounds: PlanBounds)]
    private var free: CellSet
    /// The cells in which a body touches nothing, wherever in the cell its middle is.
    private var open: CellSet

    /// The cells of a plan that a body can reach from the first dock.
    init(_ plan: FloorPlan, radius: Double) {
        self.radius = radius
        let bounds = plan.bounds
        columns = Int((bounds.x.upperBound / Self.cellM).rounded(.up))
        rows = Int((bounds.y.upperBound / Self.cellM).rounded(.up))
        limits = plan.limits.map { ($0, $0.bounds.widened(by: radius + 2 * Self.cellMargin)) }
        free = CellSet(count: columns * rows)
        open = free
        for room in plan.rooms { mark(room.outline, as: true) }
        for solid in plan.obstacles + plan.noGo { mark(solid, as: false) }
        open = free
        let (reach, far) = (radius + Self.cellMargin, radius + Self.cellM)
        for limit in limits {
            for cell in cells(nearerThan: reach, to: limit.segment) { free.set(cell, false) }
            for cell in cells(nearerThan: far, to: limit.segment) { open.set(cell, false) }
        }
        keepReachable(from: plan.docks.first?.pose.position ?? PlanPoint(x: 0, y: 0))
    }

    /// How many cells there are.
    var count: Int { columns * rows }
    /// How many of them a robot can reach.
    var freeCount: Int { free.memberCount }

    /// The number of a cell; the cell must be on the grid.
    func index(_ cell: GridCell) -> Int { cell.row * columns + cell.column }

    /// The cell of a number.
    func cell(_ index: Int) -> GridCell { GridCell(column: index % columns, row: index / columns) }

    /// Whether a cell is on the grid.
    func contains(_ cell: GridCell) -> Bool {
        cell.column >= 0 && cell.column < columns && cell.row >= 0 && cell.row < rows
    }

    /// Whether the middle of the body may be in a cell.
    func isFree(_ cell: GridCell) -> Bool { contains(cell) && free.contains(index(cell)) }

    /// The middle of a cell, exact to the millimetre like the corners of ways.
    func middle(_ cell: GridCell) -> PlanPoint {
        PlanPoint(
            x: Double(cell.column * 50 + 25) / 1000, y: Double(cell.row * 50 + 25) / 1000)
    }

    /// The cell of a point.
    func cell(at point: PlanPoint) -> GridCell {
        GridCell(
            column: Int((point.x / Self.cellM).rounded(.down)),
            row: Int((point.y / Self.cellM).rounded(.down)))
    }

    /// The cells with their middles in a box, as far as they are on the grid.
    func cells(in box: PlanBounds) -> (columns: Range<Int>, rows: Range<Int>) {
        func range(_ span: ClosedRange<Double>, _ count: Int) -> Range<Int> {
            let low = Int((span.lowerBound / Self.cellM - 0.5).rounded(.up))
            let high = Int((span.upperBound / Self.cellM - 0.5).rounded(.down)) + 1
            return max(0, min(low, count))..<max(max(0, min(low, count)), min(high, count))
        }
        return (range(box.x, columns), range(box.y, rows))
    }

    /// Whether a body on the straight way between two points touches nothing.
    func isClear(
        _ start: PlanPoint, _ end: PlanPoint, margin: Double = FloorGrid.wayMargin
    ) -> Bool {
        let way = PlanSegment(start: start, end: end)
        let box = way.bounds
        for limit in limits where limit.bounds.overlaps(box) {
            if limit.segment.distance(to: way) < radius + margin { return false }
        }
        return true
    }

    /// Whether a body at a point touches nothing, as far as the cell of the point alone tells.
    func isOpen(_ point: PlanPoint) -> Bool {
        let cell = cell(at: point)
        return contains(cell) && open.contains(index(cell))
    }

    /// How far a body at a point is from everything, in metres; negative where it is in something. What is farther
    /// than 1 cm counts as infinitely far.
    func gap(around point: PlanPoint) -> Double {
        var distance = Double.infinity
        for limit in limits where limit.bounds.contains(point) {
            distance = min(distance, limit.segment.distance(to: point))
        }
        return distance - radius
    }

    /// The free cell nearest to a point; `nil` on a floor without one.
    func nearestFreeCell(to point: PlanPoint) -> GridCell? {
        var best: (cell: GridCell, distance: Double)?
        for row in 0..<rows {
            let dy = (Double(row) + 0.5) * Self.cellM - point.y
            if let best, dy.magnitude >= best.distance { continue }
            for column in 0..<columns where free.contains(row * columns + column) {
                let cell = GridCell(column: column, row: row)
                let distance = middle(cell).distance(to: point)
                if distance < best?.distance ?? .infinity { best = (cell, distance) }
            }
        }
        return best?.cell
    }

    /// The nearest free cell to which a body can drive straight from where it stands; `nil` if it is enclosed.
    func entryCell(from point: PlanPoint) -> GridCell? {
        let reach = 8
        let near = cell(at: point)
        var best: (cell: GridCell, distance: Double)?
        for row in near.row - reach...near.row + reach {
            for column in near.column - reach...near.column + reach {
                let cell = GridCell(column: column, row: row)
                guard isFree(cell) else { continue }
                let distance = middle(cell).distance(to: point)
                if distance < best?.distance ?? .infinity,
                    isClear(point, middle(cell), margin: Self.startMargin)
                {
                    best = (cell, distance)
                }
            }
        }
        return best?.cell
    }

    // MARK: Making

    private mutating func mark(_ area: PlanPolygon, as isFree: Bool) {
        let (columns, rows) = cells(in: area.bounds)
        for row in rows {
            for column in columns {
                let cell = GridCell(column: column, row: row)
                if area.contains(middle(cell)) { free.set(index(cell), isFree) }
            }
        }
    }

    /// The numbers of the cells whose middles are nearer to a wall than `reach`.
    private func cells(nearerThan reach: Double, to wall: PlanSegment) -> [Int] {
        let (columns, rows) = cells(in: wall.bounds.widened(by: reach))
        return rows.flatMap { row in
            columns.lazy.map { GridCell(column: $0, row: row) }
                .filter { wall.distance(to: middle($0)) < reach }.map(index)
        }
    }

    private mutating func keepReachable(from point: PlanPoint) {
        var reached = CellSet(count: count)
        var open = entryCell(from: point).map { [$0] } ?? []
        for cell in open { reached.set(index(cell), true) }
        while let cell = open.popLast() {
            for direction in stride(from: 0, to: 8, by: 2) {
                let next = cell.neighbour(direction)
                guard isFree(next), !reached.contains(index(next)) else { continue }
                reached.set(index(next), true)
                open.append(next)
            }
        }
        free = reached
    }
}

/// A set of cells by their numbers, one bit each.
struct CellSet: Hashable, Sendable {
    private var words: [UInt64]

    /// No cell of a grid with so many.
    init(count: Int) { words = [UInt64](repeating: 0, count: (count + 63) / 64) }

    /// Whether a cell is in it.
    func contains(_ index: Int) -> Bool { words[index >> 6] >> UInt64(index & 63) & 1 == 1 }

    /// Puts a cell in or takes it out.
    mutating func set(_ index: Int, _ isMember: Bool) {
        let bit: UInt64 = 1 << UInt64(index & 63)
        if isMember { words[index >> 6] |= bit } else { words[index >> 6] &= ~bit }
    }

    /// How many cells are in it.
    var memberCount: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }
}
