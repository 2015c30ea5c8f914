package import Alink
package import DeviceDomain
import DeviceMessages
import DeviceSimulation
import Glibc

/// Who the devices of a fleet are in Alink: each has a line of a file of triples, and the devices of one product are
/// of one kind.
///
/// The product keys of the file, in the order of their first lines, stand for the kinds of the fleet in their order,
/// and begin again where there are more; a device takes the next line of its kind.
package struct AlinkFleet: Sendable {
    private let triples: [DeviceKey: AlinkTriple]
    /// The products by the kind of their devices.
    private let products: [DeviceKind: AlinkProduct]
    /// The kind of each product of the file.
    package let kinds: [ProductKey: DeviceKind]

    /// Gives each device of a plan its triple.
    /// - Throws: ``FleetError`` where there are too few lines or products.
    package init(_ triples: [AlinkTriple], for plan: FleetPlan) throws(FleetError) {
        let planned = BehaviourCatalog.standard.kinds.map(\.kind).filter { kind in
            plan.devices.contains { BehaviourCatalog.kind(of: $0.identity.model) == kind }
        }
        let kinds = Self.kinds(of: triples, among: planned)
        self.kinds = kinds
        var free = Dictionary(grouping: triples) { kinds[$0.name.product] }
            .mapValues { ArraySlice($0) }
        var taken: [DeviceKey: AlinkTriple] = [:]
        for device in plan.devices {
            let kind = BehaviourCatalog.kind(of: device.identity.model)
            guard let triple = free[kind]?.popFirst() else {
                throw FleetError(
                    .unusableOption,
                    "--triples: no line is left for \(device.key) of kind \(kind.rawValue); the product "
                        + "keys of the file stand for \(planned.map(\.rawValue).joined(separator: ", ")) "
                        + "in this order: add lines, or ask for fewer devices")
            }
            taken[device.key] = triple
        }
        self.triples = taken
        products = planned.reduce(into: [:]) { $0[$1] = AlinkProduct($1) }
    }

    /// How many devices of each kind a file is for, where nobody asks for others.
    package static func counts(of triples: [AlinkTriple]) -> DeviceCounts {
        let kinds = kinds(of: triples, among: BehaviourCatalog.standard.kinds.map(\.kind))
        let counts = Dictionary(grouping: triples.compactMap { kinds[$0.name.product] }) { $0 }
        return DeviceCounts(counts.mapValues(\.count))
    }

    private static func kinds(
        of triples: [AlinkTriple], among planned: [DeviceKind]
    ) -> [ProductKey: DeviceKind] {
        guard !planned.isEmpty else { return [:] }
        return triples.reduce(into: [:]) { kinds, triple in
            guard kinds[triple.name.product] == nil else { return }
            kinds[triple.name.product] = planned[kinds.count % planned.count]
        }
    }

    /// What a device says and hears; `nil` for one that is not of the plan.
    func wire(of device: PlannedDevice) -> AlinkWire? {
        let kind = BehaviourCatalog.kind(of: device.identity.model)
        guard let triple = triples[device.key], let product = products[kind] else { return nil }
        return AlinkWire(triple, product, seed: device.seed)
    }

    /// Writes the thing models for a controller: `PRODUCTKEY.json` for each product, and `kinds.json`.
    /// - Parameter folder: is made if it is not there.
    /// - Throws: ``FleetError`` that names the file.
    package func writeModels(into folder: String) throws(FleetError) {
        guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
            throw .unwritable(folder)
        }
        for (key, kind) in kinds {
            guard var document = products[kind]?.document.object else { continue }
            document["profile"] = ["productKey": .string(key.text)]
            try Self.write(.object(document), to: "\(folder)/\(key).json")
        }
        let named = kinds.map { ($0.key.text, JSONValue.string($0.value.rawValue)) }
        try Self.write(
            .object(JSONObject(uniqueKeysWithValues: named)), to: "\(folder)/kinds.json")
    }

    private static func write(_ value: JSONValue, to path: String) throws(FleetError) {
        guard let file = fopen(path, "we") else { throw .unwritable(path) }
        let bytes = JSONWriter.write(value) + [UInt8(ascii: "\n")]
        let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
        guard fclose(file) == 0, isWritten else { throw .unwritable(path) }
    }
}

extension FleetError {
    fileprivate static func unwritable(_ path: String) -> FleetError {
        FleetError(.unusableOption, "\(path): \(String(cString: strerror(errno)))")
    }
}
