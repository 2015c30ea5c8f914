import DeviceDomain
import Testing

@Suite struct WeeklyScheduleTests {
    private func entry(_ at: JSONValue = "09:30", weekday: JSONValue = 1) -> JSONValue {
        ["weekday": weekday, "at": at, "program": "floor"]
    }

    @Test func everyMinuteOfEveryDaySurvives() throws {
        for weekday in 1...7 {
            for minute in 0..<1440 {
                let entry = try WeeklySchedule.Entry(
                    weekday: weekday, minuteOfDay: minute, program: .full)
                let schedule = try WeeklySchedule([entry])
                #expect(try WeeklySchedule(json: schedule.json) == schedule)
            }
        }
    }

    @Test func impossibleEntriesDoNotExist() {
        for (weekday, minute) in [(0, 0), (8, 0), (-1, 0), (1, -1), (1, 1440)] {
            #expect(throws: ArgumentViolation.self) {
                try WeeklySchedule.Entry(weekday: weekday, minuteOfDay: minute, program: .full)
            }
        }
    }

    @Test func aWeekHasAtMostFourteenEntries() throws {
        let fourteen = JSONValue.array(Array(repeating: entry(), count: 14))
        #expect(try WeeklySchedule(json: fourteen).entries.count == 14)
        let fifteen = JSONValue.array(Array(repeating: entry(), count: 15))
        let error = #expect(throws: ArgumentViolation.self) { try WeeklySchedule(json: fifteen) }
        #expect(error?.path == "entries")
        #expect(try WeeklySchedule(json: []).entries.isEmpty)
    }

    @Test(arguments: [
        "", "9:30", "09:3", "24:00", "12:60", "0930", "09.30", "09:30 ", "-1:00", "٠٩:٣٠", "ab:cd",
    ])
    func aTimeThatIsNoneIsRefusedWithItsPath(text: String) {
        let error = #expect(throws: ArgumentViolation.self) {
            try WeeklySchedule(json: [entry(), entry(.string(text))])
        }
        #expect(error?.path == "entries[1].at")
    }

    @Test(
        arguments: [
            (["weekday": 0, "at": "09:30", "program": "floor"], "entries[0].weekday"),
            (["weekday": 1.5, "at": "09:30", "program": "floor"], "entries[0].weekday"),
            (["weekday": 1, "at": 9, "program": "floor"], "entries[0].at"),
            (["weekday": 1, "at": "09:30", "program": "lawn"], "entries[0].program"),
            (["weekday": 1, "at": "09:30"], "entries[0].program"),
            (["weekday": 1, "at": "09:30", "program": "floor", "x": 1], "entries[0].x"),
            ("floor", "entries[0]"),
        ] as [(JSONValue, String)])
    func aWrongEntryIsRefusedWithItsPath(entry: JSONValue, path: String) {
        let error = #expect(throws: ArgumentViolation.self) { try WeeklySchedule(json: [entry]) }
        #expect(error?.path == path)
    }

    @Test func entriesMustBeAnArray() {
        #expect(throws: ArgumentViolation.self) { try WeeklySchedule(json: [:]) }
        #expect(throws: ArgumentViolation.self) { try WeeklySchedule(json: nil) }
    }
}
