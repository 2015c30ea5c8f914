/// The parts of a page that show one value each, made again only where the value has changed: most of a
/// thousand devices have not since the last look at the page.
@MainActor
final class PartCache<Value: Hashable & Identifiable> {
    private var made: [Value.ID: (value: Value, part: LivePart)] = [:]

    /// The parts of these values, in their order.
    /// - Parameter make: makes the part of a value, from nothing else that changes.
    func parts(of values: [Value], make: (Value) -> LivePart) -> [LivePart] {
        let known = made
        made = Dictionary(minimumCapacity: values.count)
        return values.map { value in
            let former = known[value.id]
            let part = former.flatMap { $0.value == value ? $0.part : nil } ?? make(value)
            made[value.id] = (value, part)
            return part
        }
    }
}
