import ArgumentParser
import LocalServices
import TerminalOutput

/// `homeport-sim status`: what the running fleets of this user say of themselves.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract:
            "List the devices of running fleets with their faults, their clocks, and open access points.",
        discussion: """
            EXAMPLE
              homeport-sim status --json

            Where its world clock is paused or not as fast as all others, a fleet begins with a line \
            of it. With --json each line is an object: {"device":"HOME/DEVICE","kind","presence": \
            "online|offline","activity","broker","faults":[{"fault","settings":{…},"until"}],"pid", \
            "world","speed","paused":true|false}; world is what the clock shows, in milliseconds \
            since 1970; settings and until are left out where there are none, until is in milliseconds since \
            1970 on the world clock, and pid is the process of the fleet. A boxed device whose \
            access point is open is {"device":"HOME/NAME","accessPoint":URL,"qr":{…},"pid"}, where \
            qr is what the QR code on the device's label says. Once it is in a home, 'homeport \
            devices' lists it.

            EXIT STATUS
              0   every running fleet has answered
              2   no fleet runs, or one does not answer
              64  wrong options
            """)

    @OptionGroup var choice: FleetChoice

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func run() throws {
        let fleets = try RunningFleets(process: choice.process)
        for socket in fleets.sockets {
            if !json, fleets.sockets.count > 1 {
                try Console.simulator.writeResult(["fleet of process \(socket.processID):"])
            }
            let replies: [ControlReply]?
            do {
                replies = try ControlClient.ask(
                    .status(target: nil), at: socket.path, within: RunningFleets.answerLimit)
            } catch {
                Console.simulator.note("\(error)")
                throw ExitStatus.fault
            }
            try ReplyRenderer(json: json, processID: socket.processID).show(replies ?? [])
        }
    }
}
