/// What a connection adds to the metrics of its loop. All of it is skipped without a backend.
extension MQTTConnectionDriver {
    /// A message was handed to the socket.
    func measureSending(_ packet: UInt16, _ qos: MQTTQoS) {
        guard core.metrics != nil, qos > .atMostOnce else { return }
        sendTimes[packet] = core.now
    }

    /// The broker acknowledged a message.
    func measureAcknowledgement(_ packet: UInt16) {
        guard let metrics = core.metrics, let time = sendTimes.removeValue(forKey: packet) else {
            return
        }
        metrics.acknowledged(after: core.now - min(time, core.now))
    }

    func countDrop(_ reason: MQTTDropReason, _ count: Int = 1) {
        guard count > 0 else { return }
        drops.add(count, reason)
        core.metrics?.dropped(count, reason)
    }

    /// What this connection holds now.
    func add(to sample: inout LoopMetrics.Sample) {
        if machine.isConnected { sample.connections += 1 }
        sample.inFlight += window.inFlight
        sample.queued += window.outstanding - window.inFlight
        if let since = window.oldestWaiting {
            sample.queueAge = max(sample.queueAge, core.now - min(since, core.now))
        }
    }
}
