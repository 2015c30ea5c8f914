internal import AlibabaAdapter
internal import DeviceDomain

/// What a platform's answers say of the set-up. Pure.
struct AlibabaCheck: Sendable {
    /// The platform, as messages name it.
    let address: String
    /// Its subscription; `nil` where the channel polls.
    let subscription: String?
    /// The consumer group of the subscription.
    let group: String
    let report: AlibabaProbeReport

    /// The platform refuses requests whose time is further from its own (Alibaba Cloud, common parameters).
    private static let tolerated = Duration.seconds(15 * 60)
    /// Clocks that are set by the network differ by less.
    private static let usual = Duration.seconds(10)

    /// A finding for every check.
    var findings: [Finding] { [api] + clock + subscriptionFindings }

    private var api: Finding {
        switch report.api {
        case .works(let devices):
            .ok(.platform, "\(address) accepts the AccessKey and lists \(devices) devices")
        case .keyRefused(let words):
            .problem(
                .credentials, "\(address): \(words)",
                remedy:
                    "check id and secret of the AccessKey in the credentials of the channel, and the "
                    + "clock of this machine")
        case .refused(let words):
            .problem(
                .platform, "\(address): \(words)",
                remedy:
                    "check region, instance and products of the channel, and the rights of the AccessKey"
            )
        case .unreachable(let words):
            .problem(
                .platform, words,
                remedy: "check the endpoint of the channel, the network and the DNS")
        case .tlsRefused(let words):
            .problem(
                .platform, words,
                remedy:
                    "name the authority of the platform's certificate with ca-file, or check the endpoint"
            )
        }
    }

    private var clock: [Finding] {
        guard let offset = report.clockOffset else { return [] }
        let distance = offset < .zero ? .zero - offset : offset
        let words =
            "the clock of \(address) is \(distance.components.seconds) s "
            + (offset < .zero ? "behind" : "ahead of") + " this machine's"
        if distance > Self.tolerated {
            return [
                .problem(
                    .clock, "\(words); it refuses requests that are more than 15 min away",
                    remedy: "set the clock of this machine, such as with systemd-timesyncd")
            ]
        }
        if distance > Self.usual {
            return [
                .warning(
                    .clock, words,
                    remedy: "set the clock of this machine, such as with systemd-timesyncd")
            ]
        }
        return [.ok(.clock, "the clocks of \(address) and of this machine agree")]
    }

    private var subscriptionFindings: [Finding] {
        guard let subscription else {
            return [
                .ok(
                    .subscription,
                    "the channel has no subscription (amqp), and reads regularly instead")
            ]
        }
        let works: Finding =
            switch report.subscription {
            case .none, .works: .ok(.subscription, "\(subscription) lets this client receive")
            case .failed(let reason):
                .problem(
                    .subscription, "\(subscription): \(reason)",
                    remedy:
                        "check amqp, instance and consumer-group of the channel; until then it reads "
                        + "regularly instead")
            }
        guard let others = report.otherClients, others > 0 else { return [works] }
        return [
            works,
            .warning(
                .subscription,
                "\(others) other \(others == 1 ? "client receives" : "clients receive") for the consumer group "
                    + "\(group): each message goes to one of them",
                remedy:
                    "give the channel a consumer-group of its own, or let one 'homeport serve' receive"
            ),
        ]
    }
}
