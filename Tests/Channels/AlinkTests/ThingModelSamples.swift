import Alink
import Testing

/// A thing model with every type.
enum ThingModelSamples {
    static let robot = """
        {"schema":"https://iotx-tsl.oss-ap-southeast-1.aliyuncs.com/schema.json",
         "profile":{"version":"1.0","productKey":"a1B2c3D4e5F"},
         "properties":[
          {"identifier":"power","name":"Power","accessMode":"rw","required":true,
           "dataType":{"type":"bool","specs":{"0":"off","1":"on"}}},
          {"identifier":"WorkMode","name":"Mode","accessMode":"rw",
           "dataType":{"type":"enum","specs":{"0":"quiet","1":"normal","2":"turbo"}}},
          {"identifier":"suction","name":"Suction","accessMode":"rw",
           "dataType":{"type":"int","specs":{"min":"1","max":"4","step":"1"}}},
          {"identifier":"target_temp","name":"Target","accessMode":"rw",
           "dataType":{"type":"float","specs":{"min":"5","max":"35.5","step":"0.5","unit":"°C"}}},
          {"identifier":"label","name":"Label","accessMode":"rw",
           "dataType":{"type":"text","specs":{"length":"8"}}},
          {"identifier":"HSV","name":"Colour","accessMode":"rw","dataType":{"type":"struct","specs":[
            {"identifier":"Hue","name":"Hue","dataType":{"type":"int","specs":{"min":"0","max":"360"}}},
            {"identifier":"Value","name":"Value","dataType":{"type":"double","specs":{"min":"0","max":"1"}}}]}},
          {"identifier":"rooms","name":"Rooms","accessMode":"rw","dataType":{"type":"array",
            "specs":{"size":"3","item":{"type":"int"}}}},
          {"identifier":"started","name":"Started","accessMode":"r","dataType":{"type":"date","specs":{}}},
          {"identifier":"battery","name":"Battery","accessMode":"r",
           "dataType":{"type":"int","specs":{"min":"0","max":"100"}}},
          {"identifier":"odd","name":"Odd","accessMode":"r","dataType":{"type":"quaternion"}}],
         "services":[
          {"identifier":"set","method":"thing.service.property.set","callType":"async","inputData":[]},
          {"identifier":"get","method":"thing.service.property.get","callType":"async","inputData":["power"]},
          {"identifier":"StartClean","name":"Clean","callType":"async","method":"thing.service.StartClean",
           "inputData":[{"identifier":"room","name":"Room","dataType":{"type":"int","specs":{"min":"1","max":"9"}}},
            {"identifier":"deep","name":"Deep","required":false,
             "dataType":{"type":"bool","specs":{"0":"no","1":"yes"}}}],
           "outputData":[]},
          {"identifier":"locate","name":"Locate","callType":"sync","method":"thing.service.locate"}],
         "events":[
          {"identifier":"post","method":"thing.event.property.post","type":"info","outputData":[]},
          {"identifier":"BrushStuck","name":"Stuck","type":"alert","method":"thing.event.BrushStuck.post",
           "outputData":[{"identifier":"where","name":"Where","dataType":{"type":"enum",
            "specs":{"0":"left","1":"right"}}}]}]}
        """

    static func product() throws -> ThingProduct {
        let key = try #require(ProductKey("a1B2c3D4e5F"))
        return ThingProduct(key, try ThingModel(Array(robot.utf8)))
    }
}
