// swift-tools-version: 6.2
import PackageDescription

// A program that uses MQTTClient alone. Without the trait of the whole stack no package is resolved that only the
// rest of it needs; scripts/check-client-alone counts.
let package = Package(
    name: "mqtt-alone",
    dependencies: [.package(name: "homeport", path: "../..", traits: [])],
    targets: [
        .executableTarget(
            name: "pubsub",
            dependencies: [.product(name: "MQTTClient", package: "homeport")],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
    ]
)
