import Foundation
import Glibc
import Homeport
import TerminalOutput
import TestSupport
import Testing

@testable import HomeportCLI

/// What cannot be written is told, and never ends with status 0.
@Suite(.timeLimit(.minutes(1))) struct WriteErrorTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    @Test func aFullDiskUnderStdoutIsAnInternalErrorWithItsCause() async throws {
        try await withBroker { broker in
            try await FakeDevice.with(on: broker.url) { device in
                async let served: Void = device.serve { command in
                    try await device.carryOut(command)
                    return true
                }
                for call in ["send lamp-1 locate", "devices", "show lamp-1", "channels", "watch"] {
                    let run = try await workplace.shell(
                        "exec \"$homeport\" \(call) --broker \(broker.url) > /dev/full")
                    #expect(run.status == 70, "\(call)")
                    #expect(run.remarks.count == 1, "\(call): \(run.errors)")
                    #expect(run.errors.contains("No space left on device"), "\(call)")
                    // The number of the stream is not that of a socket or a database.
                    let closed = try await workplace.shell(
                        "exec \"$homeport\" \(call) --broker \(broker.url) >&-")
                    #expect(closed.status == 70, "\(call)")
                    #expect(closed.errors.contains("Bad file descriptor"), "\(call)")
                }
                try await served
            }
        }
        for call in ["history", "--help", "send --help", "--version"] {
            let run = try await workplace.shell("exec \"$homeport\" \(call) > /dev/full")
            #expect(run.status == 70, "\(call)")
            #expect(run.remarks.count == 1, "\(call): \(run.errors)")
        }
    }

    @Test func aReaderThatLeftIsNoWriteError() throws {
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        signal(SIGPIPE, SIG_IGN)
        let console = Console(
            program: "homeport", isVerbose: false,
            results: pipe.fileHandleForWriting.fileDescriptor,
            remarks: STDERR_FILENO)
        console.write("result")
        #expect(console.isClosed)
        #expect(console.writeFailure == nil)
    }

    /// The device's final word comes when the ledger can take no more: it is printed, with the
    /// remark that `history` does not have it.
    @Test func aLedgerThatFailsDuringTheWaitIsTold() async throws {
        try await withBroker { broker in
            try await FakeDevice.with(on: broker.url) { device in
                let status = try await workplace.runningForRemarks(
                    "send", "lamp-1", "sweep", "--wait", "final", "--broker", broker.url
                ) { program in
                    let command = try #require(try await device.commands(1).first)
                    try await device.acknowledge(command, n: 1, "accepted", executions: 0)
                    while try await state() != "accepted" {}
                    // From here on no file of the program may grow.
                    let limit = try await workplace.shell(
                        "prlimit --fsize=0 --pid \(program.processID)")
                    #expect(limit.status == 0, "\(limit.errors)")
                    try await device.acknowledge(
                        command, n: 2, "cancelled", code: "CANCELLED", message: "ended by stop")
                    let remark = try await program.line(beginning: "homeport: ")
                    #expect(
                        remark.hasPrefix(
                            "the ledger could not record that lamp-1 sweep is cancelled"))
                    #expect(remark.contains("check the disk and its free space"))
                }
                #expect(status == 1)
                #expect(try await state() == "accepted")
            }
        }
    }

    private func state() async throws -> String? {
        let run = try await workplace.homeport("history", "--json", "--limit", "1")
        let line = try #require(run.lines.first)
        return try JSONReader.read(Array(line.utf8)).object?["state"]?.string
    }
}
