internal import Basics
internal import DeviceDomain
internal import DeviceMessages

/// A file of the program that pages refer to.
struct Asset: Hashable, Sendable {
    /// Its path on this server. It contains the version of the contents, so that a browser keeps it for
    /// as long as it does not change.
    let path: String
    /// The media type.
    let type: String
    /// The contents.
    let bytes: [UInt8]

    private init(_ name: String, _ ending: String, _ type: String, _ bytes: [UInt8]) {
        path = "/assets/\(name)-\(Fingerprint(bytes).text).\(ending)"
        self.type = type
        self.bytes = bytes
    }

    /// How every page looks.
    static let style = Asset(
        "dashboard", "css", "text/css; charset=utf-8", PackageResources.dashboard_css)
    /// Puts changes into an open page.
    static let script = Asset(
        "dashboard", "js", "text/javascript; charset=utf-8", PackageResources.dashboard_js)
    /// Leads a browser to the dashboard's own host.
    static let entrance = Asset(
        "entrance", "js", "text/javascript; charset=utf-8", PackageResources.entrance_js)
    /// The sign of the project in the title bar of a browser.
    static let icon = Asset("icon", "svg", "image/svg+xml", PackageResources.icon_svg)

    /// The same as bitmaps, in pixels of a side, for systems that install the dashboard.
    static let bitmaps = [180, 192, 512].map { size in
        (size: size, asset: Asset("icon-\(size)", "png", "image/png", AppIcon(size: size).png()))
    }
    /// What a system needs to know to install the dashboard (W3C Web Application Manifest).
    static let manifest = Asset(
        "app", "webmanifest", "application/manifest+json", JSONWriter.write(.object(application)))

    private static let application: JSONObject = [
        "name": "Homeport", "short_name": "Homeport", "id": "/", "start_url": "/", "scope": "/",
        "display": "standalone", "background_color": "#f3f5f2", "theme_color": "#0b6e63",
        "icons": .array(
            [icon(icon, "any", "any")]
                + bitmaps.flatMap { size, bitmap in
                    ["any", "maskable"].map { icon(bitmap, "\(size)x\(size)", $0) }
                }),
    ]

    private static func icon(_ asset: Asset, _ sizes: String, _ purpose: String) -> JSONValue {
        [
            "src": .string(asset.path), "sizes": .string(sizes), "type": .string(asset.type),
            "purpose": .string(purpose),
        ]
    }

    /// All of them.
    static let all = [style, script, entrance, icon, manifest] + bitmaps.map(\.asset)
}

/// Tells contents apart; not meant for contents that somebody has made for a collision.
struct Fingerprint: Hashable, Sendable {
    /// 16 hexadecimal digits.
    let text: String

    /// FNV-1a with 64 bits.
    init(_ bytes: some Sequence<UInt8>) {
        let value = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3
        }
        text = value.hexadecimal
    }
}
