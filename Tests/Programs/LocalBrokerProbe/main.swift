import Glibc
import LocalBroker
import LocalServices

/// Owns a private broker and its announcement until standard input ends, for tests that kill it:
/// `LocalBrokerProbe ROOT` prints the broker's port and process on one line.
guard CommandLine.arguments.count == 2 else {
    print("usage: LocalBrokerProbe ROOT")
    exit(64)
}
let meetingPoint = MeetingPoint(root: CommandLine.arguments[1])
try await PrivateBroker.withBroker { broker in
    let announcement = BrokerAnnouncement(
        url: broker.url, processID: getpid(), home: "home-1",
        credentials: broker.credentials)
    try await meetingPoint.withAnnouncement(announcement) {
        print("\(broker.port) \(broker.processID)")
        fflush(nil)
        while readLine() != nil {}
    }
}
