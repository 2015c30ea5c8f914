// swift-tools-version: 6.2
import PackageDescription

// Programs that use Homeport's products as an outsider would: they see only what is public.
// MQTTAlone is a package of its own, because it does without most of the dependencies.
let settings: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

let package = Package(
    name: "examples",
    dependencies: [.package(name: "homeport", path: "..")],
    targets: [
        .executableTarget(
            name: "clean-two-rooms",
            dependencies: [.product(name: "Homeport", package: "homeport")],
            swiftSettings: settings),
        .executableTarget(
            name: "own-kind",
            dependencies: [.product(name: "Homeport", package: "homeport")],
            swiftSettings: settings),
        .executableTarget(
            name: "own-channel",
            dependencies: [.product(name: "Homeport", package: "homeport")],
            swiftSettings: settings),
    ]
)
