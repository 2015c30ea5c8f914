internal import Basics
package import DeviceDomain

/// Names a product of the platform: the devices of one product have one thing model.
package struct ProductKey: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// 1 to 64 letters, digits, hyphens and underscores; the platform's own have 11 letters and digits.
    package let text: String

    /// `nil` for a text with other characters, which could not be part of a topic or of a file's name.
    package init?(_ text: some StringProtocol) {
        guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy(\.isWordByte) else {
            return nil
        }
        self.text = String(text)
    }

    package var description: String { text }

    package static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

/// What the platform calls a device: product key and DeviceName, without its secret.
package struct ThingName: Hashable, Sendable, CustomStringConvertible {
    /// Its product.
    package let product: ProductKey
    /// Its name in the product, case-sensitive: 1 to 64 of `A-Za-z0-9-_.@:`; the platform gives 4 to 32.
    package let device: String

    /// `nil` for a DeviceName with other characters.
    package init?(product: ProductKey, device: some StringProtocol) {
        let isAllowed = device.utf8.allSatisfy { $0.isWordByte || ".@:".utf8.contains($0) }
        guard (1...64).contains(device.utf8.count), isAllowed else { return nil }
        self.product = product
        self.device = String(device)
    }

    /// `PRODUCTKEY/DEVICENAME`.
    package var description: String { "\(product)/\(device)" }

    /// The id of the device in a home: its DeviceName in lower case, other characters as hyphens, and six
    /// hexadecimal digits of the SHA-256 of ``description``, as DeviceNames that differ in case alone are two
    /// devices. Hyphens at the start are left out, because no id begins with one.
    package var deviceID: DeviceID {
        let hyphenated = String(
            decoding: device.utf8.map { $0.isSlugByte ? $0 : $0.lowercasedOrHyphen },
            as: UTF8.self
        ).drop { $0 == "-" }
        let digits = String(Digest.sha256(Array(description.utf8)).hexadecimal.prefix(6))
        let text = hyphenated.isEmpty ? digits : "\(hyphenated.prefix(56))-\(digits)"
        guard let id = DeviceID(rawValue: text) else {
            preconditionFailure("\(text) has lower-case letters, digits and hyphens alone")
        }
        return id
    }
}

extension UInt8 {
    fileprivate var isWordByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    fileprivate var isSlugByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }

    fileprivate var lowercasedOrHyphen: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : UInt8(ascii: "-")
    }
}
