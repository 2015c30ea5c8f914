internal import DeviceDomain

extension Field {
    /// An array of what another field holds, under that field's name.
    static func array<Item>(of item: Field<Item>) -> Field where Value == [Item] {
        let type = PayloadType.array(of: item.member.type)
        return Field(
            member: PayloadMember(
                name: item.member.name, type: type, documentation: item.member.documentation),
            decode: { json throws(PayloadError) in
                guard let values = json.array else { throw type.refusal(of: json) }
                return try items(values, item)
            },
            encode: { items, json in json.writeArray(items) { item.encode($1, &$0) } })
    }

    private static func items<Item>(
        _ values: [JSONValue], _ item: Field<Item>
    ) throws(PayloadError) -> [Item] {
        var items: [Item] = []
        items.reserveCapacity(values.count)
        for (position, value) in values.enumerated() {
            do {
                items.append(try item.decode(value))
            } catch {
                throw error.inside("[\(position)]")
            }
        }
        return items
    }
}
