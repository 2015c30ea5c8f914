internal import Connectivity
internal import DeviceDomain

// The list of devices.
extension BridgeModel {
    mutating func bridgeDevices(_ payload: [UInt8]) -> [DeviceUpdate] {
        guard !payload.isEmpty else { return [] }
        let entries: [JSONValue]
        do {
            entries = try BridgePayload.array(payload)
        } catch {
            return describeBridge() + [malformed(.description, "bridge/devices", error)]
        }
        isListed = true
        let hadProblem = bridgeProblems.removeValue(forKey: .description) != nil
        if hadProblem { bridgeProfile = nil }
        return describeBridge() + listed(readable(entries))
    }

    private mutating func readable(_ entries: [JSONValue]) -> [ListedDevice] {
        var known: Set<DeviceID> = [bridge]
        var listed: [ListedDevice] = []
        for entry in entries {
            switch ListedDevice.Entry(entry, in: home) {
            case .coordinator: break
            case .device(let device) where known.insert(device.id).inserted: listed.append(device)
            case .device(let device): leftOut("\(device.id) is listed twice")
            case .unusable(let reason): leftOut(reason)
            }
        }
        return listed
    }

    private mutating func leftOut(_ reason: String) {
        counters.unusableEntries += 1
        remarks.append(reason)
    }

    private mutating func listed(_ listings: [ListedDevice]) -> [DeviceUpdate] {
        let formerNames = names
        names = Dictionary(listings.map { ($0.name, $0.id) }) { first, _ in first }
        let present = Set(listings.map(\.id))
        let gone = devices.keys.filter { !present.contains($0) }.sorted()
        for id in gone { devices[id] = nil }
        var updates = gone.map { DeviceUpdate(device: $0, content: .removed) }
        for listing in listings {
            updates += described(listing)
            if formerNames[listing.name] != listing.id { updates += takeHeld(listing) }
        }
        return updates
    }

    private mutating func described(_ listing: ListedDevice) -> [DeviceUpdate] {
        var device = devices[listing.id] ?? ZigbeeDevice(listing)
        guard !device.isTold || device.listing != listing else { return [] }
        device.listing = listing
        device.isTold = true
        devices[listing.id] = device
        remarks += listing.commands.omissions.map { "\(listing.id): \($0)" }
        return Self.description(of: listing)
    }

    private mutating func takeHeld(_ listing: ListedDevice) -> [DeviceUpdate] {
        guard names[listing.name] == listing.id else { return [] }
        var updates: [DeviceUpdate] = []
        for topic in [listing.name.topic(Self.availability), listing.name.topic()] {
            guard let message = held.take(FriendlyName(topic)) else { continue }
            updates += entity(FriendlyName(topic), message.payload, message.isReplay)
        }
        reported = nil
        return updates
    }
}
