public import Connectivity

extension ChannelKind {
    /// Alibaba Cloud's IoT Platform, or a platform with the same API.
    public static let alibabaCloud = ChannelKind(rawValue: "alibaba-cloud")
}
