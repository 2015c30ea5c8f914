public import Connectivity
public import DeviceDomain
public import DeviceMessages
internal import Locking

extension ScriptedChannel {
    // MARK: Devices

    /// Lets a device appear, or describe itself anew.
    /// - Parameters:
    ///   - presence: what it says of its presence; nothing if `nil`.
    ///   - state: its state; nothing if `nil`.
    public func announce(
        _ profile: DeviceProfile, presence: Presence? = Presence(.online),
        state: StateReport? = nil
    ) {
        deliver(.description(profile), from: profile.id, in: profile.home)
        if let presence { deliver(.presence(presence), from: profile.id, in: profile.home) }
        if let state { deliver(.state(state), from: profile.id, in: profile.home) }
    }

    /// Lets a device say something. Description, presence and state are retained: who begins to
    /// listen later hears the last of each.
    public func deliver(_ content: Observation.Content, from device: DeviceID, in home: HomeID) {
        state.withLock {
            $0.deliver(Observation(channel: id, home: home, device: device, content: content))
        }
        deliverPending()
    }

    /// What devices do with every command that the link confirms from now on; `nil` for nothing.
    public func onSend(_ reaction: Reaction?) { state.withLock { $0.reaction = reaction } }

    // MARK: The link's word

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

    /// Lets every command be one that the channel cannot express; `nil` makes an end of it.
    public func refuseCommands(_ error: CommunicationError?) {
        state.withLock { $0.prepareFailure = error }
    }

    /// What ``replay(_:_:)`` comes to from now on; `.complete` at first.
    public func answerReplays(_ result: Result<ReplayCompleteness, CommunicationError>) {
        state.withLock { $0.replay = result }
    }

    // MARK: Questions

    /// What the devices say of a command when they are asked from now on. What is not scripted is
    /// left out of the answer.
    public func answerQuestions(about command: CommandID, _ outcome: RecordedOutcome) {
        state.withLock { $0.outcomes[command] = outcome }
    }

    /// Lets questions wait until they are answered by ``answerHeldQuestions(_:)``, or fail with
    /// the link.
    public func holdQuestions() { state.withLock { $0.holdsQuestions = true } }

    /// Answers every question that is held.
    public func answerHeldQuestions(
        _ answer: Result<[CommandID: RecordedOutcome], CommunicationError>
    ) {
        let held = state.withLock { $0.takeHeldQuestions() }
        for question in held { question.resume(returning: answer) }
    }

    // MARK: The link

    /// Breaks the link: what is under way fails with ``Connectivity/CommunicationError/scriptedLoss``,
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

    /// Repairs the link, but a part of what is wanted is not heard.
    public func limitLink(_ error: CommunicationError) {
        state.withLock { $0.restoreLink(.limited(error)) }
    }
}
