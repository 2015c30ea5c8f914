import DeviceDomain

/// The numbers of one model of energy store.
struct StoreRatings: Sendable {
    /// The losses of a converter as three ratings.
    struct Loss: Sendable {
        let a, b, c: Rating

        /// For a converter `scale` times as large as the one that was measured.
        init(
            _ a: Double, _ b: Double, _ c: Double, times scale: Double = 1, _ source: Rating.Source
        ) {
            self.a = Rating(a * scale, "W", source)
            self.b = Rating(b * scale, "W", source)
            self.c = Rating(c * scale, "W", source)
        }

        var value: QuadraticLoss { QuadraticLoss(a: a.value, b: b.value, c: c.value) }
    }

    /// The draw on standby as four ratings.
    struct Standby: Sendable {
        let acCharged, dcCharged, acEmpty, dcEmpty: Rating

        init(
            charged: (ac: Double, dc: Double), empty: (ac: Double, dc: Double),
            _ source: Rating.Source
        ) {
            acCharged = Rating(charged.ac, "W", source)
            dcCharged = Rating(charged.dc, "W", source)
            acEmpty = Rating(empty.ac, "W", source)
            dcEmpty = Rating(empty.dc, "W", source)
        }

        var value: StandbyDraw {
            StandbyDraw(
                charged: StandbyDraw.Draw(acW: acCharged.value, dcW: dcCharged.value),
                empty: StandbyDraw.Draw(acW: acEmpty.value, dcW: dcEmpty.value))
        }
    }

    let chargeW: Rating
    let dischargeW: Rating
    let usableWh: Rating
    let batteryEfficiency: Rating
    let chargeLoss: Loss
    let dischargeLoss: Loss
    let standby: Standby
    let deadTime: Rating
    let tau: Rating

    /// The numbers of the model, then those that all models have in common.
    var list: [(name: String, rating: Rating)] {
        [
            ("chargePower", chargeW), ("dischargePower", dischargeW),
            ("usableEnergy", usableWh), ("batteryEfficiency", batteryEfficiency),
            ("chargeLossSquare", chargeLoss.a), ("chargeLossLinear", chargeLoss.b),
            ("chargeLossConstant", chargeLoss.c), ("dischargeLossSquare", dischargeLoss.a),
            ("dischargeLossLinear", dischargeLoss.b), ("dischargeLossConstant", dischargeLoss.c),
            ("standbyFromHome", standby.acCharged), ("standbyFromCells", standby.dcCharged),
            ("standbyFromHomeWhenEmpty", standby.acEmpty),
            ("standbyFromCellsWhenEmpty", standby.dcEmpty),
            ("deadTime", deadTime), ("lag", tau),
        ] + StoreConstants.list
    }
}

extension StorageSystem {
    /// `store-e5`: the losses of system SG1, generic, for a converter of 2.5 kW, with 5 kWh; standby
    /// and response of S3, a Kostal 5.5 with a BYD H6.4, because SG1 has none.
    static let e5 = StorageSystem(
        StoreRatings(
            rated: rating(of: "store-e5"), times: 2.5, .published("bslib SG1"),
            usableWh: Rating(5000, "Wh", .estimate("two modules of 2.5 kWh, as BYD sells them")),
            batteryEfficiency: Rating(0.95, "1", .published("bslib SG1")),
            chargeLoss: (35.52, -3.09, 18.23), dischargeLoss: (37.57, -3.56, 19.31),
            standby: StoreRatings.Standby(
                charged: (ac: 0, dc: 0.15), empty: (ac: 4.47, dc: 4.56), .published("bslib S3")),
            deadTime: Rating(0.63, "s", .published("bslib S3")),
            tau: Rating(0.6, "s", .published("bslib S3"))))

    /// `store-e10`: system S2, Siemens Junelight of 9.9 kWh.
    static let e10 = StorageSystem(
        StoreRatings(
            rated: rating(of: "store-e10"), .published("bslib S2"),
            usableWh: Rating(8850, "Wh", .published("bslib S2")),
            batteryEfficiency: Rating(0.9687, "1", .published("bslib S2")),
            chargeLoss: (107.9, 34.85, 35.85), dischargeLoss: (151.06, 22.76, 37.42),
            standby: StoreRatings.Standby(
                charged: (ac: 14.9, dc: 0), empty: (ac: 12.1, dc: 0), .published("bslib S2")),
            deadTime: Rating(1.6, "s", .published("bslib S2")),
            tau: Rating(0.6, "s", .published("bslib S2"))))

    /// The commands of a store with this system.
    var commands: [CommandSpecification] {
        EnergyStore.commands(rated: EnergyStoreRating(chargeW: chargeW, dischargeW: dischargeW))
    }

    // The powers are written once, where controllers that know only the model's name find them, too.
    private static func rating(of model: String) -> EnergyStoreRating {
        guard let rating = EnergyStore.ratings[DeviceModel(rawValue: model)] else {
            preconditionFailure("\(model) is a model with a rating")
        }
        return rating
    }
}

extension StoreRatings {
    fileprivate init(
        rated rating: EnergyStoreRating, times scale: Double = 1, _ source: Rating.Source,
        usableWh: Rating, batteryEfficiency: Rating, chargeLoss: (Double, Double, Double),
        dischargeLoss: (Double, Double, Double), standby: Standby, deadTime: Rating, tau: Rating
    ) {
        chargeW = Rating(rating.chargeW, "W", source)
        dischargeW = Rating(rating.dischargeW, "W", source)
        self.usableWh = usableWh
        self.batteryEfficiency = batteryEfficiency
        self.chargeLoss = Loss(chargeLoss.0, chargeLoss.1, chargeLoss.2, times: scale, source)
        self.dischargeLoss = Loss(
            dischargeLoss.0, dischargeLoss.1, dischargeLoss.2, times: scale, source)
        self.standby = standby
        self.deadTime = deadTime
        self.tau = tau
    }
}
