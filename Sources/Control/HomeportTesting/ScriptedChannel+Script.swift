internal import Basics
public import Connectivity
public import DeviceDomain
public import DeviceMessages

extension ScriptedChannel {
    // MARK: Devices

    /// Lets a device appear, or describe itself anew.
    /// - Parameters:
    ///   - presence: the presence that it publishes; none if `nil`.
    ///   - state: its state; nothing if `nil`.
    public func announce(
        _ profile: DeviceProfile, presence: Presence? = Presence(.online),
        state: StateReport? = nil
    ) {
        deliver(.description(profile), from: profile.id, in: profile.home)
        if let presence { deliver(.presence(presence), from: profile.id, in: profile.home) }
        if let state { deliver(.state(state), from: profile.id, in: profile.home) }
    }

    /// Lets a device publish a message. Description, presence and state are retained: a later
    /// observer receives the last of each.
    public func deliver(
        _ content: DeviceObservation.Content, from device: DeviceID, in home: HomeID
    ) {
        state.withLock {
            $0.deliver(DeviceObservation(channel: id, home: home, device: device, content: content))
        }
        deliverPending()
    }

    /// Lets a device publish an event.
    public func event(
        _ name: EventName, _ detail: JSONObject = [:], of device: DeviceID, in home: HomeID
    ) {
        deliver(.event(EventReport(name, detail: detail)), from: device, in: home)
    }

    /// What devices do with every command that the link confirms from now on; `nil` for nothing.
    public func onSend(_ reaction: Reaction?) { state.withLock { $0.reaction = reaction } }

    // MARK: The link's response

    /// Answers the next sends, in order; after them `.receipt(.confirmed)` holds.
    public func answer(_ answers: Answer...) { state.withLock { $0.answers += answers } }

    /// Answers every send that is held.
    public func answerHeld(_ answer: Result<DeliveryReceipt, CommunicationError>) {
        let held = state.withLock { $0.takeHeld() }
        for (send, continuation) in held {
            if case .success(.confirmed) = answer { react(to: send) }
            continuation.resume(returning: answer)
        }
    }

    /// Lets every attempt to begin a conversation fail; `nil` lets them succeed again.
    public func refuseConversations(_ error: CommunicationError?) {
        state.withLock { $0.connectFailure = error }
    }

    /// Lets `prepare` fail with `cannotExpress` for every command; `nil` lets it succeed again.
    public func refuseCommands(_ error: CommunicationError?) {
        state.withLock { $0.prepareFailure = error }
    }

    /// What ``replay(_:_:)`` returns from now on; `.complete` at first.
    public func answerReplays(_ result: Result<ReplayCompleteness, CommunicationError>) {
        state.withLock { $0.replay = result }
    }

    // MARK: Settings

    /// Sets what the link keeps for a device; `nil` for nothing.
    public func keep(_ settings: DesiredSettings?, for device: DeviceID, in home: HomeID) {
        state.withLock { $0.kept[ScriptedAddress(home: home, device: device)] = settings }
    }

    /// What the link keeps for a device at present.
    public func settings(keptFor device: DeviceID, in home: HomeID) -> DesiredSettings? {
        state.withLock { $0.kept[ScriptedAddress(home: home, device: device)] }
    }

    /// Lets every attempt to read kept settings fail; `nil` lets them succeed again.
    public func refuseReading(_ error: CommunicationError?) {
        state.withLock { $0.readFailure = error }
    }

    /// Lets every attempt to clear what is kept of a device fail; `nil` lets them succeed again.
    public func refuseClearing(_ error: CommunicationError?) {
        state.withLock { $0.clearFailure = error }
    }

    // MARK: Questions

    /// The devices' answer to status queries from now on. Commands that are not scripted are left
    /// out of the answer.
    public func answerQuestions(about command: CommandID, _ outcome: RecordedOutcome) {
        state.withLock { $0.outcomes[command] = outcome }
    }

    /// Holds status queries until they are answered by ``answerHeldQuestions(_:)``, or fail with
    /// the link.
    public func holdQuestions() { state.withLock { $0.holdsQuestions = true } }

    /// Answers every held status query.
    public func answerHeldQuestions(
        _ answer: Result<[CommandID: RecordedOutcome], CommunicationError>
    ) {
        let held = state.withLock { $0.takeHeldQuestions() }
        for question in held { question.resume(returning: answer) }
    }

    // MARK: The link

    /// Breaks the link: pending sends and queries fail with
    /// ``Connectivity/CommunicationError/scriptedLoss``,
    /// later sends with `notConnected`.
    public func loseLink(
        _ error: CommunicationError = .scriptedLoss, retryIn: Duration? = .seconds(1)
    ) {
        let (sends, questions) = state.withLock { state in
            state.loseLink(error, retryIn: retryIn)
            return (state.takeHeld(), state.takeHeldQuestions())
        }
        for (_, continuation) in sends { continuation.resume(returning: .failure(.scriptedLoss)) }
        for question in questions { question.resume(returning: .failure(.scriptedLoss)) }
    }

    /// Repairs the link.
    public func restoreLink() { state.withLock { $0.restoreLink(.connected) } }

    /// Restores the link, but with a part of the subscriptions refused.
    public func limitLink(_ error: CommunicationError) {
        state.withLock { $0.restoreLink(.limited(error)) }
    }
}
