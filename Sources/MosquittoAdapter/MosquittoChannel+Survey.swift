public import Connectivity
public import DeviceDomain
internal import DeviceMessages
internal import DeviceTopics
internal import MQTTClient

extension MosquittoChannel {
    /// Subscribes, then asks the fence when the retained messages have come. Where a whole home
    /// stays silent, as behind brokers that do not replay to wildcards, says `hello` and listens.
    public func survey(
        _ home: HomeID, _ scope: SurveyScope
    ) async throws(CommunicationError) -> HomeSurvey {
        try await cover(home, scope)
        let isComplete = try await passFence(of: home)
        if scope == .everyDevice, isComplete, homes[home]?.survey.devices.isEmpty == true {
            try await greet(home)
        }
        return (homes[home]?.survey ?? HomeSurvey(home: home)).part(scope, isComplete: isComplete)
    }

    /// Sends a nonce to itself, behind all that the broker has begun to send.
    /// - Returns: whether it came back in time.
    private func passFence(of home: HomeID) async throws(CommunicationError) -> Bool {
        var generator = SystemRandomNumberGenerator()
        let nonce = String.randomHex(digits: 16, using: &generator)
        let slot = AnswerSlot<Bool>()
        fences[nonce] = slot
        let deadline = eventLoop.schedule(after: configuration.fenceDeadline) {
            slot.resolve(false)
        }
        defer {
            deadline.cancel()
            fences[nonce] = nil
        }
        _ = try await publish(.fence(FenceMessage(nonce: nonce), home: home))
        return await slot.value(ifCancelled: false)
    }

    /// Asks every device of the home to announce itself, and listens for that long.
    private func greet(_ home: HomeID) async throws(CommunicationError) {
        var generator = SystemRandomNumberGenerator()
        let hello = HelloMessage(
            nonce: .randomHex(digits: 16, using: &generator), spread: configuration.helloSpread)
        _ = try await publish(.hello(hello, home: home))
        let slot = AnswerSlot<Bool>()
        let listening = configuration.helloSpread + configuration.helloMargin
        let end = eventLoop.schedule(after: listening) { slot.resolve(true) }
        _ = await slot.value(ifCancelled: false)
        end.cancel()
    }
}

extension HomeSurvey {
    /// What a scope is about.
    fileprivate func part(_ scope: SurveyScope, isComplete: Bool) -> HomeSurvey {
        switch scope {
        case .everyDevice:
            HomeSurvey(home: home, devices: devices, isComplete: isComplete)
        case .device(let device):
            HomeSurvey(
                home: home, devices: devices.filter { $0.key == device }, isComplete: isComplete)
        }
    }
}
