internal import Alink

/// Signature 1.0 of the platform's RPC API: HMAC-SHA1 over the sorted parameters (Alibaba Cloud, "Request signatures",
/// RPC style).
enum PlatformSignature {
    /// The signature of the parameters of a POST request.
    static func sign(_ parameters: [String: String], secret: String) -> String {
        let text = "POST&%2F&" + encode(form(parameters))
        return Digest.hmac(Array(text.utf8), key: Array("\(secret)&".utf8), .sha1).base64
    }

    /// The parameters as a form, sorted by name.
    static func form(_ parameters: [String: String]) -> String {
        parameters.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            .map { "\(encode($0.key))=\(encode($0.value))" }
            .joined(separator: "&")
    }

    /// The UTF-8 of a text with all but unreserved characters in percent-encoding (RFC 3986, section 2.3).
    static func encode(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."), UInt8(ascii: "~"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += byte < 16 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return encoded
    }
}
