internal import Alink
internal import DeviceDomain

/// User name and password of one connection to the platform's server-side subscription, which hold for a few minutes:
/// each attempt needs new ones.
struct SubscriptionLogin: Hashable, Sendable {
    /// `CLIENTID|authMode=aksign,…|`
    let user: String
    /// The signature.
    let password: String

    /// - Parameters:
    ///   - client: names this client in its group, at most 64 characters.
    ///   - instance: empty where the platform has none.
    init(
        client: String, key: AccessKey, instance: String, group: String, at time: Timestamp
    ) {
        user =
            "\(client)|authMode=aksign,signMethod=hmacsha256,timestamp=\(time.milliseconds),"
            + "authId=\(key.id),iotInstanceId=\(instance),consumerGroupId=\(group)|"
        password = Self.password(key, .sha256, at: time)
    }

    static func password(
        _ key: AccessKey, _ algorithm: Digest.Algorithm, at time: Timestamp
    ) -> String {
        let text = "authId=\(key.id)&timestamp=\(time.milliseconds)"
        return Digest.hmac(Array(text.utf8), key: Array(key.secret.utf8), algorithm).base64
    }
}
