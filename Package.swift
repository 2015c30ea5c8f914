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

/// The commit that is built, for `--version --verbose`; the Makefile names it. What SwiftPM knows of the checkout is as
/// old as its cache of this manifest.
let commit: [CSetting] =
    Context.environment["HOMEPORT_COMMIT"].map { [.define("HOMEPORT_COMMIT", to: "\"\($0)\"")] }
    ?? []

/// The floors of the house, from the ground up. A room imports rooms of its own floor and of those below it;
/// `scripts/check-walls` reads this order.
enum Floor: String {
    case platform = "Platform"
    case mqtt = "MQTT"
    case domain = "Domain"
    case channels = "Channels"
    case security = "Security"
    case control = "Control"
    case app = "App"
    case programs = "Programs"
    case simulators = "Simulators"
    case tools = "Tools"

    var sources: String {
        switch self {
        case .simulators: "simulators"
        case .tools: "Tools"
        default: "Sources/\(rawValue)"
        }
    }

    var tests: String { "Tests/\(rawValue)" }
}

extension Target {
    /// A library.
    static func room(
        _ name: String, on floor: Floor, importing dependencies: [Dependency] = [],
        defining settings: [SwiftSetting] = [], embedding resources: [Resource]? = nil
    ) -> Target {
        .target(
            name: name, dependencies: dependencies, path: "\(floor.sources)/\(name)",
            resources: resources, swiftSettings: houseSettings + settings)
    }

    /// C that Swift cannot say.
    static func cRoom(
        _ name: String, importing dependencies: [Dependency] = [],
        defining settings: [CSetting] = []
    ) -> Target {
        .target(
            name: name, dependencies: dependencies, path: "\(Floor.platform.sources)/\(name)",
            cSettings: settings)
    }

    /// A library of the system.
    static func system(_ name: String, apt: String, brew: String) -> Target {
        .systemLibrary(
            name: name, path: "\(Floor.platform.sources)/\(name)",
            providers: [.apt([apt]), .brew([brew])])
    }

    /// A program: a room with a `main`.
    static func program(
        _ name: String, on floor: Floor, importing dependencies: [Dependency]
    ) -> Target {
        .executableTarget(
            name: name, dependencies: dependencies, path: "\(floor.sources)/\(name)",
            swiftSettings: houseSettings)
    }

