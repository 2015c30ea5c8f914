package import DeviceDomain
package import DeviceMessages

extension ThingModel {
    /// A model's text: the platform allows a few hundred properties.
    package static let limits = JSONLimits(bytes: 1 << 20, depth: 32)
    /// Properties, services and events at most, of each.
    private static let most = 1000

    /// Reads a model as `GetThingModelTsl` answers it and as the console exports it.
    ///
    /// An entry that cannot be read is left out and named in ``omissions``.
    /// - Throws: ``ThingModelError`` if the text is not JSON, or not a thing model.
    package init(_ text: [UInt8]) throws(ThingModelError) {
        let value: JSONValue
        do {
            value = try JSONReader.read(text, limits: Self.limits)
        } catch {
            throw ThingModelError("\(error)")
        }
        guard let members = value.object,
            ["properties", "services", "events", "functionBlocks"].contains(where: {
                members[$0]?.array != nil
            })
        else {
            throw ThingModelError(
                "is not a thing model: it has none of properties, services and events")
        }
        self.init(members)
    }

    /// Reads the members of a model.
    package init(_ members: JSONObject) {
        self.init()
        add(members, block: "")
        for block in members["functionBlocks"]?.array ?? [] {
            guard let block = block.object, let id = block["functionBlockId"]?.string else {
                continue
            }
            // The standard block stands in the model itself.
            add(block, block: id == "_default_" ? "" : "\(id):")
        }
    }

    private mutating func add(_ members: JSONObject, block: String) {
        for entry in members["properties"]?.array?.prefix(Self.most) ?? [] {
            addEntry("property", entry) {
                (model: inout ThingModel, entry: JSONObject, name: String) throws(ThingModelError)
                in
                try model.addProperty(entry, block + name)
            }
        }
        for entry in members["services"]?.array?.prefix(Self.most) ?? [] {
            addEntry("service", entry) {
                (model: inout ThingModel, entry: JSONObject, name: String) throws(ThingModelError)
                in
                try model.addService(entry, block + name)
            }
        }
        for entry in members["events"]?.array?.prefix(Self.most) ?? [] {
            addEntry("event", entry) {
                (model: inout ThingModel, entry: JSONObject, name: String) throws(ThingModelError)
                in
                try model.addEvent(entry, block + name)
            }
        }
    }

    private mutating func addEntry(
        _ noun: String, _ value: JSONValue,
        _ add: (inout ThingModel, JSONObject, String) throws(ThingModelError) -> Void
    ) {
        guard let entry = value.object, let identifier = entry.identifier else {
            omissions.append("a \(noun) has no identifier")
            return
        }
        do {
            try add(&self, entry, identifier)
        } catch {
            omissions.append("\(noun) \(identifier.brief): \(error.message)")
        }
    }

    private mutating func addProperty(
        _ entry: JSONObject, _ identifier: String
    ) throws(ThingModelError) {
        guard property(identifier) == nil else { throw ThingModelError("is there twice") }
        let access = (entry["accessMode"] ?? entry["rwFlag"])?.string?.lowercased() ?? "r"
        properties.append(
            ThingProperty(
                identifier: identifier, name: entry["name"]?.string ?? "",
                type: try ThingType(entry["dataType"]), isReadable: access != "w",
                isSettable: access.contains("w")))
    }

    private mutating func addService(
        _ entry: JSONObject, _ identifier: String
    ) throws(ThingModelError) {
        let method = entry["method"]?.string ?? ""
        let isOwn =
            method.isEmpty
            ? ["set", "get"].contains(identifier)
            : ["thing.service.property.set", "thing.service.property.get"].contains(method)
        guard !isOwn else { return }
        guard service(identifier) == nil else { throw ThingModelError("is there twice") }
        services.append(
            ThingService(
                identifier: identifier, name: entry["name"]?.string ?? "",
                isSynchronous: entry["callType"]?.string?.lowercased() == "sync",
                inputs: try ThingField.fields(entry["inputData"]),
                outputs: try ThingField.fields(entry["outputData"])))
    }

    private mutating func addEvent(
        _ entry: JSONObject, _ identifier: String
    ) throws(ThingModelError) {
        let isOwn =
            (entry["method"]?.string).map { $0 == "thing.event.property.post" }
            ?? (identifier == "post")
        guard !isOwn else { return }
        guard event(identifier) == nil else { throw ThingModelError("is there twice") }
        let severity = entry["type"]?.string.flatMap(ThingEvent.Severity.init(rawValue:))
        events.append(
            ThingEvent(
                identifier: identifier, name: entry["name"]?.string ?? "",
                severity: severity ?? .info, outputs: try ThingField.fields(entry["outputData"])))
    }
}
