import TestSupport
import Testing

/// What `scripts/container-identity` sets up for the services of docker-compose.yml.
@Suite(.timeLimit(.minutes(1))) struct ContainerIdentityTests {
    @Test func theHomeOfTheContainersAcceptsItsOwnAndIsKept() async throws {
        let workplace = try Workplace()
        let port = try freePortPair()
        let setUp = """
            set -euo pipefail
            PATH="$(dirname "$homeport"):$PATH"
            "$script" "$HOME/authority" "$HOME/identity" localhost sweeper-1 pool-1
            cat "$HOME"/identity/controller/homeport.crt "$HOME"/identity/devices/home-1/*.crt
            """
        let environment = [
            "script": "\(CodeSamples.folder)/scripts/container-identity",
            "LISTEN": "127.0.0.1:\(port)",
        ]
        let first = try await workplace.shell(setUp, environment: environment)
        #expect(first.status == 0, "\(first.errors)")
        let second = try await workplace.shell(setUp, environment: environment)
        #expect(second.status == 0, "\(second.errors)")
        let certificates = { (run: Workplace.Run) in
            run.output.firstRange(of: "-----BEGIN").map { String(run.output[$0.lowerBound...]) }
        }
        #expect(certificates(first) != nil && certificates(first) == certificates(second))
        let configuration = "\(workplace.folder.path)/identity/broker/mosquitto.conf"
        try await withMosquitto(configuration: configuration) { _ in
            let run = try await workplace.shell(
                #"sed -i "s/8884/$port/" "$XDG_CONFIG_HOME/homeport/homeport.yaml"; "$homeport" devices"#,
                environment: [
                    "XDG_CONFIG_HOME": "\(workplace.folder.path)/identity/controller/config",
                    "port": "\(port + 1)",
                ])
            #expect(run.status == 0, "\(run.errors)")
        }
    }
}
