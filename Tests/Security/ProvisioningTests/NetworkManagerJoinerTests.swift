import DeviceDomain
import Keychain
import Provisioning
import TestSupport
import Testing

/// Access points are joined by the real `nmcli`, which speaks to a NetworkManager that a mock plays.
@Suite(
    .enabled(if: PrivateNetworkManager.isInstalled, "no nmcli, D-Bus or python-dbusmock"),
    .timeLimit(.minutes(1)))
struct NetworkManagerJoinerTests {
    /// `nmcli` escapes colons and backslashes, and could take a hyphen for an option.
    @Test(arguments: ["PROV_ab12cd", "my robot", #"a:b\c"#, "-dash", "厨房"])
    func anAccessPointInSightIsJoinedOnceAndLeft(name: String) async throws {
        try await PrivateNetworkManager.with { network in
            try await network.addAccessPoint(name)
            let joiner = NetworkManagerJoiner(variables: network.variables)
            for _ in 0..<2 {
                try await joiner.join(name, password: nil)
                #expect(try await network.connections() == (known: 1, active: 1))
            }
            await joiner.leave("another")
            #expect(try await network.connections() == (known: 1, active: 1))
            await joiner.leave(name)
            #expect(try await network.connections() == (known: 0, active: 0))
        }
    }

    /// The mock ends where nmcli is asked for a password and has none.
    @Test(arguments: ["test1234", "with space's \"quotes\"", "厨房的密码"])
    func thePasswordOfTheLabelIsHandedOver(password: String) async throws {
        try await PrivateNetworkManager.with { network in
            try await network.addAccessPoint("PROV_1", isSecured: true)
            let joiner = NetworkManagerJoiner(variables: network.variables)
            try await joiner.join("PROV_1", password: Secret(password.utf8))
            #expect(try await network.connections() == (known: 1, active: 1))
            #expect(try await network.passwordOfConnection() == password)
        }
    }

    @Test func anAccessPointOutOfSightIsToBeJoinedByHand() async throws {
        try await PrivateNetworkManager.with { network in
            try await network.addAccessPoint("another")
            await refuse("PROV_1", network.variables, "No network with SSID 'PROV_1' found")
            #expect(try await network.connections() == (known: 0, active: 0))
        }
    }

    @Test func aUserWithoutTheRightIsToldToJoinByHand() async throws {
        try await PrivateNetworkManager.with { network in
            try await network.addAccessPoint("PROV_1")
            try await network.refuseJoining()
            await refuse("PROV_1", network.variables, "Insufficient privileges")
        }
    }

    @Test func aMachineWithoutNetworkManagerIsToldToJoinByHand() async throws {
        try await PrivateNetworkManager.with(manager: false) { network in
            await refuse("PROV_1", network.variables, "NetworkManager is not running")
        }
        let folder = try TemporaryFolder()
        let bus = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(folder.path)/bus"]
        await refuse("PROV_1", bus, "Could not connect")
        await refuse("PROV_1", ["PATH": folder.path], "this machine has no NetworkManager")
    }

    private func refuse(_ name: String, _ variables: [String: String], _ reason: String) async {
        let joiner = NetworkManagerJoiner(variables: variables)
        let error = await #expect(throws: ProvisioningError.self) {
            try await joiner.join(name, password: nil)
        }
        #expect(error?.code == .noAccessPoint)
        #expect(error?.userAction == .joinAccessPoint)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
        await joiner.leave(name)
    }
}
