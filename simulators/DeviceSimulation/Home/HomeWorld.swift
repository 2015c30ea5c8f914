package import DeviceDomain
import HeapModule

/// The simulated world of one home: a clock and all devices, with what they share.
///
/// A value without connection, clock or thread. Its owner says how far time has come and what happens to a device;
/// it returns what the devices have to do about it. The home is stepped once for all of its devices: at every
/// whole second of the world clock all of them, in their order, and between two seconds each device that
/// samples, in the order of time. So what the devices say does not depend on how often the owner asks.
package struct HomeWorld: Sendable {
    /// What a device has to do.
    package struct Output: Sendable {
        /// The place of the device in the home.
        package let place: Int
        /// What it has to do, in this order.
        package let actions: [DeviceAction]
    }

    /// A sampling instant of a device.
    private struct Sampling: Comparable {
        let instant: Timestamp
        let place: Int

        static func < (left: Self, right: Self) -> Bool {
            (left.instant, left.place) < (right.instant, right.place)
        }
    }

    /// The devices, in a fixed order.
    package private(set) var devices: [SimulatedDevice]
    /// What they share; while a device works on it, that device's part of it.
    private var household: Household
    /// The last whole second to which all devices have come; at first when the home was switched on.
    package private(set) var reached: Timestamp
    /// Whether the home had power in the last second.
    private var hasPower = true
    /// The next sampling instant of each device.
    private var samplings = Heap<Sampling>()
    /// When the home wants ``wake(at:)`` at the latest (monotonic clock).
    package private(set) var nextWake: Duration?
    /// Looks at the home at each instant.
    private var watch: HomeWatch
    /// Who drives on the floor of the home.
    private var traffic: FloorTraffic

    /// A home whose devices are at their start.
    /// - Parameters:
    ///   - household: the home without its stores, which these devices bring.
    ///   - world: the world clock at which all of them start.
    package init(_ devices: [SimulatedDevice], in household: Household, at world: Timestamp) {
        var household = household
        for device in devices { device.join(&household) }
        self.devices = devices
        self.household = household
        reached = world
        watch = HomeWatch(devices.map(\.identity))
        traffic = FloorTraffic(docks: devices.map(\.behaviour.dockPlace))
        for place in devices.indices { joinTraffic(place) }
        planSamples()
        if let first = devices.first { planWake(at: first.arrival) }
    }

    /// Handles an input of one device, after the world of all has come to the last instant before it.
    /// - Returns: what these and other devices have to do.
    package mutating func handle(
        _ input: DeviceInput, of place: Int, at moment: DeviceMoment
    ) -> [Output] {
        advance(to: moment)
        work(on: place) { $0.take(input, at: moment) }
        if input.handlesTheDevice { watch.handled(place) }
        planWake(at: moment)
        return takeOutputs()
    }

    /// Lets the world go on, and every device do what is due by now.
    /// - Returns: what devices have to do.
    package mutating func wake(at moment: DeviceMoment) -> [Output] {
        let due = devices.indices.filter { Self.isDue(&devices[$0], at: moment) }
        advance(to: moment)
        for place in due { work(on: place) { $0.take(.wake, at: moment) } }
        planWake(at: moment)
        return takeOutputs()
    }

    private mutating func takeOutputs() -> [Output] {
        var outputs: [Output] = []
        for place in devices.indices {
            let actions = devices[place].output.takeActions()
            if !actions.isEmpty { outputs.append(Output(place: place, actions: actions)) }
        }
        return outputs
    }

    /// What was found of the invariants so far.
    package var invariants: InvariantRecord { watch.record }

    /// Takes the violations that are to be told: of each invariant and device the first.
    package mutating func takeViolations() -> [InvariantViolation] { watch.takeNews() }

    /// When a device wants the next input at the latest, ``DeviceInput/wake`` if no other comes
    /// (monotonic clock).
    package func nextWake(of place: Int) -> Duration? { devices[place].nextWake }

    /// The next instant: a whole second, or a sampling instant of a device.
    package var nextInstant: Timestamp {
        let second = reached.nextWholeSecond
        return samplings.min.map { min($0.instant, second) } ?? second
    }

    /// Puts a device that was started anew in the place of its former self.
    package mutating func replace(_ place: Int, with device: SimulatedDevice) {
        devices[place] = device
        device.rejoin(&household)
        if !hasPower { devices[place].setMains(false) }
        joinTraffic(place)
        watch.restarted(place)
        planSamples()
        planWake(at: device.arrival)
    }

    /// A moment at which a device is started anew: its world goes on from the instant to which it has come.
    package func restartMoment(of place: Int, at moment: DeviceMoment) -> DeviceMoment {
        moment.showing(devices[place].timetable.reached)
    }

    /// Puts a robot that was started among the others of its floor.
    private mutating func joinTraffic(_ place: Int) {
        let others = traffic.neighbours(of: place)
        guard !others.isEmpty else { return }
        devices[place].behaviour.join(
            others.compactMap { devices[$0].behaviour.look.body?.position })
    }

    // MARK: The instants

    /// Advances the world to the last instant that has passed.
    private mutating func advance(to moment: DeviceMoment) {
        skipLongPause(until: moment.world)
        while true {
            let second = reached.nextWholeSecond
            if let next = samplings.min, next.instant < second {
                guard next.instant <= moment.world else { break }
                samplings.removeMin()
                advance(next.place, to: next.instant, at: moment)
                planSample(of: next.place)
            } else {
                guard second <= moment.world else { break }
                advanceAll(to: second, at: moment)
            }
        }
    }

    private mutating func advanceAll(to second: Timestamp, at moment: DeviceMoment) {
        reached = second
        var loadW = 0.0
        for place in devices.indices { loadW += Self.mainsW(of: &devices[place]) }
        household.otherLoadW = loadW
        for place in devices.indices { advance(place, to: second, at: moment) }
        watch.look(at: household, second)
        watch.look(atRobotsOn: traffic.floors, second)
        traffic.direct(&devices, seenBy: watch)
        followPower()
        while let next = samplings.min, next.instant <= second {
            samplings.removeMin()
            planSample(of: next.place)
        }
    }

    /// What a device draws. It is changed by nothing here, but one that is only read is copied, and this is asked of
    /// every device in every second.
    private static func mainsW(of device: inout SimulatedDevice) -> Double {
        device.isSwitchedOff ? 0 : device.behaviour.mainsW
    }

    /// Tells the devices when the power of the home goes or returns.
    private mutating func followPower() {
        let isOn = household.hasPower
        guard isOn != hasPower else { return }
        hasPower = isOn
        for place in devices.indices { devices[place].setMains(isOn) }
    }

    private mutating func advance(_ place: Int, to instant: Timestamp, at moment: DeviceMoment) {
        work(on: place) { $0.advance(to: instant, at: moment) }
        Self.look(at: &devices[place], of: place, instant, with: &watch)
    }

    /// Changes nothing in the device either; see ``mainsW(of:)``.
    private static func look(
        at device: inout SimulatedDevice, of place: Int, _ instant: Timestamp,
        with watch: inout HomeWatch
    ) {
        watch.look(at: device.behaviour, of: place, instant)
    }

    private mutating func planWake(at moment: DeviceMoment) {
        var (instant, due): (Timestamp?, Duration?) = (nil, nil)
        for place in devices.indices {
            let next = Self.nextTimes(of: &devices[place])
            (instant, due) = (earliest(instant, next.instant), earliest(due, next.due))
        }
        nextWake = earliest(due, instant.flatMap(moment.monotonic))
    }

    /// Changes nothing in the device either.
    private static func nextTimes(
        of device: inout SimulatedDevice
    ) -> (instant: Timestamp, due: Duration?) {
        (device.nextInstant, device.nextDue)
    }

    /// Nor here.
    private static func isDue(_ device: inout SimulatedDevice, at moment: DeviceMoment) -> Bool {
        device.isDue(at: moment)
    }

    private mutating func planSample(of place: Int) { samplings.insert(sampling(of: place)) }

    private mutating func planSamples() { samplings = Heap(devices.indices.map(sampling)) }

    private func sampling(of place: Int) -> Sampling {
        Sampling(instant: devices[place].timetable.nextSample, place: place)
    }

    private mutating func skipLongPause(until world: Timestamp) {
        let start = world.advanced(by: .zero - SimulatedDevice.longestPause)
        guard reached < start else { return }
        reached = start
        for place in devices.indices { devices[place].skipLongPause(until: world) }
        watch.timeWasLeftOut()
        planSamples()
    }

    // MARK: What is shared

    /// Lets a device work on what it shares with the home.
    ///
    /// The device has the home only meanwhile and keeps its own part. A home that two places held would
    /// be copied with the next change, once for each device.
    private mutating func work(on place: Int, _ body: (inout SimulatedDevice) -> Void) {
        devices[place].share(&household, during: body)
    }
}

extension DeviceInput {
    /// Whether somebody may take the device into his hands with it: a fault that begins or ends.
    fileprivate var handlesTheDevice: Bool {
        switch self {
        case .inject, .clear: true
        case .connected, .disconnected, .command, .presence, .hello, .desired, .confirmed, .wake,
            .shutDown:
            false
        }
    }
}
