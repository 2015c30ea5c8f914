internal import Alink
internal import DeviceDomain

/// A call of the platform's API, without what every call has in common.
struct PlatformRequest: Hashable, Sendable {
    /// The name of the call.
    let action: String
    /// Its own parameters.
    let parameters: [String: String]
    /// Whether the call has an effect, so that it must not be sent twice.
    let isCommand: Bool

    private init(_ action: String, _ parameters: [String: String], isCommand: Bool = false) {
        self.action = action
        self.parameters = parameters
        self.isCommand = isCommand
    }

    /// The devices of a page of `QueryDevice` at most.
    static let pageSize = 50

    /// A page of the devices of a product.
    /// - Parameter number: from 1.
    static func devices(of product: ProductKey, page number: Int) -> PlatformRequest {
        PlatformRequest(
            "QueryDevice",
            [
                "ProductKey": product.text, "PageSize": "\(pageSize)", "CurrentPage": "\(number)",
            ])
    }

    /// The thing model of a product.
    static func model(of product: ProductKey) -> PlatformRequest {
        PlatformRequest("GetThingModelTsl", ["ProductKey": product.text])
    }

    /// The thing model of a product as it was published, which needs fewer rights.
    static func publishedModel(of product: ProductKey) -> PlatformRequest {
        PlatformRequest("GetThingModelTslPublished", ["ProductKey": product.text])
    }

    /// Whether devices of a product are online, at most ``pageSize`` of them.
    static func states(of devices: some Sequence<ThingName>, in product: ProductKey)
        -> PlatformRequest
    {
        var parameters = ["ProductKey": product.text]
        for (place, device) in devices.enumerated() {
            parameters["DeviceName.\(place + 1)"] = device.device
        }
        return PlatformRequest("BatchGetDeviceState", parameters)
    }

    /// What a device has reported last.
    static func properties(of device: ThingName) -> PlatformRequest {
        PlatformRequest("QueryDevicePropertyStatus", parameters(of: device))
    }

    /// Sets properties.
    /// - Parameter items: a JSON object.
    static func set(_ items: String, on device: ThingName) -> PlatformRequest {
        var parameters = parameters(of: device)
        parameters["Items"] = items
        return PlatformRequest("SetDeviceProperty", parameters, isCommand: true)
    }

    /// Calls a service.
    /// - Parameter arguments: a JSON object.
    static func call(
        _ service: String, _ arguments: String, on device: ThingName
    ) -> PlatformRequest {
        var parameters = parameters(of: device)
        parameters["Identifier"] = service
        parameters["Args"] = arguments
        return PlatformRequest("InvokeThingService", parameters, isCommand: true)
    }

    /// The calls of a service in a span of time, the newest first.
    static func calls(
        of service: String, on device: ThingName, from start: Timestamp, to end: Timestamp
    ) -> PlatformRequest {
        var parameters = parameters(of: device)
        parameters["Identifier"] = service
        parameters["StartTime"] = "\(start.milliseconds)"
        parameters["EndTime"] = "\(end.milliseconds)"
        parameters["Asc"] = "0"
        parameters["PageSize"] = "10"
        return PlatformRequest("QueryDeviceServiceData", parameters)
    }

    /// The clients that receive for a consumer group.
    static func clients(of group: String) -> PlatformRequest {
        PlatformRequest("QueryConsumerGroupStatus", ["GroupId": group])
    }

    private static func parameters(of device: ThingName) -> [String: String] {
        ["ProductKey": device.product.text, "DeviceName": device.device]
    }
}
