// swift-tools-version: 6.2
import PackageDescription

// Programs that measure the products from outside: they see only what is public.
let settings: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

/// As the programs of Homeport have it.
let batching = Target.Dependency.product(name: "MQTTClientBatching", package: "homeport")

let package = Package(
    name: "benchmarks",
    dependencies: [
        .package(name: "homeport", path: ".."),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    ],
    targets: [
        .executableTarget(
            name: "mqtt-bench",
            dependencies: [
                .product(name: "MQTTClient", package: "homeport"), batching,
                .product(name: "Histogram", package: "hdrhistogram-swift"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "home-bench",
            dependencies: [.product(name: "Homeport", package: "homeport"), batching],
            swiftSettings: settings),
        .executableTarget(
            name: "history-bench",
            dependencies: [.product(name: "Homeport", package: "homeport"), batching],
            swiftSettings: settings),
        .executableTarget(
            name: "command-bench",
            dependencies: [.product(name: "Homeport", package: "homeport"), batching],
            swiftSettings: settings),
        .executableTarget(
            name: "ledger-bench",
            dependencies: [.product(name: "Homeport", package: "homeport")],
            swiftSettings: settings),
        .executableTarget(
            name: "mqtt-soak",
            dependencies: [.product(name: "MQTTClient", package: "homeport"), batching],
            swiftSettings: settings),
    ]
)
