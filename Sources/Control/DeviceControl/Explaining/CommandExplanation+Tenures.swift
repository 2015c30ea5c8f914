internal import DeviceDomain
internal import DeviceMessages

extension [CommandExplanation.Step] {
    /// The steps with who sent and followed the command, and with each change of the owner of its home.
    func under(_ tenures: [HomeTenure]) -> [CommandExplanation.Step] {
        var steps: [CommandExplanation.Step] = []
        var rest = tenures[...]
        var owner: String?
        for index in 0...count {
            while let tenure = rest.first, tenure.entries <= index {
                owner = tenure.instance
                // Who owned it before is told by what that one did.
                if index > 0 { steps.append(CommandExplanation.Step(tenure)) }
                rest.removeFirst()
            }
            guard index < count else { break }
            steps.append(self[index].done(by: owner))
        }
        return steps
    }

    /// The steps with times that do not go back.
    var inOrder: [CommandExplanation.Step] {
        var latest: Timestamp?
        return map { step in
            var step = step
            step.at = latest.map { Swift.max($0, step.at) } ?? step.at
            latest = step.at
            return step
        }
    }
}

extension CommandExplanation.Step {
    fileprivate init(_ tenure: HomeTenure) {
        self.init(
            at: tenure.since, kind: .owner,
            text: tenure.instance.map { "the instance \($0) owns the home from now on" }
                ?? "the instance that owned the home has given it up",
            state: nil, detail: tenure.instance.map { ["instance": .string($0)] } ?? [:])
    }

    fileprivate func done(by instance: String?) -> CommandExplanation.Step {
        guard let instance, kind == .sent || kind == .adopted else { return self }
        var step = self
        step.text += kind == .sent ? ", by the instance \(instance)" : ": the instance \(instance)"
        step.detail["instance"] = .string(instance)
        return step
    }
}
