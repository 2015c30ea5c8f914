extension ModelSpecification {
    /// Every rating that the specification holds, in the order of its declarations, named by the path to it, such
    /// as `battery.capacity`: none can be forgotten.
    package var ratings: [(name: String, rating: Rating)] {
        Self.ratings(in: Mirror(reflecting: self), under: "")
    }

    private static func ratings(
        in mirror: Mirror, under path: String
    ) -> [(name: String, rating: Rating)] {
        mirror.children.flatMap { child -> [(name: String, rating: Rating)] in
            let content = Mirror(reflecting: child.value)
            // The content of an optional goes by the name of the optional.
            let isOptional = mirror.displayStyle == .optional
            let name = isOptional ? path : Self.name(of: child.label ?? "", under: path)
            if let rating = child.value as? Rating { return [(name, rating)] }
            return ratings(in: content, under: name)
        }
    }

    private static func name(of label: String, under path: String) -> String {
        path.isEmpty ? label : "\(path).\(label)"
    }
}
