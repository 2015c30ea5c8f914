// swift-tools-version: 6.2
import PackageDescription

/// What holds for every Swift target of the house (design: STYLE, "Manifest").
let houseSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

extension Target {
    /// A library or executable room in `Sources/` or `simulators/`.
    static func room(
        _ name: String, in folder: String = "Sources", importing dependencies: [Dependency] = []
    ) -> Target {
        .target(
            name: name, dependencies: dependencies, path: "\(folder)/\(name)",
            swiftSettings: houseSettings)
    }

    /// A program: a room with a `main`.
    static func program(
        _ name: String, in folder: String = "Sources", importing dependencies: [Dependency]
    ) -> Target {
        .executableTarget(
            name: name, dependencies: dependencies, path: "\(folder)/\(name)",
            swiftSettings: houseSettings)
    }

    /// The tests of one room.
    static func tests(_ name: String, importing dependencies: [Dependency]) -> Target {
        .testTarget(
            name: "\(name)Tests", dependencies: dependencies, swiftSettings: houseSettings)
    }
}

extension Target.Dependency {
    static let logging = product(name: "Logging", package: "swift-log")
    static let inMemoryLogging = product(name: "InMemoryLogging", package: "swift-log")
    static let metrics = product(name: "CoreMetrics", package: "swift-metrics")
    static let metricsTestKit = product(name: "MetricsTestKit", package: "swift-metrics")
    static let instrumentation = product(
        name: "Instrumentation", package: "swift-distributed-tracing")
    static let lifecycle = product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
    static let unixSignals = product(name: "UnixSignals", package: "swift-service-lifecycle")
    static let deque = product(name: "DequeModule", package: "swift-collections")
    static let heap = product(name: "HeapModule", package: "swift-collections")
    static let ordered = product(name: "OrderedCollections", package: "swift-collections")

    // What `MQTTClient` does without.
    static let argumentParser = stack("ArgumentParser", "swift-argument-parser")
    static let subprocess = stack("Subprocess", "swift-subprocess")
    static let grdb = stack("GRDB", "GRDB.swift")
    static let yams = stack("Yams", "Yams")
    static let flyingSocks = stack("FlyingSocks", "FlyingFox")
    static let hummingbird = stack("Hummingbird", "hummingbird")
    static let hummingbirdCore = stack("HummingbirdCore", "hummingbird")
    static let hummingbirdTLS = stack("HummingbirdTLS", "hummingbird")
    static let httpTypes = stack("HTTPTypes", "swift-http-types")
    static let nioCore = stack("NIOCore", "swift-nio")
    static let nioHTTP1 = stack("NIOHTTP1", "swift-nio")

    /// A product whose package is not resolved where the trait is off: a package is left out if every use of it
    /// has such a condition.
    private static func stack(_ product: String, _ package: String) -> Target.Dependency {
        .product(name: product, package: package, condition: .when(traits: ["Homeport"]))
    }
}

