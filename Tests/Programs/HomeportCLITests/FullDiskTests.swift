import Foundation
import Glibc
import Homeport
import TestSupport
import Testing

/// A server whose disk is full, and has room again.
@Suite(.timeLimit(.minutes(1))) struct FullDiskTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    @Test(.enabled(if: geteuid() == 0, "only the superuser can mount a small disk"))
    func nothingIsAcceptedAndLostAndItHealsWithoutARestart() async throws {
        let disk = "\(workplace.folder.path)/disk"
        mkdir(disk, 0o700)
        try #require(mount("none", disk, "tmpfs", 0, "size=1m,mode=700") == 0)
        defer { umount2(disk, Int32(MNT_DETACH)) }
        let database = ["HOMEPORT_DATABASE": "\(disk)/ledger.sqlite"]
        try await withBroker { broker in
            try await FakeDevice.with(on: broker.url) { device in
                let status = try await workplace.runningForRemarks(
                    "serve", "--broker", broker.url, environment: database
                ) { server in
                    try await server.line(beginning: "ready")
                    try await succeed(device, database)
                    try fill(disk)
                    let refused = try await workplace.homeport(
                        "send", "lamp-1", "locate", environment: database)
                    #expect(refused.status == 70, "\(refused)")
                    #expect(refused.errors.contains("no room"), "\(refused.errors)")
                    unlink("\(disk)/ballast")
                    try await succeed(device, database)
                    kill(server.processID, SIGTERM)
                }
                #expect(status == 0)
            }
        }
        let history = try await workplace.homeport("history", environment: database)
        #expect(history.lines.filter { $0.contains("succeeded") }.count == 2, "\(history)")
        #expect(history.lines.count == 3)
        #expect(try await workplace.homeport("audit", "verify", environment: database).status == 0)
    }

    private func succeed(_ device: FakeDevice, _ environment: [String: String]) async throws {
        async let call = workplace.homeport("send", "lamp-1", "locate", environment: environment)
        try await device.carryOut(try #require(try await device.commands(1).first))
        let run = try await call
        #expect(run.status == 0, "\(run)")
    }

    /// Leaves no room on a disk.
    private func fill(_ disk: String) throws {
        let file = open("\(disk)/ballast", O_WRONLY | O_CREAT | O_EXCL, 0o600)
        try #require(file >= 0)
        defer { close(file) }
        let page = [UInt8](repeating: 1, count: 4_096)
        while write(file, page, page.count) > 0 {}
        #expect(errno == ENOSPC)
    }
}
