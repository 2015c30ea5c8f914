import Glibc
import Homeport
import TestSupport
import Testing

@Suite struct ConfigurationFileTests {
    private let example = """
        home: villa
        controller: me
        database: ledger.sqlite
        channels:
          - {id: mqtt, kind: homeport-mqtt, broker: "mqtt://127.0.0.1:1883", mqtt-version: "3.1.1"}
          - {id: attic, kind: zigbee2mqtt, broker: "mqtt://127.0.0.1:1884", base-topic: z2m}
        rules:
          - {kind: light, channel: attic}
          - {device: sweeper-1, channel: mqtt}
        """

    private func error(_ text: String) -> String? {
        do {
            _ = try ConfigurationFile(text, path: "/etc/homeport.yaml")
            return nil
        } catch {
            #expect(error.code == .configurationFile)
            return error.message
        }
    }

    @Test func anExampleIsRead() throws {
        let file = try ConfigurationFile(example, path: "/etc/homeport.yaml")
        #expect(file.home?.text == "villa")
        #expect(file.controller?.text == "me")
        #expect(file.database == "/etc/ledger.sqlite")
        #expect(file.channels.map(\.id.text) == ["mqtt", "attic"])
        #expect(file.channels.map(\.kind.rawValue) == ["homeport-mqtt", "zigbee2mqtt"])
        #expect(file.channels[0].connection?.version == .v3_1_1)
        let home = try HomeID("villa")
        let rules = file.rules.map { $0.rule(in: home) }
        #expect(
            rules == [
                ChannelRule(.kind(DeviceKind(rawValue: "light")), use: try ChannelID("attic")),
                ChannelRule(.device(try DeviceID("sweeper-1"), home), use: try ChannelID("mqtt")),
            ])
    }

    @Test func pricesOfEnergyAreRead() throws {
        let file = try ConfigurationFile(
            """
            energy:
              currency: EUR
              price: 0.32
              feed-in: 0.08
              periods:
                - {from: "22:00", to: "06:00", price: 0.22}
                - {from: "11:00", to: "15:00", days: sat-sun, price: 0.18}
            """, path: "/etc/homeport.yaml")
        let tariff = try #require(file.energy)
        #expect(tariff.currency == "EUR" && tariff.feedIn == 0.08)
        let prices: [(String, Weekday, Double)] = [
            ("12:00", .friday, 0.32), ("12:00", .sunday, 0.18), ("23:00", .friday, 0.22),
        ]
        for (time, day, price) in prices {
            #expect(tariff.price(at: try #require(TimeOfDay(time)), on: day) == price)
        }
    }

    @Test(arguments: [
        ("price: 0.3", "currency is missing"), ("currency: EUR", "price is missing"),
        ("currency: EUR\n  price: much", "a price is a number"),
        ("currency: EUR\n  price: nan", "a price is a number"),
        ("currency: a-long-name\n  price: 1", "at most 8 characters"),
        (
            "currency: EUR\n  price: 1\n  periods: [{from: \"25:00\", to: \"06:00\", price: 1}]",
            "HH:MM"
        ),
        (
            "currency: EUR\n  price: 1\n  periods: [{from: \"22:00\", to: \"06:00\", days: mo, price: 1}]",
            "no days"
        ),
    ])
    func wrongPricesAreRefused(energy: String, words: String) {
        #expect(error("energy:\n  \(energy)")?.contains(words) == true)
    }

    @Test func rulesOrderChannelsAndNameOneDevice() throws {
        let file = try ConfigurationFile(
            """
            channels:
              - {id: mqtt, kind: homeport-mqtt, broker: "mqtt://127.0.0.1:1883"}
              - {id: attic, kind: zigbee2mqtt, broker: "mqtt://127.0.0.1:1884"}
            rules:
              - {kind: light, prefer: [attic, mqtt]}
              - {device: sweeper-1, same-as: attic-5}
              - {device: lamp-1, same-as: [lamp-a, lamp-b], prefer: attic}
            """, path: "/etc/homeport.yaml")
        let home = try HomeID("villa")
        let (mqtt, attic) = (try ChannelID("mqtt"), try ChannelID("attic"))
        #expect(
            file.channelRules(in: home) == [
                ChannelRule(.kind(DeviceKind(rawValue: "light")), prefer: [attic, mqtt]),
                ChannelRule(.device(try DeviceID("lamp-1"), home), prefer: [attic]),
            ])
        #expect(
            file.aliases == [
                try DeviceID("attic-5"): try DeviceID("sweeper-1"),
                try DeviceID("lamp-a"): try DeviceID("lamp-1"),
                try DeviceID("lamp-b"): try DeviceID("lamp-1"),
            ])
    }

    @Test func whatRulesNeedIsRead() throws {
        let file = try ConfigurationFile(
            """
            location: {latitude: -36.85, longitude: 174.76}
            notify-command: [/bin/tell, --loudly]
            notify-url: "https://hooks.example/a?b=c"
            notify-limit: 5
            """, path: "/etc/homeport.yaml")
        #expect(file.location == GeographicPlace(latitude: -36.85, longitude: 174.76))
        #expect(
            file.notifications
                == ConfiguredNotifications(
                    command: ["/bin/tell", "--loudly"], url: "https://hooks.example/a?b=c",
                    mostPerHour: 5))
        let bare = try ConfigurationFile("notify-command: tell", path: "/etc/homeport.yaml")
        #expect(bare.location == nil)
        #expect(bare.notifications == ConfiguredNotifications(command: ["tell"]))
    }

    @Test(arguments: [
        ("location: {latitude: 52}", "a location needs latitude and longitude"),
        ("location: {latitude: north, longitude: 1}", "write degrees as a number"),
        ("location: {latitude: 91, longitude: 1}", "latitude is from -90 to 90"),
        ("location: 52.5", ":1:11:"), ("notify-command: []", "write the program first"),
        ("notify-url: http://hooks.example", "with https://"),
        ("notify-url: https://", "with https://"),
        ("notify-limit: 0", "from 1 to 10000"), ("notify-limit: many", "from 1 to 10000"),
    ])
    func whatRulesNeedMustBeWhole(text: String, expected: String) {
        let message = error(text)
        #expect(message?.contains(expected) == true, "\(message ?? "none")")
    }

    @Test(arguments: [
        ("home: villa\ncolour: red", ":2:1: there is no member colour"),
        ("hmoe: villa", ":1:1: there is no member hmoe; did you mean home?"),
        (
            "channels:\n  - {id: a, kind: homeport-mqt, broker: mqtt://h}",
            "did you mean homeport-mqtt?"
        ),
        ("home: Villa", ":1:7: home id \"Villa\" is not valid"),
        ("channels: 3", ":1:11: this must be a list"),
        (
            "channels:\n  - {id: a, kind: thread, broker: mqtt://h}",
            ":2:19: thread is not one of the kinds of channel; the kinds of channel are "
        ),
        (
            "channels:\n  - {id: a, url: ws://h, kind: thread}",
            ":2:32: thread is not one of the kinds of channel"
        ),
        ("channels:\n  - {id: a, kind: homeport-mqtt}", ":2:5: broker is missing"),
        ("channels:\n  - {id: a, kind: matter}", ":2:5: url is missing"),
        ("channels:\n  - {id: a, kind: matter, url: http://h}", ":2:32: write ws://HOST"),
        (
            "channels:\n  - {id: a, kind: matter, url: \"ws://u:p@h\"}",
            ":2:32: a Matter server knows no"
        ),
        ("channels:\n  - {id: a, kind: matter, url: \"ws://h:0\"}", ":2:32: write a host"),
        (
            "channels:\n  - {id: a, kind: matter, url: ws://h, ca-file: x}",
            ":2:49: ca-file needs TLS"
        ),
        (
            "channels:\n  - {id: a, kind: matter, url: wss://h, ca-file: /dev/null}",
            ":2:50: the authority file /dev/null is not a regular file"
        ),
        (
            "channels:\n  - {id: a, kind: matter, url: ws://h, credentials: x}",
            ":2:53: credentials is for channels of kind homeport-mqtt, zigbee2mqtt"
        ),
        (
            "channels:\n  - {id: a, kind: matter, url: ws://h, connect-timeout: 0s}",
            "500ms, 30s, 10m or 24h"
        ),
        ("channels:\n  - {kind: homeport-mqtt, broker: mqtt://h}", "id is missing"),
        ("channels:\n  - {id: a, kind: homeport-mqtt, broker: http://h}", ":2:42: "),
        (
            "channels:\n  - {id: a, kind: homeport-mqtt, broker: mqtt://h, ca-file: x}",
            "ca-file needs TLS"
        ),
        (
            "channels:\n  - {id: a, kind: homeport-mqtt, broker: mqtt://h, base-topic: x}",
            "base-topic is for"
        ),
        (
            "channels:\n  - {id: a, kind: zigbee2mqtt, broker: mqtt://h, base-topic: a/#}",
            "mqtt.base_topic"
        ),
        ("channels:\n  - {id: a, kind: alink, broker: mqtt://h}", ":2:5: models is missing"),
        (
            "channels:\n  - {id: a, kind: alink, broker: mqtt://h, models: nowhere}",
            ":2:52: /etc/nowhere: No such file"
        ),
        (
            "channels:\n  - {id: a, kind: homeport-mqtt, broker: mqtt://h, models: x}",
            "models is for"
        ),
        (
            "channels:\n  - {id: a, kind: homeport-mqtt, broker: mqtt://h, connect-timeout: 3}",
            "500ms, 30s, 10m or 24h"
        ),
        (
            "channels:\n  - {id: a, kind: homeport-mqtt, broker: mqtt://h, credentials: \"keychain:\"}",
            "1 to 255 bytes"
        ),
        (
            """
            channels:
              - {id: a, kind: homeport-mqtt, broker: mqtt://h}
              - {id: a, kind: homeport-mqtt, broker: mqtt://h}
            """, ":3:5: the channel a is given twice"
        ),
        (
            "rules:\n  - {kind: light, channel: attic}",
            ":2:5: no channel is called attic; the file has no channels"
        ),
        (
            "channels:\n  - {id: a, kind: homeport-mqtt, broker: mqtt://h}\nrules:\n  - {kind: x, prefer: [a, b]}",
            ":4:5: no channel is called b"
        ),
        ("rules:\n  - {kind: x, same-as: y}", ":2:24: same-as is for a rule about one device"),
        ("rules:\n  - {device: x, same-as: x}", ":2:26: x is the id of the device itself"),
        ("rules:\n  - {device: x, same-as: []}", ":2:26: this list is empty"),
        ("rules:\n  - {device: x, same-as: [y, y]}", ":2:30: y is given twice"),
        (
            "rules:\n  - {device: x, channel: a, prefer: [a]}",
            ":2:37: a rule has channel or prefer, not both"
        ),
        (
            "rules:\n  - {device: x, same-as: y}\n  - {device: z, same-as: y}",
            ":3:5: y is the same as two devices"
        ),
        (
            "rules:\n  - {device: x, same-as: y}\n  - {device: y, same-as: z}",
            "y is another id itself"
        ),
        ("rules:\n  - {channel: attic}", ":2:5: a rule needs a channel and one of"),
        ("home: a\nhome: b", "home is given twice; remove one"),
        ("home: [", "this is not YAML"),
        ("context: a", ":1:10: a is not one of the contexts, of which the file has none"),
        ("context: vila\ncontexts: {villa: {}}", ":1:10: vila is not one of the contexts; did you"),
        ("contexts:\n  - villa", ":2:3: this must be a mapping"),
        ("contexts: {a b: {home: x}}", ":1:12: \"a b\" is no name of a context"),
        ("contexts: {villa: {hmoe: x}}", ":1:20: there is no member hmoe; did you mean home?"),
        ("contexts: {villa: {broker: \"http://x\"}}", ":1:28: "),
        ("", "is empty; write at least one of home, controller, database and channels, such as"),
        ("- 1", ":1:1: this must be a mapping"),
    ])
    func whatIsWrongIsNamedWithItsPlace(text: String, part: String) {
        let message = error(text)
        #expect(message?.hasPrefix("/etc/homeport.yaml") == true, "\(message ?? "")")
        #expect(message?.contains(part) == true, "\(message ?? "accepted")")
    }

    @Test func contextsAreRead() throws {
        let file = try ConfigurationFile(
            """
            context: workshop
            contexts:
              villa: {home: villa, broker: "mqtts://broker.example", controller: me}
              workshop: {database: workshop.sqlite}
            """, path: "/etc/homeport.yaml")
        #expect(file.contexts.map(\.name) == ["villa", "workshop"])
        #expect(try file.context()?.database == "/etc/workshop.sqlite")
        let villa = try #require(try file.context("villa"))
        #expect(villa.home?.text == "villa" && villa.controller?.text == "me")
        #expect(villa.broker == "mqtts://broker.example:8883" && villa.database == nil)
        let error = #expect(throws: HomeError.self) { try file.context("cabin") }
        #expect(
            error?.message.contains("no context cabin; its contexts are villa, workshop") == true)
        #expect(try ConfigurationFile(example, path: "/etc/homeport.yaml").context() == nil)
    }

    @Test(arguments: [
        (
            "# mine\ncontexts:\n  a: {}\n  b: {}\n",
            "# mine\ncontext: b\ncontexts:\n  a: {}\n  b: {}\n"
        ),
        (
            "contexts:\n  a: {}\n  b: {}\ncontext: a # at work\nhome: x",
            "contexts:\n  a: {}\n  b: {}\ncontext: b # at work\nhome: x"
        ),
        ("context: a\r\ncontexts: {a: {}, b: {}}", "context: b\r\ncontexts: {a: {}, b: {}}"),
        ("\"context\" : a\n'contexts': {a: {}, b: {}}", "context: b\n'contexts': {a: {}, b: {}}"),
        (
            "context:  # here\n  a\n\n  # mine\nhome: x\ncontexts: {a: {}, b: {}}",
            "context: b # here\n\n  # mine\nhome: x\ncontexts: {a: {}, b: {}}"
        ),
    ])
    func theContextInUseIsWrittenAndAllElseStays(text: String, expected: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("homeport.yaml", text, mode: 0o640)
        #expect(symlink(path, "\(folder.path)/link") == 0)
        try ConfigurationFile.useContext("b", inFileAt: "\(folder.path)/link")
        #expect(try folder.contents(of: "homeport.yaml") == Array(expected.utf8))
        var status = stat()
        #expect(lstat("\(folder.path)/link", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
        #expect(folder.names == ["homeport.yaml", "link"])
    }

    @Test func aFileInWhichNoContextCanBeChosenStays() throws {
        let folder = try TemporaryFolder()
        for (text, part) in [
            ("{contexts: {a: {}, b: {}}}", "has no line that begins with contexts:"),
            ("contexts: {a: {}}", "has no context b; its contexts are a"),
            ("home: x", "has no context b; name some under contexts:"),
            ("? context\n: a\ncontexts: {a: {}, b: {}}", "or says context: in another way"),
            ("contexts: [", "this is not YAML"),
        ] {
            let path = try folder.file("homeport.yaml", text)
            let error = #expect(throws: HomeError.self) {
                try ConfigurationFile.useContext("b", inFileAt: path)
            }
            #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
            #expect(try folder.contents(of: "homeport.yaml") == Array(text.utf8))
        }
    }

    @Test func aFileThatIsNotThereIsNamed() {
        let error = #expect(throws: HomeError.self) { try ConfigurationFile(path: "/none.yaml") }
        #expect(error?.message.contains("/none.yaml cannot be read: No such file") == true)
    }

    @Test func theHomeAloneIsAConfiguration() throws {
        let file = try ConfigurationFile("home: home-1", path: "/etc/homeport.yaml")
        #expect(file.home?.text == "home-1")
        #expect(file.channels.isEmpty && file.rules.isEmpty)
    }

    @Test func whatIsNoTextFileIsNamedWithARemedy() throws {
        let folder = try TemporaryFolder()
        let (pipe, binary) = ("\(folder.path)/pipe", "\(folder.path)/binary")
        #expect(mkfifo(pipe, 0o600) == 0)
        try folder.append([0x68, 0xFF, 0xFE, 0x00], to: "binary")
        for (path, part) in [
            (folder.path, "is a folder; name the file in it"),
            (pipe, "is not a regular file; write the configuration into a file"),
            ("/dev/null", "is not a regular file; write the configuration into a file"),
            (binary, "is not UTF-8 text; save it as UTF-8"),
        ] {
            let error = #expect(throws: HomeError.self) { try ConfigurationFile(path: path) }
            #expect(error?.code == .configurationFile)
            #expect(error?.message.contains("\(path) \(part)") == true, "\(error?.message ?? "")")
        }
    }

    @Test func aFileIsReadAlsoWithAByteOrderMark() throws {
        let folder = try TemporaryFolder()
        for start in ["", "\u{FEFF}"] {
            let path = try folder.file("homeport.yaml", start + example)
            #expect(try ConfigurationFile(path: path).home?.text == "villa")
        }
    }

    @Test func anyTextIsReadOrRefused() {
        var generator = SeededGenerator(seed: 13)
        let characters = Array("home:channls-{}[],\"'\n #&*!|> 0é")
        for _ in 0..<2_000 {
            let length = Int.random(in: 0...60, using: &generator)
            let text = String(
                (0..<length).compactMap { _ in characters.randomElement(using: &generator) })
            _ = error(text)
        }
    }
}
