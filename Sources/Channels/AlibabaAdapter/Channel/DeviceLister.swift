internal import Alink
internal import Basics
internal import Connectivity
internal import DeviceDomain

/// Reads devices and what they reported from a platform, and tells the hub.
final class DeviceLister: Sendable {
    /// Pages of one product at most: the platform allows 500,000 devices of one.
    private static let mostPages = 10_000

    let client: PlatformClient
    private let hub: CloudHub
    private let products: [ProductKey]
    private let kinds: [String: DeviceKind]
    private let models = Guarded<[ProductKey: ThingProduct]>([:])
    private let listing = Guarded<Task<PlatformFailure?, Never>?>(nil)

    init(_ configuration: AlibabaChannelConfiguration, _ client: PlatformClient, _ hub: CloudHub) {
        self.client = client
        self.hub = hub
        products = configuration.productKeys
        kinds = configuration.kinds
    }

    /// Lists the devices of all products. Callers at the same time share one listing.
    func list() async throws(PlatformFailure) {
        // Unstructured: the end of one caller must not end it for the others.
        let task = listing.withLock { running in
            if let running { return running }
            let new = Task { [self] in
                let failure = await listAll()
                listing.withLock { $0 = nil }
                return failure
            }
            running = new
            return new
        }
        if let failure = await task.value { throw failure }
    }

    private func listAll() async -> PlatformFailure? {
        do throws(PlatformFailure) {
            var listings: [ListedDevice] = []
            var unusable = 0
            var time: Timestamp?
            for product in products {
                try await readModel(of: product)
                let page = try await devices(of: product)
                listings += page.devices
                unusable += page.unusable
                time = min(time ?? page.at, page.at)
            }
            hub.list(
                listings, unusable: unusable, of: models.withLock { $0 },
                at: time ?? client.platformTime)
            return nil
        } catch {
            return error
        }
    }

    /// The models do not change while a program runs: a published one gets a new version.
    private func readModel(of product: ProductKey) async throws(PlatformFailure) {
        guard models.withLock({ $0[product] == nil }) else { return }
        let answer: PlatformClient.Answer
        do {
            answer = try await client.read(.model(of: product))
        } catch {
            guard !error.isAboutLink else { throw error }
            answer = try await client.read(.publishedModel(of: product))
        }
        let text = answer.members["Data"]?.object?["TslStr"]?.string ?? ""
        let model: ThingModel
        do {
            model = try ThingModel(Array(text.utf8))
        } catch {
            throw PlatformFailure(
                proof: .failed, code: "",
                message: "the thing model of \(product) cannot be read: \(error.message)")
        }
        let kind = kinds[product.text] ?? .alinkDevice
        models.withLock { $0[product] = ThingProduct(product, model, kind: kind) }
    }

    private func devices(
        of product: ProductKey
    ) async throws(PlatformFailure) -> (devices: [ListedDevice], unusable: Int, at: Timestamp) {
        var devices: [ListedDevice] = []
        var unusable = 0
        var at: Timestamp?
        for number in 1...Self.mostPages {
            let answer = try await client.read(.devices(of: product, page: number))
            at = at ?? answer.at
            let entries =
                answer.members["Data"]?.object?["DeviceInfo"]?.array
                ?? answer.members["Data"]?.array ?? []
            let read = entries.compactMap { ListedDevice($0, of: product) }
            devices += read
            unusable += entries.count - read.count
            let pages = answer.members.count("PageCount")
            let total = answer.members.count("Total")
            let isLast =
                pages.map { number >= $0 }
                ?? total.map { number * PlatformRequest.pageSize >= $0 }
                ?? (entries.count < PlatformRequest.pageSize)
            if isLast || entries.isEmpty { break }
        }
        return (try await withStates(devices, of: product), unusable, at ?? client.platformTime)
    }

    /// The devices, with their states where the list did not tell them.
    private func withStates(
        _ devices: [ListedDevice], of product: ProductKey
    ) async throws(PlatformFailure) -> [ListedDevice] {
        let unknown = devices.filter { $0.status == nil }.map(\.name)
        guard !unknown.isEmpty else { return devices }
        var states: [String: ListedDevice.Status] = [:]
        for start in stride(from: 0, to: unknown.count, by: PlatformRequest.pageSize) {
            let part = unknown[start..<min(start + PlatformRequest.pageSize, unknown.count)]
            let answer = try await client.read(.states(of: part, in: product))
            let list = answer.members["DeviceStatusList"]
            for entry in list?.object?["DeviceStatus"]?.array ?? list?.array ?? [] {
                guard let entry = entry.object, let name = entry["DeviceName"]?.string else {
                    continue
                }
                states[name] = entry["Status"]?.string.flatMap { ListedDevice.Status($0) }
            }
        }
        return devices.map {
            ListedDevice(
                name: $0.name, nickname: $0.nickname, status: $0.status ?? states[$0.name.device])
        }
    }

    /// Reads what the devices of a part reported last.
    /// - Returns: why that of some could not be read; `nil` if all was.
    func readProperties(of scope: HomeScope) async -> PlatformFailure? {
        await withTaskGroup(of: PlatformFailure?.self) { group in
            for device in hub.devices(in: scope) {
                group.addTask { await self.readProperties(of: device.name) }
            }
            var failure: PlatformFailure?
            for await new in group { failure = failure ?? new }
            return failure
        }
    }

    /// Reads what a device reported last.
    /// - Returns: why it could not be read; `nil` if it was.
    func readProperties(of device: ThingName) async -> PlatformFailure? {
        do {
            let answer = try await client.read(.properties(of: device))
            hub.report(Self.values(in: answer.members), of: device.deviceID)
            return nil
        } catch {
            return error
        }
    }

    /// The properties that an answer lists; those that were never reported have no value.
    static func values(in members: JSONObject) -> [String: SubscribedMessage.TimedValue] {
        let list = members["Data"]?.object?["List"]
        let entries = list?.object?["PropertyStatusInfo"]?.array ?? list?.array ?? []
        var values: [String: SubscribedMessage.TimedValue] = [:]
        for entry in entries {
            guard let entry = entry.object, let identifier = entry["Identifier"]?.string,
                let value = entry["Value"], !value.isNull, let time = entry.time("Time")
            else { continue }
            values[identifier] = SubscribedMessage.TimedValue(value: value, at: time)
        }
        return values
    }
}

extension JSONObject {
    /// A count, as a number or as a text.
    fileprivate func count(_ name: String) -> Int? {
        self[name]?.integer ?? self[name]?.string.flatMap { Int($0) }
    }
}
