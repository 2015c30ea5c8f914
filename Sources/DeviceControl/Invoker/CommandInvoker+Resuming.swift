internal import Connectivity
public import DeviceDomain
public import DeviceMessages

extension CommandInvoker {
    /// Takes over what dead processes of this controller left open in a home.
    ///
    /// What never left is sent when its device is there. What may have left is asked for, after
    /// the acks are subscribed to; nothing is sent blindly. Commands of living processes are left
    /// alone. It returns when all of it is under way.
    /// - Returns: the commands that were taken over, without the dead processes' own questions.
    @discardableResult
    public func resume(in home: HomeID) async throws(ControlError) -> [CommandID] {
        let orphans: [CommandRecord]
        do {
            orphans = try await ledger.adoptOrphans(of: controller, in: home)
        } catch {
            throw ControlError(error)
        }
        guard !orphans.isEmpty else { return [] }
        for record in orphans { follow(record) }
        for record in orphans where record.intent.purpose == .inquiry {
            await post(.abandoned, to: record.id)
        }
        let requests = orphans.filter { $0.intent.purpose == .request }
        try await resume(requests, in: home)
        return requests.map(\.id)
    }

    private func resume(_ requests: [CommandRecord], in home: HomeID)
        async throws(ControlError)
    {
        let wanted = Set(requests.map(\.intent.device))
        guard !wanted.isEmpty else { return }
        let survey = await survey(home, wanted)
        for device in wanted.sorted() {
            let address = try await conversation(
                with: survey.device(device) ?? GenericDevice.unheard(device, in: home),
                awaitsPresence: survey.devices[device] == nil)
            for record in requests where record.intent.device == device {
                await post(.adopted(reach(of: address)), to: record.id)
            }
        }
    }

    /// What every channel knows of the devices; a channel that fails knows nothing.
    private func survey(_ home: HomeID, _ wanted: Set<DeviceID>) async -> HomeSurvey {
        let scope = wanted.count == 1 ? wanted.first.map(SurveyScope.device) : nil
        var known = HomeSurvey(home: home)
        for channel in factory.allChannels {
            do throws(CommunicationError) {
                known.merge(try await channel.survey(home, scope ?? .everyDevice))
            } catch {
                continue
            }
        }
        return known
    }
}

extension GenericDevice {
    /// A device of which nothing was heard.
    fileprivate static func unheard(_ device: DeviceID, in home: HomeID) -> GenericDevice {
        GenericDevice(profile: .undescribed(device, in: home))
    }
}
