/// The sign of the project as a bitmap, for phones that install the dashboard: the house of `icon.svg` in white on its
/// green, which fills the square. All of the house is within the circle that any mask of a system leaves.
struct AppIcon: Sendable {
    /// The length of a side, in pixels.
    let size: Int

    /// The drawing of `icon.svg`, in units of a 32nd of the side.
    private static let units = 32.0
    private static let strokeWidth = 2.2
    private static let lines: [[(x: Double, y: Double)]] = [
        [(6, 16), (16, 8), (26, 16)], [(9, 14.5), (9, 24), (23, 24), (23, 14.5)],
        [(13.5, 24), (13.5, 19), (18.5, 19), (18.5, 24)],
    ]
    private static let green = (red: 11.0, green: 110.0, blue: 99.0)

    /// The bitmap as a file of PNG.
    func png() -> [UInt8] {
        let image = IndexedPNG(width: size, height: size, palette: Self.palette) { x, y in
            let scale = Self.units / Double(size)
            let place = ((Double(x) + 0.5) * scale, (Double(y) + 0.5) * scale)
            // One pixel wide is the edge between both colours.
            let inside = (Self.strokeWidth / 2 - Self.distance(place)) / scale + 0.5
            return UInt8(min(max(inside, 0), 1) * 15 + 0.5)
        }
        return image.file()
    }

    /// From the ground to the lines in steps that the eye takes for a smooth edge.
    private static let palette = (0..<16).map { step -> IndexedPNG.Colour in
        let part = Double(step) / 15
        func mixed(_ ground: Double) -> UInt8 { UInt8(ground + (255 - ground) * part) }
        return IndexedPNG.Colour(mixed(green.red), mixed(green.green), mixed(green.blue))
    }

    /// How far a place is from the middle of the nearest line.
    private static func distance(_ place: (x: Double, y: Double)) -> Double {
        var nearest = Double.infinity
        for line in lines {
            for (start, end) in zip(line, line.dropFirst()) {
                let (dx, dy) = (end.x - start.x, end.y - start.y)
                let along =
                    ((place.x - start.x) * dx + (place.y - start.y) * dy) / (dx * dx + dy * dy)
                let part = min(max(along, 0), 1)
                let (x, y) = (place.x - start.x - part * dx, place.y - start.y - part * dy)
                nearest = min(nearest, (x * x + y * y).squareRoot())
            }
        }
        return nearest
    }
}
