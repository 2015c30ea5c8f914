import ArgumentParser
import Glibc
import LocalBroker

/// `homeport-sim status`: what the running fleets of this user say of themselves.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "List the boxed devices of running fleets whose access points are open.",
        discussion: """
            EXAMPLE
              homeport-sim status --json

            With --json each line is an object: {"device":"HOME/NAME","accessPoint":URL,"qr":{…}}, \
            where qr is what the QR code on the device's label says.

            EXIT STATUS
              0   every running fleet has answered
              2   no fleet runs, or one does not answer
              64  wrong options
            """)

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func run() throws {
        let sockets = try MeetingPoint().controlSockets()
        var answered = 0
        for path in sockets {
            guard let lines = try ControlAnswer.read(from: path) else { continue }
            answered += 1
            for line in lines { show(line) }
        }
        guard answered > 0 else {
            Console.say("homeport-sim: no fleet of yours runs; start one with homeport-sim run")
            throw ExitStatus.fault
        }
    }

    private func show(_ line: BoxedLine) {
        print(json ? line.json : "\(line.device)  \(line.accessPoint)  \(line.qr)")
    }
}
