/// One of equal parts of a fleet's homes, for several machines: home k belongs to part ((k − 1) mod N) + 1.
package struct FleetPart: Sendable, Hashable {
    /// Which part, from 1 to ``count``.
    package let number: Int
    /// How many parts there are.
    package let count: Int

    /// - Precondition: `number` is from 1 to `count`.
    package init(_ number: Int, of count: Int) {
        precondition(count >= 1 && (1...count).contains(number), "there is no such part")
        self.number = number
        self.count = count
    }

    /// The whole fleet.
    package static let whole = FleetPart(1, of: 1)
}

extension FleetHomes {
    /// The homes of a part, in their order.
    /// - Throws: ``FleetError`` if it has none.
    package func part(_ part: FleetPart) throws(FleetError) -> FleetHomes {
        let members = ids.indices.filter { $0 % part.count == part.number - 1 }
        guard !members.isEmpty else {
            let homes = count == 1 ? "there is one home" : "there are \(count) homes"
            throw FleetError(
                .unusableOption,
                "part \(part.number) of \(part.count) is empty: \(homes); use fewer parts")
        }
        return FleetHomes(ids: members.map { ids[$0] })
    }
}
