package import DeviceDomain
internal import MosquittoAdapter

extension Home {
    /// Other homes that have devices on the home's MQTT brokers, as far as the access rules show them. Each
    /// broker gets one more connection for half a second; one that cannot be reached shows none.
    package func otherHomes() async -> [HomeID] {
        var found: Set<HomeID> = []
        for station in stations where station.setup.kind == .homeportMQTT {
            guard let connection = station.setup.connection else { continue }
            let search = HomeSearch(connection.link(as: controller), on: eventLoop)
            found.formUnion((try? await search.run()) ?? [])
        }
        return found.subtracting([id]).sorted()
    }
}
