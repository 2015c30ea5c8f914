internal import Basics

/// The HMAC with which a device signs its login.
package enum AlinkSignMethod: String, Hashable, Sendable, CaseIterable {
    case hmacMD5 = "hmacmd5"
    case hmacSHA1 = "hmacsha1"
    case hmacSHA256 = "hmacsha256"

    var algorithm: Digest.Algorithm {
        switch self {
        case .hmacMD5: .md5
        case .hmacSHA1: .sha1
        case .hmacSHA256: .sha256
        }
    }

    /// The signature of parameters with a secret: each name and value one after the other, in the order of the
    /// names, as hexadecimal digits in lower case.
    package func sign(_ parameters: [String: String], with secret: AlinkSecret) -> String {
        let text = parameters.sorted { $0.key < $1.key }.map { $0.key + $0.value }.joined()
        return Digest.hmac(Array(text.utf8), key: Array(secret.text.utf8), algorithm).hexadecimal
    }
}

/// What a device gives a broker in CONNECT.
package struct AlinkLogin: Hashable, Sendable {
    /// The client id with its parameters between bars.
    package let clientID: String
    /// DeviceName and product key.
    package let username: String
    /// The signature.
    package let password: String

    /// Signs a login.
    /// - Parameters:
    ///   - clientID: what the device calls itself, at most 64 characters; `nil` for `PRODUCTKEY.DEVICENAME`.
    ///   - timestamp: any text; `nil` leaves it out.
    ///   - isEncrypted: whether the connection uses TLS.
    ///   - isSubscribedByServer: whether the device gets its messages without subscribing.
    package init(
        _ triple: AlinkTriple, clientID: String? = nil, timestamp: String?,
        method: AlinkSignMethod = .hmacSHA256, isEncrypted: Bool = false,
        isSubscribedByServer: Bool = true
    ) {
        let name = triple.name
        let ownID = clientID ?? "\(name.product).\(name.device)"
        var signed = [
            "clientId": ownID, "deviceName": name.device, "productKey": name.product.text,
        ]
        signed["timestamp"] = timestamp
        var members = ["securemode=\(isEncrypted ? 2 : 3)", "signmethod=\(method.rawValue)"]
        if let timestamp { members.append("timestamp=\(timestamp)") }
        if isSubscribedByServer { members.append("_ss=1") }
        self.clientID = "\(ownID)|\(members.joined(separator: ","))|"
        username = "\(name.device)&\(name.product)"
        password = method.sign(signed, with: triple.secret)
    }
}
