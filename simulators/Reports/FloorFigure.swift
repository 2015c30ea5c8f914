import DeviceDomain
import DeviceMessages
import Fleet
import Markup

/// The way of a robot over what it says of its floor. One unit of the drawing is a centimetre; north is up.
struct FloorFigure {
    let trace: DeviceTrace

    /// The free space around everything, in metres.
    private static let margin = 0.4

    /// A point, in metres.
    fileprivate struct Place {
        let x: Double
        let y: Double
    }

    private var plan: RoomPlan? { trace.description?.plan }

    private var way: [Place] {
        trace.points.compactMap { point in
            guard let x = point.values[.x], let y = point.values[.y] else { return nil }
            return Place(x: x, y: y)
        }
    }

    var markup: HTML {
        let box = box
        let size = "\(Self.text(box.right - box.left)) \(Self.text(box.top - box.bottom))"
        return element(
            "svg", .class("plan"), .init("viewBox", "\(Self.text(box.left)) 0 \(size)"),
            .init("role", "img"), .label("The way of \(trace.device) on its floor")
        ) {
            rooms(in: box)
            void("path", .class("trail"), .init("d", "M" + Self.line(way, box)))
            plan?.dock.map { mark(Place($0.position), "dock", 16, box) }
            names(in: box)
            way.first.map { mark($0, "start", 9, box) }
            way.last.map { mark($0, "robot", 13, box) }
        }
    }

    private func rooms(in box: Box) -> HTML {
        guard let plan else { return .empty }
        return HTML.joined([
            .joined(plan.rooms.map { outline($0.shape.corners, "room", box) }),
            .joined(plan.carpets.map { outline($0.corners, "carpet", box) }),
            .joined(plan.noGo.map { outline($0.corners, "no-go", box) }),
            .joined(plan.obstacles.map { outline($0.corners, "obstacle", box) }),
            .joined(
                plan.rooms.flatMap(\.doors).map { mark(Place($0.position), "door", 30, box) }),
        ])
    }

    /// The names of the rooms, above the way.
    private func names(in box: Box) -> HTML {
        .joined((plan?.rooms ?? []).map { name(of: $0, box) })
    }

    private func outline(_ corners: [FloorPosition], _ kind: String, _ box: Box) -> HTML {
        void("path", .class(kind), .init("d", "M" + Self.line(corners.map(Place.init), box) + "Z"))
    }

    /// In the middle of the room, as large as fits.
    private func name(of room: PlannedRoom, _ box: Box) -> HTML {
        let extent = Box(around: room.shape.corners.map(Place.init))
        let name = room.name ?? "\(room.id)"
        // A letter is about 0.62 of its height wide.
        let height = 0.85 * (extent.right - extent.left) / (0.62 * Double(max(name.count, 1)))
        return element(
            "text", .init("x", Self.text((extent.left + extent.right) / 2)),
            .init("y", Self.text(box.top - (extent.bottom + extent.top) / 2)),
            .init("font-size", Self.text(min(height, 0.24))), text: name)
    }

    private func mark(_ place: Place, _ kind: String, _ radius: Int, _ box: Box) -> HTML {
        void(
            "circle", .class(kind), .init("cx", Self.text(place.x)),
            .init("cy", Self.text(box.top - place.y)), .init("r", "\(radius)"))
    }

    private static func line(_ places: [Place], _ box: Box) -> String {
        places.map { "\(text($0.x)) \(text(box.top - $0.y))" }.joined(separator: "L")
    }

    /// What is drawn.
    private var box: Box {
        let rooms = plan?.rooms.flatMap(\.shape.corners).map(Place.init) ?? []
        return Box(around: rooms.isEmpty ? way : rooms).widened(by: Self.margin)
    }

    /// A length in whole centimetres.
    private static func text(_ metres: Double) -> String {
        NumberText.short((metres * 100).rounded())
    }

    /// A rectangle along the axes, in metres.
    fileprivate struct Box {
        var left: Double
        var bottom: Double
        var right: Double
        var top: Double

        init(around places: [Place]) {
            let (xs, ys) = (places.map(\.x), places.map(\.y))
            (left, right) = (xs.min() ?? 0, xs.max() ?? 1)
            (bottom, top) = (ys.min() ?? 0, ys.max() ?? 1)
        }

        func widened(by margin: Double) -> Box {
            var box = self
            box.left -= margin
            box.bottom -= margin
            box.right += margin
            box.top += margin
            return box
        }
    }
}

extension FloorFigure.Place {
    fileprivate init(_ position: FloorPosition) { self.init(x: position.x, y: position.y) }
}
