internal import Connectivity
internal import Provisioning

extension BoundedStream<ProvisioningEvent> {
    /// Hands the events to a receiver while an attempt runs, which ends the stream; the last one before this returns.
    func reporting<Result>(
        _ report: @escaping @Sendable (ProvisioningEvent) -> Void,
        while attempt: () async -> Result
    ) async -> Result {
        // Of its own: in a cancelled task a stream ends at once, and taking back has events, too.
        let reader = Task { for await event in self { report(event) } }
        let result = await attempt()
        await reader.value
        return result
    }
}
