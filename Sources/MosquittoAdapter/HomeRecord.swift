internal import Connectivity
internal import DeviceDomain

/// What a channel knows of a home, and what of it is subscribed to.
struct HomeRecord: Sendable {
    typealias Waiter = AnswerSlot<Result<Void, CommunicationError>>

    /// What is subscribed to.
    var coverage = HomeCoverage()
    /// The last that every device said.
    var survey: HomeSurvey
    /// Who waits for the subscription.
    private var waiters: [Waiter] = []

    init(_ home: HomeID) { survey = HomeSurvey(home: home) }

    mutating func add(_ waiter: Waiter) { waiters.append(waiter) }

    /// The broker has answered the subscription.
    mutating func answered(_ result: Result<Void, CommunicationError>) {
        for waiter in waiters { waiter.resolve(result) }
        waiters = []
    }

    /// The connection is gone.
    mutating func disconnected(_ error: CommunicationError) {
        coverage.disconnected()
        answered(.failure(error))
    }
}
