import DeviceDomain
import DeviceMessages
import Fleet
import LocalServices

/// What the first process of a fleet asks the others, beside what a control socket is asked (`ControlRequest`).
///
/// Every question has an id, which the lines of its answer repeat; the last of them is `done` or `refused`.
enum WorkerRequest {
    /// Open the journal, and note the broker. The answer has the last instant in the journal.
    case open(journal: String, broker: BrokerShare?)
    /// Make the devices, whose world starts at an instant and stops at another.
    case prepare(epoch: Timestamp, end: Timestamp?)
    /// Let the world begin, which showed its epoch at this monotonic time, and run the devices.
    case begin(at: Duration)
    /// Let the world stand still. The answer has what its clock shows.
    case pause
    /// Let the world go on, which showed what it shows at this monotonic time.
    case resume(at: Duration)
    /// Tell the next instant of any device.
    case nextInstant
    /// Take a world that stands still to an instant.
    case advance(to: Timestamp)
    /// Tell the metrics.
    case snapshot
    /// Tell what the run came to.
    case report
    /// Take the devices offline.
    case end
    /// Run without a broker, and tell what it came to.
    case simulate(epoch: Timestamp)
    /// Tell what is measured now for an assertion of the scenario, by its number.
    case measure(Int)

    /// The member of a request of a control socket that replaces its share: the highest number of a device that is
    /// meant (`FaultShare`).
    static let shareBound = "upTo"
    /// How long a line may be: a histogram with all its classes.
    static let limits = JSONLimits(bytes: 1 << 20, depth: 16)

    /// The private broker of a fleet, and what the passwords of its devices follow from.
    struct BrokerShare {
        let url: String
        let secret: String
        /// As whom a controller connects.
        let controller: BrokerCredentials
    }
}

extension WorkerRequest {
    /// The line without the id.
    var members: JSONObject {
        switch self {
        case .open(let journal, let broker):
            var members: JSONObject = ["request": "open", "journal": .string(journal)]
            if let broker {
                members["broker"] = .string(broker.url)
                members["secret"] = .string(broker.secret)
                members["user"] = .string(broker.controller.username)
                members["password"] = .string(broker.controller.password)
            }
            return members
        case .prepare(let epoch, let end):
            var members: JSONObject = ["request": "prepare", "epoch": .integer(epoch.milliseconds)]
            if let end { members["end"] = .integer(end.milliseconds) }
            return members
        case .begin(let time): return ["request": "begin", "at": .microseconds(time)]
        case .pause: return ["request": "pause-world"]
        case .resume(let time): return ["request": "resume-world", "at": .microseconds(time)]
        case .nextInstant: return ["request": "next-instant"]
        case .advance(let instant):
            return ["request": "advance-world", "world": .integer(instant.milliseconds)]
        case .snapshot: return ["request": "snapshot"]
        case .report: return ["request": "report"]
        case .end: return ["request": "end"]
        case .simulate(let epoch):
            return ["request": "simulate", "epoch": .integer(epoch.milliseconds)]
        case .measure(let assertion):
            return ["request": "measure", "assertion": .integer(assertion)]
        }
    }

    /// Reads a line; `nil` for what a control socket is asked.
    /// - Throws: `LocalServicesError` that says what is wrong.
    init?(_ members: LineMembers) throws(LocalServicesError) {
        switch try members.text("request") {
        case "open":
            let url = try members.optionalText("broker")
            self = .open(
                journal: try members.text("journal"),
                broker: try url.map { url throws(LocalServicesError) in
                    BrokerShare(
                        url: url, secret: try members.text("secret"),
                        controller: BrokerCredentials(
                            username: try members.text("user"),
                            password: try members.text("password")))
                })
        case "prepare":
            self = .prepare(epoch: try members.instant("epoch"), end: try members.end())
        case "begin": self = .begin(at: try members.microseconds())
        case "pause-world": self = .pause
        case "resume-world": self = .resume(at: try members.microseconds())
        case "next-instant": self = .nextInstant
        case "advance-world": self = .advance(to: try members.instant("world"))
        case "snapshot": self = .snapshot
        case "report": self = .report
        case "end": self = .end
        case "simulate":
            self = .simulate(epoch: try members.instant("epoch"))
        case "measure": self = .measure(try members.whole("assertion"))
        case _: return nil
        }
    }
}

extension LineMembers {
    fileprivate func whole(_ name: String) throws(LocalServicesError) -> Int {
        guard let number = try integer(name) else {
            throw LocalServicesError(.malformed, "\(name) is missing")
        }
        return number
    }

    fileprivate func instant(_ name: String) throws(LocalServicesError) -> Timestamp {
        Timestamp(milliseconds: try whole(name))
    }

    fileprivate func end() throws(LocalServicesError) -> Timestamp? {
        try integer("end").map(Timestamp.init(milliseconds:))
    }

    fileprivate func microseconds() throws(LocalServicesError) -> Duration {
        .microseconds(try whole("at"))
    }
}

extension JSONValue {
    /// A time of the monotonic clock, in whole microseconds.
    fileprivate static func microseconds(_ time: Duration) -> JSONValue {
        .integer(Int(time / .microseconds(1)))
    }
}
