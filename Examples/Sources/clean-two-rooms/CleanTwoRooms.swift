import Foundation
import Homeport

/// Lets every sweeping robot of a home clean two rooms, and shows what changes:
/// `swift run clean-two-rooms mqtt://127.0.0.1:1883`.
@main
struct CleanTwoRooms {
    static func main() async {
        let broker = CommandLine.arguments.dropFirst().first ?? "mqtt://127.0.0.1:1883"
        do {
            try await withHome("home-1", at: broker) { home in
                for robot in try await home.devices(of: SweepingRobot.self) {
                    // `.startCleaning` of an energy store would not compile.
                    let receipt = try await home.send(.startCleaning(rooms: [1, 2]), to: robot)
                    print(robot.name, try await receipt.outcome(.accepted))
                }
                for await change in home.changes().prefix(40) { print(change) }
            }
        } catch {
            print("\(error)")
            exit(1)
        }
    }
}