    /// The tests of one room.
    static func tests(
        _ name: String, on floor: Floor, importing dependencies: [Dependency]
    ) -> Target {
        .testTarget(
            name: "\(name)Tests", dependencies: dependencies,
            path: "\(floor.tests)/\(name)Tests", swiftSettings: houseSettings)
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
    static let system = stack("SystemPackage", "swift-system")
    static let grdb = stack("GRDB", "GRDB.swift")
    static let yams = stack("Yams", "Yams")
    static let flyingSocks = stack("FlyingSocks", "FlyingFox")
    static let hummingbird = stack("Hummingbird", "hummingbird")
    static let hummingbirdCore = stack("HummingbirdCore", "hummingbird")
    static let hummingbirdTLS = stack("HummingbirdTLS", "hummingbird")
    static let httpTypes = stack("HTTPTypes", "swift-http-types")
    static let nioCore = stack("NIOCore", "swift-nio")
    static let nioHTTP1 = stack("NIOHTTP1", "swift-nio")
    static let nioPosix = stack("NIOPosix", "swift-nio")

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
                "Homeport", "HomeportTesting", "Automation", "Credentials", "DeviceDomain",
                "DeviceIdentity", "DeviceMessages", "Connectivity", "History", "HomeModel",
                "Keychain", "MQTTLink",
                "AlibabaAdapter", "MatterAdapter", "MosquittoAdapter", "ZigbeeAdapter",
                "DeviceControl",
                "Persistence",
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
        // What swift-subprocess is made of.
        .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
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
        // Platform: C edges and basics
        .system("CMosquitto", apt: "libmosquitto-dev", brew: "mosquitto"),
        .cRoom("CMosquittoShims"),
        // Replaces `read` and `write` of every program that links it.
        .cRoom("CMosquittoBatching", importing: ["CMosquittoShims"]),
        .cRoom("CLocking"),
        .cRoom("CBuild", defining: commit),
        .system("COpenSSL", apt: "libssl-dev", brew: "openssl"),
        .cRoom("CSecretService"),
        // Loads libwebsockets when it is used; its headers are needed to build.
        .cRoom("CWebSocket"),
        .cRoom("CHTTPS"),
        .cRoom("CAMQP"),
        .cRoom("CPostgreSQL"),
        .room("Basics", on: .platform, importing: ["CLocking"]),
        .room("Markup", on: .platform),
        // A release build has no way to be killed by its environment.
        .room(
            "KillPoints", on: .platform,
            defining: [.define("KILL_POINTS", .when(configuration: .debug))]),

        // MQTT: the client
        .room(
            "MQTTClient", on: .mqtt,
            importing: [
                "CMosquitto", "CMosquittoShims", "COpenSSL", "Basics", .deque, .heap, .logging,
                .metrics, .instrumentation, .lifecycle,
            ]),

        // Domain: devices and their messages
        .room("DeviceDomain", on: .domain),
        .room("DeviceMessages", on: .domain, importing: ["DeviceDomain"]),
        .room("YAMLText", on: .domain, importing: ["DeviceDomain", .yams]),

        // Channels: the contract and its adapters
        .room(
            "Connectivity", on: .channels, importing: ["DeviceDomain", "DeviceMessages", "Basics"]),
        .room(
            "DeviceTopics", on: .channels,
            importing: ["Basics", "DeviceDomain", "DeviceMessages", "MQTTClient"]),
        .room(
            "MQTTLink", on: .channels,
            importing: [
                "Connectivity", "DeviceMessages", "KillPoints", "Basics", "MQTTClient", .logging,
            ]),
        .room(
            "MosquittoAdapter", on: .channels,
            importing: [
                "Basics", "Connectivity", "DeviceDomain", "DeviceMessages", "DeviceTopics",
                "KillPoints", "MQTTClient", "MQTTLink", .logging,
            ]),
        .room(
            "ZigbeeAdapter", on: .channels,
            importing: [
                "Connectivity", "DeviceDomain", "DeviceMessages", "Basics", "MQTTClient",
                "MQTTLink", .logging,
            ]),
        .room(
            "MatterAdapter", on: .channels,
            importing: [
                "Basics", "CWebSocket", "Connectivity", "DeviceDomain", "DeviceMessages",
                "MQTTClient", "MQTTLink", .logging,
            ]),
        .room(
            "AlinkAdapter", on: .channels,
            importing: [
                "Alink", "Connectivity", "DeviceDomain", "DeviceMessages", "Basics", "MQTTClient",
                "MQTTLink", .logging,
            ]),

        // Alibaba's protocols as values, for a controller and for simulated devices.
        .room(
            "Alink", on: .channels,
            importing: ["Basics", "COpenSSL", "DeviceDomain", "DeviceMessages", "YAMLText"]),

        .room(
            "HTTPSRequests", on: .channels, importing: ["Basics", "CHTTPS", "DeviceDomain"]),

        .room(
            "AlibabaAdapter", on: .channels,
            importing: [
                "Alink", "Basics", "CAMQP", "Connectivity", "DeviceDomain", "DeviceMessages",
                "HTTPSRequests", .logging,
            ]),

        // Security: keychain, identity, provisioning
        .room("Keychain", on: .security, importing: ["Basics", "COpenSSL", "CSecretService"]),
        .room("Credentials", on: .security, importing: ["Keychain", "MQTTClient"]),
        .room(
            "DeviceIdentity", on: .security,
            importing: [
                "Basics", "COpenSSL", "DeviceDomain", "DeviceMessages", "DeviceTopics", "Keychain",
            ]),
        .room(
            "ProvisioningProtocol", on: .security,
            importing: ["Basics", "COpenSSL", "DeviceDomain", "DeviceMessages", "Keychain"]),
        .room(
            "Provisioning", on: .security,
            importing: [
                "Basics", "Connectivity", "DeviceDomain", "DeviceMessages", "Keychain",
                "MatterAdapter", "ProvisioningProtocol", .flyingSocks, .subprocess,
            ]),

        // Control: commands, what is known, storage, the facade
        .room(
            "HomeModel", on: .control,
            importing: ["Connectivity", "DeviceDomain", "DeviceMessages", "Basics", .deque]),
        .room(
            "DeviceControl", on: .control,
            importing: [
                "Connectivity", "DeviceDomain", "DeviceMessages", "KillPoints", "Basics", .deque,
                .heap,
            ]),
        .room(
            "History", on: .control,
            importing: ["Basics", "Connectivity", "DeviceDomain", "DeviceMessages", "HomeModel"]),
        .room(
            "Automation", on: .control,
            importing: [
                "Connectivity", "DeviceControl", "DeviceDomain", "DeviceMessages", "HomeModel",
            ]),
        .room(
            "LedgerRows", on: .control,
            importing: [
                "Automation", "Basics", "Connectivity", "DeviceControl", "DeviceDomain",
                "DeviceMessages", "HomeModel", "Keychain", "Provisioning",
            ]),
        .room(
            "Persistence", on: .control,
            importing: [
                "Automation", "Connectivity", "DeviceDomain", "DeviceMessages", "DeviceControl",
                "History", "KillPoints", "LedgerRows", "Basics", "Provisioning", .grdb,
            ]),
        .room(
            "PostgresPersistence", on: .control,
            importing: [
                "Automation", "Basics", "CPostgreSQL", "Connectivity", "DeviceControl",
                "DeviceDomain", "DeviceMessages", "History", "LedgerRows", "Provisioning",
            ]),
        .room(
            "Homeport", on: .control,
            importing: [
                "AlibabaAdapter", "Alink", "AlinkAdapter", "Automation", "Connectivity",
                "Credentials", "DeviceControl", "DeviceDomain", "DeviceIdentity",
                "DeviceMessages", "History", "HomeModel", "Keychain", "KillPoints", "Basics",
                "MQTTClient", "MQTTLink",
                "MatterAdapter", "MosquittoAdapter", "Persistence", "PostgresPersistence",
                "Provisioning", "ProvisioningProtocol",
                "YAMLText", "ZigbeeAdapter", .lifecycle, .logging,
            ]),
        .room(
            "HomeportTesting", on: .control,
            importing: [
                "Connectivity", "DeviceControl", "DeviceDomain", "DeviceMessages", "Basics",
            ]),

        // App: view models and what shows them
        .room(
            "SharedPresentation", on: .app,
            importing: [
                "Automation", "Connectivity", "DeviceControl", "DeviceDomain", "DeviceMessages",
                "History", "HomeModel",
            ]),
        .room(
            "DeviceControlPresentation", on: .app,
            importing: [
                "Automation", "Connectivity", "DeviceControl", "DeviceDomain", "DeviceMessages",
                "History", "HomeModel", "SharedPresentation",
            ]),
        .room(
            "ProvisioningPresentation", on: .app, importing: ["DeviceDomain", "SharedPresentation"]),
        .room(
            "SimulationPresentation", on: .app, importing: ["DeviceDomain", "SharedPresentation"]),
        .room(
            "AppCoordination", on: .app,
            importing: [
                "DeviceControlPresentation", "DeviceDomain", "ProvisioningPresentation",
                "SharedPresentation", "SimulationPresentation",
            ]),
        .room(
            "HomeportApp", on: .app,
            importing: [
                "AppCoordination", "DeviceControlPresentation", "Homeport",
                "ProvisioningPresentation", "SharedPresentation", "SimulationPresentation",
            ]),
        .room(
            "Dashboard", on: .app,
            importing: [
                "AppCoordination", "Automation", "Credentials", "DeviceControl",
                "DeviceControlPresentation",
                "DeviceDomain", "DeviceMessages", "HomeModel", "Keychain", "Basics", "Markup",
                "MQTTClient",
                "ProvisioningPresentation",
                "SharedPresentation", "SimulationPresentation", .logging, .hummingbird,
                .hummingbirdCore, .hummingbirdTLS,
                .httpTypes, .nioCore, .nioHTTP1,
            ],
            embedding: [.embedInCode("Resources")]),
        .room("HomeAssistant", on: .app, importing: ["Basics", "Homeport"]),

        // Programs: command lines and what programs of one user ask each other
        .room(
            "LocalServices", on: .programs,
            importing: [
                "Basics", "DeviceDomain", "DeviceMessages", "MQTTClient", .flyingSocks, .system,
            ]),
        .room(
            "LocalBroker", on: .programs,
            importing: ["Basics", "LocalServices", .subprocess, .system]),
        .room(
            "TerminalOutput", on: .programs,
            importing: ["Basics", "CBuild", "DeviceDomain", "DeviceMessages"]),
        .room(
            "Notifications", on: .programs,
            importing: [
                "Automation", "Basics", "Connectivity", "DeviceDomain", "DeviceMessages",
                "HTTPSRequests", "Homeport", .subprocess, .system,
            ]),
        .room(
            "HomeportCLI", on: .programs,
            importing: [
                "HomeAssistant", "Homeport", "KillPoints", "LocalServices", "Basics",
                "Notifications", "TerminalOutput", "YAMLText", .argumentParser, .logging,
                .unixSignals,
            ]),
        .program(
            "homeport-controller", on: .programs, importing: ["CMosquittoBatching", "HomeportCLI"]),
        .program(
            "homeport-dashboard", on: .programs,
            importing: [
                "CMosquittoBatching", "Dashboard", "Homeport", "HomeportApp", "HomeportCLI",
                "LocalServices",
            ]),

        // The simulated homes
        .room(
            "DeviceSimulation", on: .simulators,
            importing: ["Basics", "DeviceDomain", "DeviceMessages", .heap]),
        .room(
            "Fleet", on: .simulators,
            importing: [
                "Alink", "Basics", "DeviceSimulation", "DeviceDomain", "DeviceMessages",
                "DeviceTopics",
                "Keychain", "KillPoints", "MQTTClient", .heap, .lifecycle,
            ]),
        .room(
            "Scenarios", on: .simulators,
            importing: [
                "Basics", "DeviceDomain", "DeviceMessages", "DeviceSimulation", "DeviceTopics",
                "Fleet", "MQTTClient", "YAMLText", .heap,
            ]),
        .room(
            "Reports", on: .simulators,
            importing: [
                "DeviceDomain", "DeviceMessages", "DeviceSimulation", "Fleet", "Markup",
                "TerminalOutput",
            ]),
        .room(
            "HTTPServing", on: .simulators,
            importing: ["Basics", .nioCore, .nioHTTP1, .nioPosix, .system]),
        .room(
            "BoxedDevices", on: .simulators,
            importing: [
                "Basics", "COpenSSL", "DeviceDomain", "DeviceMessages", "DeviceSimulation", "Fleet",
                "HTTPServing", "Keychain", "KillPoints", "MQTTClient", "ProvisioningProtocol",
                .lifecycle,
            ]),
        .program(
            "homeport-sim", on: .simulators,
            importing: [
                "Alink", "Basics", "BoxedDevices", "CMosquittoBatching", "Credentials",
                "DeviceDomain",
                "DeviceMessages", "DeviceSimulation", "DeviceTopics", "Fleet", "HTTPServing",
                "LocalBroker", "LocalServices", "MQTTClient", "Reports", "Scenarios",
                "TerminalOutput", "YAMLText",
                .argumentParser, .logging, .lifecycle, .unixSignals,
            ]),

        // Tools of this repository
        .program(
            "homeport-docs", on: .tools,
            importing: [
                "Connectivity", "DeviceControl", "DeviceDomain", "DeviceMessages", "DeviceTopics",
                "MQTTClient", "Scenarios",
            ]),

        // Tests, on the floors of what they test
        .target(
            name: "TestSupport",
            dependencies: ["Basics", "MQTTClient", .subprocess],
            path: "Tests/TestSupport", swiftSettings: houseSettings),
        .tests("Basics", on: .platform, importing: ["Basics", "TestSupport"]),
        .tests(
            "MQTTClient", on: .mqtt,
            importing: [
                "CMosquitto", "CMosquittoBatching", "Basics", "MQTTClient", "TestSupport",
                .logging, .inMemoryLogging, .metrics, .metricsTestKit, .instrumentation, .lifecycle,
                .unixSignals,
            ]),
        .tests("DeviceDomain", on: .domain, importing: ["DeviceDomain"]),
        .tests(
            "DeviceMessages", on: .domain,
            importing: ["DeviceDomain", "DeviceMessages", "TestSupport"]),
        .tests(
            "Connectivity", on: .channels,
            importing: [
                "Basics", "Connectivity", "DeviceDomain", "DeviceMessages", "HomeportTesting",
            ]),
        .tests(
            "DeviceTopics", on: .channels,
            importing: ["DeviceDomain", "DeviceMessages", "DeviceTopics", "MQTTClient"]),
        .tests(
            "MQTTLink", on: .channels,
            importing: ["Basics", "MQTTClient", "MQTTLink", "TestSupport"]),
        .tests(
            "MosquittoAdapter", on: .channels,
            importing: [
                "Connectivity", "DeviceDomain", "DeviceMessages", "Basics", "HomeportTesting",
                "MQTTClient", "MosquittoAdapter", "TestSupport",
            ]),
        .tests(
            "ZigbeeAdapter", on: .channels,
            importing: [
                "Connectivity", "DeviceDomain", "DeviceMessages", "HomeportTesting", "MQTTClient",
                "MQTTLink", "ZigbeeAdapter", "TestSupport",
            ]),
        .tests(
            "MatterAdapter", on: .channels,
            importing: [
                "Basics", "Connectivity", "DeviceDomain", "DeviceMessages", "HomeportTesting",
                "MQTTClient", "MatterAdapter", "TestSupport",
            ]),
        .tests(
            "AlibabaAdapter", on: .channels,
            importing: [
                "AlibabaAdapter", "Alink", "Basics", "Connectivity", "DeviceDomain",
                "DeviceMessages", "HTTPSRequests", "HomeportTesting",
            ]),
        .tests(
            "Alink", on: .channels,
            importing: ["Alink", "DeviceDomain", "DeviceMessages", "TestSupport"]),
        .tests(
            "AlinkAdapter", on: .channels,
            importing: [
                "Alink", "AlinkAdapter", "Basics", "Connectivity", "DeviceDomain",
                "DeviceMessages", "HomeportTesting", "MQTTClient", "MQTTLink", "TestSupport",
            ]),
        .tests("Keychain", on: .security, importing: ["Keychain", "TestSupport"]),
        .tests(
            "DeviceIdentity", on: .security,
            importing: ["DeviceDomain", "DeviceIdentity", "Keychain", "TestSupport"]),
        .tests(
            "ProvisioningProtocol", on: .security,
            importing: ["DeviceDomain", "Keychain", "ProvisioningProtocol", "TestSupport"]),
        .tests(
            "Provisioning", on: .security,
            importing: [
                "Connectivity", "DeviceDomain", "DeviceMessages", "Keychain", "Basics",
                "MatterAdapter", "Provisioning", "ProvisioningProtocol", "TestSupport",
                .flyingSocks,
            ]),
        .tests(
            "HomeModel", on: .control,
            importing: ["Connectivity", "DeviceDomain", "DeviceMessages", "HomeModel"]),
        .tests(
            "History", on: .control,
            importing: [
                "Basics", "Connectivity", "DeviceDomain", "History", "HomeModel",
                "HomeportTesting", "TestSupport",
            ]),
        .tests(
            "Automation", on: .control,
            importing: [
                "Automation", "Connectivity", "DeviceControl", "DeviceDomain", "DeviceMessages",
                "HomeModel",
            ]),
        .tests(
            "DeviceControl", on: .control,
            importing: [
                "Connectivity", "DeviceControl", "DeviceDomain", "DeviceMessages",
                "HomeportTesting", "TestSupport",
            ]),
        .tests(
            "Persistence", on: .control,
            importing: [
                "Automation", "Basics", "Connectivity", "DeviceControl", "DeviceDomain",
                "DeviceMessages", "History", "HomeModel", "HomeportTesting", "Persistence",
                "PostgresPersistence", "Provisioning", "TestSupport", .grdb,
            ]),
        .tests(
            "Homeport", on: .control,
            importing: [
                "Basics", "Connectivity", "DeviceDomain", "Homeport", "HomeportTesting",
                "MosquittoAdapter", "Persistence", "Provisioning",
                "TestSupport", .lifecycle, .logging, .unixSignals,
            ]),
        .tests(
            "SharedPresentation", on: .app,
            importing: ["DeviceDomain", "DeviceMessages", "SharedPresentation"]),
        .tests(
            "HomeportApp", on: .app,
            importing: [
                "AppCoordination", "DeviceControlPresentation", "Homeport", "HomeportApp",
                "HomeportTesting", "ProvisioningPresentation", "SharedPresentation",
                "SimulationPresentation", "TestSupport",
            ]),
        .tests(
            "Dashboard", on: .app,
            importing: [
                "AppCoordination", "Automation", "Connectivity", "Dashboard", "DeviceControl",
                "DeviceControlPresentation", "DeviceDomain", "DeviceMessages", "History",
                "HomeModel",
                "MQTTClient", "Markup", "ProvisioningPresentation", "SharedPresentation",
                "SimulationPresentation", "TestSupport",
            ]),
        .tests("HomeAssistant", on: .app, importing: ["HomeAssistant", "Homeport"]),
        .executableTarget(
            name: "LocalBrokerProbe", dependencies: ["LocalBroker", "LocalServices"],
            path: "\(Floor.programs.tests)/LocalBrokerProbe", swiftSettings: houseSettings),
        .tests(
            "LocalBroker", on: .programs,
            importing: [
                "DeviceDomain", "DeviceTopics", "LocalBroker", "LocalBrokerProbe", "LocalServices",
                "MQTTClient", "TestSupport",
            ]),
        .tests(
            "LocalServices", on: .programs,
            importing: [
                "DeviceDomain", "DeviceMessages", "LocalServices", "MQTTClient", "TestSupport",
            ]),
        .tests(
            "HomeportCLI", on: .programs,
            importing: [
                "DeviceControl", "Homeport", "HomeportCLI", "HomeportTesting", "LocalServices",
                "Basics", "Persistence", "TerminalOutput", "TestSupport", .argumentParser,
            ]),
        .tests(
            "Notifications", on: .programs,
            importing: [
                "Automation", "Basics", "DeviceDomain", "Homeport", "HomeportTesting",
                "Notifications", "TestSupport",
            ]),
        .tests(
            "TerminalOutput", on: .programs,
            importing: ["Basics", "DeviceDomain", "DeviceMessages", "TerminalOutput"]),
        .tests(
            "DeviceSimulation", on: .simulators,
            importing: ["Basics", "DeviceSimulation", "DeviceDomain", "DeviceMessages"]),
        .tests(
            "Fleet", on: .simulators,
            importing: [
                "Alink", "Basics", "DeviceDomain", "DeviceMessages", "DeviceSimulation", "Fleet",
                "MQTTClient", "TestSupport",
            ]),
        .tests(
            "Scenarios", on: .simulators,
            importing: [
                "Basics", "DeviceDomain", "DeviceMessages", "DeviceSimulation", "Fleet",
                "Scenarios", "TestSupport", "YAMLText",
            ]),
        .tests(
            "Reports", on: .simulators,
            importing: [
                "DeviceDomain", "DeviceMessages", "DeviceSimulation", "Fleet", "Reports",
                "TerminalOutput",
            ]),
        .tests(
            "HTTPServing", on: .simulators, importing: ["Basics", "HTTPServing", "TestSupport"]),
        .tests(
            "BoxedDevices", on: .simulators,
            importing: [
                "Basics", "BoxedDevices", "DeviceDomain", "DeviceMessages", "DeviceSimulation",
                "Fleet", "Keychain", "ProvisioningProtocol", "TestSupport",
            ]),
        .tests(
            "HomeportDocs", on: .tools,
            importing: ["DeviceControl", "DeviceDomain", "DeviceMessages", "homeport-docs"]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "Connectivity", "DeviceControl", "DeviceDomain", "DeviceIdentity", "DeviceMessages",
                "DeviceTopics", "HomeportTesting", "Keychain", "MQTTClient",
                "Persistence", "TestSupport",
                "homeport-controller", "homeport-dashboard", "homeport-sim",
            ],
            swiftSettings: houseSettings),
    ]
)

// `make programs`: what a call does once, or rarely, takes less room there. A package with such flags cannot be a
// dependency of others.
if Context.environment["SMALL_ROOMS"] != nil {
    for target in package.targets
    where [
        "AlibabaAdapter", "Alink", "AlinkAdapter", "Automation", "Connectivity", "Credentials",
        "DeviceControl", "DeviceDomain", "DeviceIdentity", "History",
        "HTTPSRequests", "HomeAssistant", "HomeModel", "Homeport", "HomeportCLI", "Keychain",
        "LedgerRows",
        "LocalServices", "MatterAdapter", "Notifications", "Persistence", "PostgresPersistence",
        "Provisioning", "ProvisioningProtocol", "TerminalOutput", "YAMLText", "ZigbeeAdapter",
    ].contains(target.name) {
        target.swiftSettings?.append(.unsafeFlags(["-Osize"], .when(configuration: .release)))
    }
}

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
