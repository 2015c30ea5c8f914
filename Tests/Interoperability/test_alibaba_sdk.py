"""The stand-in for Alibaba Cloud's IoT Platform, called by the vendor's own two SDKs for Python, with what `homeport` asks
of it: so that stand-in and channel are not one mistake."""

import importlib
import json
import unittest

from interop.alibaba import KEY, SECRET
from interop.amqp import Server
from test_alibaba_cloud import OnCloud

try:
    from aliyunsdkcore.acs_exception.exceptions import ServerException
    from aliyunsdkcore.client import AcsClient
    from alibabacloud_iot20180120 import models
    from alibabacloud_iot20180120.client import Client
    from alibabacloud_tea_openapi.models import Config
    from Tea.exceptions import TeaException
except ImportError as missing:
    raise unittest.SkipTest(f"the SDKs of Alibaba Cloud are not installed: {missing}") from missing

COMMON = {"Action", "Version", "Format", "AccessKeyId", "RegionId", "SignatureMethod", "SignatureVersion",
          "SignatureNonce", "SignatureType", "Timestamp", "Signature"}
"""Parameters that belong to a call and not to what is asked."""

ACTIONS = {"GetThingModelTsl", "QueryDevice", "QueryDevicePropertyStatus", "SetDeviceProperty",
           "InvokeThingService", "QueryDeviceServiceData", "QueryConsumerGroupStatus"}
"""What the channel asks; a class of the first SDK each, and a method of the second one."""


def members(value, path=""):
    """The paths of all members of an answer that have a value; entries of a list are one."""
    if isinstance(value, dict):
        return {p for key, inner in value.items() for p in members(inner, f"{path}.{key}")}
    if isinstance(value, list):
        return {p for inner in value for p in members(inner, path + "[]")}
    return set() if value is None else {path}


class VendorSDKs(OnCloud):
    """What `homeport` has asked, asked again by the SDKs."""

    broker = Server

    def asked(self):
        """The parameters of the calls that `homeport` makes for its verbs, one call of each action."""
        self.run_verb("show", self.robot.id)
        self.send("set-work-mode", WorkMode="turbo")
        # Without a reply the channel asks for the record of the call.
        self.cloud.subscription.reply = lambda *_message: None
        self.send("start-clean", "--wait", "final", "--expires", "20s", room=4)
        self.checked(self.homeport.json("doctor"))
        calls = {c["Action"]: {k: v for k, v in c.items() if k not in COMMON} for c in self.cloud.calls}
        self.assertEqual(set(calls), ACTIONS)
        return calls

    def client(self, secret=SECRET):
        """The first SDK: version 1.0 of the signature, as the channel has it, with parameters in the query."""
        return AcsClient(KEY, secret, "cn-shanghai", port=self.cloud.port, verify=str(self.cloud.authority),
                         auto_retry=False)

    def client_3(self, secret=SECRET):
        """The second SDK: version 3 of the signature."""
        return Client(Config(access_key_id=KEY, access_key_secret=secret, protocol="HTTPS", region_id="cn-shanghai",
                             endpoint=f"localhost:{self.cloud.port}", ca=str(self.cloud.authority)))

    @staticmethod
    def request(action, parameters):
        """A request of the first SDK, which has a method for each parameter that the platform knows."""
        module = importlib.import_module(f"aliyunsdkiot.request.v20180120.{action}Request")
        request = getattr(module, action + "Request")()
        request.set_endpoint("localhost")
        request.set_protocol_type("https")
        for name, value in parameters.items():
            getattr(request, "set_" + name)(value)
        return request

    def test_both_know_every_parameter_and_member(self):
        calls = self.asked()
        client, client_3 = self.client(), self.client_3()
        for action, parameters in calls.items():
            with self.subTest(action=action):
                answer = json.loads(client.do_action_with_exception(self.request(action, parameters)))
                self.assertTrue(answer["Success"], answer)
                request = getattr(models, action + "Request")().from_map(parameters)
                self.assertEqual(request.to_map(), parameters)
                method = "".join("_" + c.lower() if c.isupper() else c for c in action).strip("_")
                answer_3 = getattr(client_3, method)(request).body.to_map()
                self.assertEqual(members(answer), members(answer_3))

    def test_both_are_refused_with_a_wrong_secret(self):
        parameters = {"ProductKey": "x", "PageSize": 50, "CurrentPage": 1}
        with self.assertRaises(ServerException) as found:
            self.client("wrong").do_action_with_exception(self.request("QueryDevice", parameters))
        self.assertEqual(found.exception.get_error_code(), "SignatureDoesNotMatch")
        with self.assertRaises(TeaException) as found:
            self.client_3("wrong").query_device(models.QueryDeviceRequest().from_map(parameters))
        self.assertEqual(found.exception.code, "SignatureDoesNotMatch")


if __name__ == "__main__":
    unittest.main()
