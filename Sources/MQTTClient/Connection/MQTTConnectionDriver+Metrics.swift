/// A connection's contributions to the metrics of its loop. Without a metrics backend they are skipped.
extension MQTTConnectionDriver {
    /// A message was written to the socket.
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

    /// The present values of this connection's gauges.
    func add(to sample: inout LoopMetrics.Sample) {
        if machine.isConnected { sample.connections += 1 }
        sample.inFlight += window.inFlight
        sample.queued += window.outstanding - window.inFlight
        if let since = window.oldestWaiting {
            sample.queueAge = max(sample.queueAge, core.now - min(since, core.now))
        }
    }
}