let package = Package(
    name: "homeport",
    products: [
        .library(name: "MQTTClient", targets: ["MQTTClient"]),
        .library(name: "MQTTClientBatching", targets: ["CMosquittoBatching"]),
        .library(
            name: "Homeport",
            targets: [
                "Homeport", "HomeportTesting", "Credentials", "DeviceDomain", "DeviceIdentity",
                "DeviceMessages", "Connectivity", "HomeModel", "Keychain", "MQTTLink",
                "MosquittoAdapter", "ZigbeeAdapter", "DeviceControl", "Persistence",
                "Provisioning", "ProvisioningProtocol",
            ]),
        .library(
            name: "HomeportApp",
            targets: [
                "SharedPresentation", "DeviceControlPresentation", "ProvisioningPresentation",
                "SimulationPresentation", "AppCoordination", "HomeportApp",
            ]),
        .executable(name: "homeport", targets: ["homeport-controller"]),
        .executable(name: "homeport-dashboard", targets: ["homeport-dashboard"]),
        .executable(name: "homeport-sim", targets: ["homeport-sim"]),
    ],
    traits: [
        .trait(
            name: "Homeport",
            description: "All products. Without it MQTTClient alone, and only what it needs."),
        .default(enabledTraits: ["Homeport"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        // Without its Foundation overlay, which a controller would pay for at every start.
        .package(
            url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        // Without its configuration files and full Foundation, which a start would pay for.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    ],
    targets: [
        // The C edge
        .systemLibrary(
            name: "CMosquitto",
            providers: [.apt(["libmosquitto-dev"]), .brew(["mosquitto"])]),
        .target(name: "CMosquittoShims"),
        // Replaces `read` and `write` of every program that links it.
        .target(name: "CMosquittoBatching", dependencies: ["CMosquittoShims"]),
        .target(name: "CLocking"),
        .target(name: "CSecretService"),
        .systemLibrary(
            name: "COpenSSL",
            providers: [.apt(["libssl-dev"]), .brew(["openssl"])]),

        // The stack
        .room("Locking", importing: ["CLocking"]),
        .target(
            name: "KillPoints",
            // A release build has no way to be killed by its environment.
            swiftSettings: houseSettings + [.define("KILL_POINTS", .when(configuration: .debug))]),
        .room("DeviceDomain"),
        .room("DeviceMessages", importing: ["DeviceDomain"]),
        .room("DeviceTopics", importing: ["DeviceDomain", "DeviceMessages", "MQTTClient"]),
        .room(
            "MQTTClient",
            importing: [
                "CMosquitto", "CMosquittoShims", "COpenSSL", "Locking", .deque, .heap, .logging,
                .metrics, .instrumentation, .lifecycle,
            ]),
        .room("LocalBroker", importing: ["Locking", "MQTTClient", .subprocess]),
        .room("FleetControl", importing: ["DeviceDomain", "DeviceMessages", .flyingSocks]),
        .room("Keychain", importing: ["COpenSSL", "CSecretService"]),
        .room(
            "ProvisioningProtocol",
            importing: ["COpenSSL", "DeviceDomain", "DeviceMessages", "Keychain"]),
        .room("Credentials", importing: ["Keychain", "MQTTClient"]),
        .room(
            "DeviceIdentity",
            importing: [
                "COpenSSL", "DeviceDomain", "DeviceMessages", "DeviceTopics", "Keychain",
            ]),
        .room("Connectivity", importing: ["DeviceDomain", "DeviceMessages", "Locking"]),
        .room(
            "Provisioning",
            importing: [
                "Connectivity", "DeviceDomain", "DeviceMessages", "Keychain",
                "ProvisioningProtocol", .flyingSocks, .subprocess,
            ]),
        .room(
            "HomeModel",
            importing: ["Connectivity", "DeviceDomain", "DeviceMessages", "Locking", .deque]),
        .room(
            "MQTTLink",
            importing: [
                "Connectivity", "DeviceMessages", "KillPoints", "Locking", "MQTTClient", .logging,
            ]),
        .room(
            "MosquittoAdapter",
            importing: [
                "Connectivity", "DeviceDomain", "DeviceMessages", "DeviceTopics", "KillPoints",
                "MQTTClient", "MQTTLink", .logging,
            ]),
        .room(
            "ZigbeeAdapter",
            importing: [
                "Connectivity", "DeviceDomain", "DeviceMessages", "Locking", "MQTTClient",
                "MQTTLink", .logging,
            ]),
        .room(
            "DeviceControl",
            importing: [
                "Connectivity", "DeviceDomain", "DeviceMessages", "KillPoints", "Locking", .deque,
                .heap,
            ]),
        .room(
            "Persistence",
            importing: [
                "COpenSSL", "Connectivity", "DeviceDomain", "DeviceMessages", "DeviceControl",
                "KillPoints", "Locking", "Provisioning", .grdb,
            ]),
        .room(
            "HomeportTesting",
            importing: [
                "Connectivity", "DeviceControl", "DeviceDomain", "DeviceMessages", "Locking",
            ]),
        .room(
            "Homeport",
            importing: [
                "Connectivity", "Credentials", "DeviceControl", "DeviceDomain", "DeviceIdentity",
                "DeviceMessages", "HomeModel", "Keychain", "Locking", "MQTTClient", "MQTTLink",
                "MosquittoAdapter", "Persistence", "Provisioning", "ProvisioningProtocol",
                "ZigbeeAdapter", .lifecycle, .logging, .yams,
            ]),
        .target(
            name: "Dashboard",
            dependencies: [
                "AppCoordination", "Credentials", "DeviceControl", "DeviceControlPresentation",
                "DeviceDomain", "DeviceMessages", "Keychain", "Locking", "MQTTClient",
                "ProvisioningPresentation",
                "SharedPresentation", "SimulationPresentation", .logging, .hummingbird,
                .hummingbirdCore, .hummingbirdTLS,
                .httpTypes, .nioCore, .nioHTTP1,
            ],
            resources: [.embedInCode("Resources")], swiftSettings: houseSettings),
        .room("HomeAssistant", importing: ["Homeport"]),
        .room(
            "HomeportCLI",
            importing: [
                "HomeAssistant", "Homeport", "KillPoints", "LocalBroker", "Locking",
                .argumentParser,
                .flyingSocks, .logging, .unixSignals,
            ]),
        .program("homeport-controller", importing: ["CMosquittoBatching", "HomeportCLI"]),
        .program(
            "homeport-dashboard",
            importing: [
                "CMosquittoBatching", "Dashboard", "FleetControl", "Homeport", "HomeportApp",
                "HomeportCLI", "LocalBroker",
            ]),

        // The app
        .room(
            "SharedPresentation",
            importing: [
                "Connectivity", "DeviceControl", "DeviceDomain", "DeviceMessages", "HomeModel",
            ]),
        .room(
            "DeviceControlPresentation",
            importing: [
                "Connectivity", "DeviceControl", "DeviceDomain", "DeviceMessages", "HomeModel",
                "SharedPresentation",
            ]),
        .room("ProvisioningPresentation", importing: ["DeviceDomain", "SharedPresentation"]),
        .room("SimulationPresentation", importing: ["DeviceDomain", "SharedPresentation"]),
        .room(
            "AppCoordination",
            importing: [
                "DeviceControlPresentation", "DeviceDomain", "ProvisioningPresentation",
                "SharedPresentation", "SimulationPresentation",
            ]),
        .room(
            "HomeportApp",
            importing: [
                "AppCoordination", "DeviceControlPresentation", "Homeport",
                "ProvisioningPresentation", "SharedPresentation", "SimulationPresentation",
            ]),

        .program(
            "homeport-docs",
            importing: [
                "Connectivity", "DeviceControl", "DeviceDomain", "DeviceMessages", "DeviceTopics",
                "MQTTClient",
            ]),

        // The simulated homes
        .room(
            "DeviceSimulation", in: "simulators", importing: ["DeviceDomain", "DeviceMessages"]),
        .room(
            "Fleet", in: "simulators",
            importing: [
                "DeviceSimulation", "DeviceDomain", "DeviceMessages", "DeviceTopics", "KillPoints",
                "MQTTClient", .heap, .lifecycle,
            ]),
        .room(
            "BoxedDevices", in: "simulators",
            importing: [
                "COpenSSL", "DeviceDomain", "DeviceMessages", "DeviceSimulation", "Fleet",
                "Keychain", "KillPoints", "MQTTClient", "ProvisioningProtocol",
                .flyingSocks, .lifecycle,
            ]),
        .program(
            "homeport-sim", in: "simulators",
            importing: [
                "BoxedDevices", "CMosquittoBatching", "Credentials", "DeviceDomain",
                "DeviceMessages", "DeviceSimulation", "DeviceTopics", "Fleet", "FleetControl",
                "LocalBroker", "MQTTClient", .argumentParser, .logging, .lifecycle, .unixSignals,
                .flyingSocks,
            ]),

        // Tests
        .target(
            name: "TestSupport",
            dependencies: ["Locking", "MQTTClient", .subprocess],
            path: "Tests/TestSupport", swiftSettings: houseSettings),
        .tests("DeviceDomain", importing: ["DeviceDomain"]),
        .tests(
            "DeviceMessages", importing: ["DeviceDomain", "DeviceMessages", "TestSupport"]),
        .tests(
            "DeviceTopics",
            importing: ["DeviceDomain", "DeviceMessages", "DeviceTopics", "MQTTClient"]),
        .tests(
            "HomeportDocs",
            importing: ["DeviceControl", "DeviceDomain", "DeviceMessages", "homeport-docs"]),
        .tests(
            "MQTTClient",
            importing: [
                "CMosquitto", "CMosquittoBatching", "Locking", "MQTTClient", "TestSupport",
                .logging, .inMemoryLogging, .metrics, .metricsTestKit, .instrumentation, .lifecycle,
                .unixSignals,
            ]),
        .program("LocalBrokerProbe", in: "Tests", importing: ["LocalBroker"]),
        .tests(
            "LocalBroker",
            importing: [
                "DeviceDomain", "DeviceTopics", "LocalBroker", "LocalBrokerProbe", "MQTTClient",
                "TestSupport",
            ]),
        .tests(
            "FleetControl",
            importing: [
                "DeviceDomain", "DeviceMessages", "FleetControl", "TestSupport", .flyingSocks,
            ]),
        .tests("Keychain", importing: ["Keychain", "TestSupport"]),
        .tests(
            "ProvisioningProtocol",
            importing: ["DeviceDomain", "Keychain", "ProvisioningProtocol", "TestSupport"]),
        .tests(
            "Provisioning",
            importing: [
                "Connectivity", "DeviceDomain", "DeviceMessages", "Keychain", "Locking",
                "Provisioning", "ProvisioningProtocol", "TestSupport", .flyingSocks,
            ]),
        .tests(
            "DeviceIdentity",
            importing: ["DeviceDomain", "DeviceIdentity", "Keychain", "TestSupport"]),
        .tests(
            "Connectivity", importing: ["Connectivity", "DeviceDomain", "HomeportTesting"]),
        .tests(
            "HomeModel",
            importing: ["Connectivity", "DeviceDomain", "DeviceMessages", "HomeModel"]),
        .tests("MQTTLink", importing: ["Locking", "MQTTClient", "MQTTLink", "TestSupport"]),
        .tests(
            "MosquittoAdapter",
            importing: [
                "Connectivity", "DeviceDomain", "DeviceMessages", "Locking", "MQTTClient",
                "MosquittoAdapter", "TestSupport",
            ]),
        .tests(
            "ZigbeeAdapter",
            importing: [
                "Connectivity", "DeviceDomain", "DeviceMessages", "MQTTClient", "MQTTLink",
                "ZigbeeAdapter", "TestSupport",
            ]),
        .tests(
            "Homeport",
            importing: [
                "Homeport", "HomeportTesting", "TestSupport", .lifecycle, .logging, .unixSignals,
            ]),
        .tests("HomeAssistant", importing: ["HomeAssistant", "Homeport"]),
        .tests(
            "Dashboard",
            importing: [
                "AppCoordination", "Connectivity", "Dashboard", "DeviceControl",
                "DeviceControlPresentation", "DeviceDomain", "DeviceMessages", "HomeModel",
                "MQTTClient", "ProvisioningPresentation", "SharedPresentation",
                "SimulationPresentation", "TestSupport",
            ]),
        .tests(
            "SharedPresentation",
            importing: ["DeviceDomain", "DeviceMessages", "SharedPresentation"]),
        .tests(
            "HomeportApp",
            importing: [
                "AppCoordination", "DeviceControlPresentation", "Homeport", "HomeportApp",
                "HomeportTesting", "ProvisioningPresentation", "SharedPresentation",
                "SimulationPresentation", "TestSupport",
            ]),
        .tests(
            "HomeportCLI",
            importing: [
                "DeviceControl", "Homeport", "HomeportCLI", "HomeportTesting", "LocalBroker",
                "Locking", "Persistence", "TestSupport", .argumentParser,
            ]),
        .tests(
            "DeviceControl",
            importing: [
                "Connectivity", "DeviceControl", "DeviceDomain", "DeviceMessages",
                "HomeportTesting", "TestSupport",
            ]),
        .tests(
            "Persistence",
            importing: [
                "Connectivity", "DeviceControl", "DeviceDomain", "DeviceMessages", "Persistence",
                "Provisioning", "TestSupport", .grdb,
            ]),
        .tests(
            "DeviceSimulation",
            importing: ["DeviceSimulation", "DeviceDomain", "DeviceMessages"]),
        .tests(
            "Fleet",
            importing: [
                "DeviceDomain", "DeviceMessages", "DeviceSimulation", "Fleet", "MQTTClient",
                "TestSupport",
            ]),
        .tests(
            "BoxedDevices",
            importing: [
                "BoxedDevices", "DeviceDomain", "DeviceMessages", "DeviceSimulation", "Fleet",
                "Keychain", "ProvisioningProtocol", "TestSupport",
            ]),
        .tests(
            "EndToEnd",
            importing: [
                "Connectivity", "DeviceControl", "DeviceDomain", "DeviceIdentity", "DeviceMessages",
                "DeviceTopics", "HomeportTesting", "Keychain", "MQTTClient",
                "Persistence", "TestSupport",
                "homeport-controller", "homeport-dashboard", "homeport-sim",
            ]),
    ]
)

// `make docc`: nobody else needs the plugin.
if Context.environment["DOCC"] != nil {
    package.dependencies.append(
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}

// `scripts/fuzz`: libFuzzer's own main, so it is built apart and only when asked for.
if Context.environment["FUZZ"] != nil {
    let fuzzer = SwiftSetting.unsafeFlags(["-sanitize=fuzzer"])
    for target in package.targets
    where [
        "DeviceDomain", "DeviceMessages", "DeviceTopics", "MQTTClient", "Provisioning",
        "ProvisioningProtocol",
    ].contains(target.name) {
        target.swiftSettings?.append(fuzzer)
    }
    package.targets.append(
        .executableTarget(
            name: "homeport-fuzz",
            dependencies: [
                "CMosquittoBatching", "DeviceMessages", "DeviceTopics", "Keychain", "MQTTClient",
                "Provisioning", "ProvisioningProtocol",
            ],
            path: "Fuzz",
            exclude: [
                "answers-seeds", "mqtt-seeds", "outbound-seeds", "provisioning-seeds", "seeds",
            ],
            swiftSettings: houseSettings + [fuzzer],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])]))
    package.products.append(.executable(name: "homeport-fuzz", targets: ["homeport-fuzz"]))
}
