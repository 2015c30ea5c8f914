"""A stand-in for Alibaba Cloud's IoT Platform, written from the vendor's documents: the API over HTTPS, and the
server-side subscription over AMQP 1.0 with TLS."""

import base64
import hashlib
import hmac
import json
import ssl
import subprocess
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from .processes import scratch

KEY, SECRET = "LTAI5tExample", "s3cr3t+of/the=Key"
PRODUCT = "a1B2c3D4e5F"

MODEL = {
    "schema": "https://iotx-tsl.oss-ap-southeast-1.aliyuncs.com/schema.json",
    "profile": {"version": "1.0", "productKey": PRODUCT},
    "properties": [
        {"identifier": "power", "name": "Power", "accessMode": "rw", "required": True,
         "dataType": {"type": "bool", "specs": {"0": "off", "1": "on"}}},
        {"identifier": "WorkMode", "name": "Mode", "accessMode": "rw", "required": False,
         "dataType": {"type": "enum", "specs": {"0": "quiet", "1": "normal", "2": "turbo"}}},
        {"identifier": "target", "name": "Target", "accessMode": "rw", "required": False,
         "dataType": {"type": "float", "specs": {"min": "5", "max": "35", "step": "0.5"}}},
        {"identifier": "battery", "name": "Battery", "accessMode": "r", "required": False,
         "dataType": {"type": "int", "specs": {"min": "0", "max": "100"}}}],
    "services": [
        {"identifier": "set", "method": "thing.service.property.set", "callType": "async",
         "inputData": [], "outputData": []},
        {"identifier": "StartClean", "name": "Clean", "callType": "async",
         "method": "thing.service.StartClean", "outputData": [],
         "inputData": [{"identifier": "room", "name": "Room",
                        "dataType": {"type": "int", "specs": {"min": "1", "max": "9"}}}]},
        {"identifier": "locate", "name": "Locate", "callType": "sync",
         "method": "thing.service.locate", "inputData": [],
         "outputData": [{"identifier": "loud", "name": "Loud", "dataType": {"type": "bool"}}]}],
    "events": [
        {"identifier": "post", "method": "thing.event.property.post", "type": "info"},
        {"identifier": "BrushStuck", "name": "Stuck", "type": "alert",
         "method": "thing.event.BrushStuck.post",
         "outputData": [{"identifier": "side", "name": "Side", "dataType": {
             "type": "enum", "specs": {"0": "left", "1": "right"}}}]}]}


def now():
    """Milliseconds of Unix time."""
    return int(time.time() * 1000)


def device_id(name, product=PRODUCT):
    """The id that Homeport gives a device."""
    slug = "".join(c if c.isascii() and c.isalnum() else "-" for c in name.lower())
    return f"{slug}-{hashlib.sha256(f'{product}/{name}'.encode()).hexdigest()[:6]}"


def certificates():
    """An authority and a certificate for localhost: (authority, certificate, key)."""
    folder = scratch()
    script = """
        openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 30 -subj /CN=ca \
            -addext basicConstraints=critical,CA:TRUE
        openssl req -newkey rsa:2048 -nodes -keyout leaf.key -out leaf.csr -subj /CN=localhost
        printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\\nextendedKeyUsage=serverAuth' > leaf.ext
        openssl x509 -req -in leaf.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 \
            -extfile leaf.ext -out leaf.pem
    """
    subprocess.run(["sh", "-ec", script], cwd=folder, check=True, capture_output=True)
    return folder / "ca.pem", folder / "leaf.pem", folder / "leaf.key"


class CloudDevice:
    """A device as the platform knows it."""

    def __init__(self, name, status="ONLINE", nickname=None, **values):
        self.name, self.status, self.nickname = name, status, nickname
        self.values = {key: (value, now()) for key, value in values.items()}
        self.calls = []

    @property
    def id(self):
        """Its id in Homeport."""
        return device_id(self.name)


class Cloud:
    """The platform, with its devices and the calls that it got."""

    def __init__(self, devices, broker=None):
        """`broker` is the class of what serves the subscription, if there is one."""
        self.devices = {d.name: d for d in devices}
        self.calls, self.lock, self.concurrent, self.most = [], threading.Lock(), 0, 0
        self.script = {}
        """For an action the answers to give first: a function of the parameters, which may return None."""
        self.obeys = True
        """Whether devices do what they are told, and report it."""
        self.is_down = False
        """Whether calls get no answer."""
        self.last = 0
        self.signatures = []
        self.authority, self.certificate, self.key = certificates()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, self.key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True,
                                                 do_handshake_on_connect=False)
        self.server.daemon_threads = True
        # A client that does not like the certificate goes without a word.
        self.server.handle_error = lambda *_arguments: None
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.subscription = Subscription(self, broker) if broker else None

    @property
    def port(self):
        """Where the API listens."""
        return self.server.server_address[1]

    def close(self):
        """Ends everything."""
        self.server.shutdown()
        self.server.server_close()
        if self.subscription:
            self.subscription.close()

    def named(self, action):
        """The parameters of the calls of an action."""
        return [c for c in self.calls if c["Action"] == action]

    def answer(self, form, path="/", headers=None):
        """Status and answer to a call, whose parameters are in its form or in the query of its path; no status
        where the connection breaks."""
        if self.is_down:
            return None, None
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(path).query, keep_blank_values=True))
        if "Authorization" in (headers or {}):
            form = {**form, **query, "Action": headers["x-acs-action"]}
            refusal = self._refusal_by_header(query, headers)
        else:
            form = {**form, **query}
            refusal = self._refusal(form)
        with self.lock:
            self.calls.append(form)
        if refusal:
            return refusal
        scripted = self.script.get(form["Action"])
        if scripted:
            found = scripted(form)
            if found is not None:
                return found
        return getattr(self, "_" + form["Action"])(form)

    def _refusal(self, form):
        signature = form.pop("Signature", "")
        self.signatures.append(signature)
        if form.get("AccessKeyId") != KEY:
            return _no_such_key()
        text = "POST&%2F&" + _encoded(_canonical(form))
        wanted = base64.b64encode(hmac.new((SECRET + "&").encode(), text.encode(),
                                           hashlib.sha1).digest()).decode()
        return None if signature == wanted else _wrong_signature(signature, text)

    def _refusal_by_header(self, query, headers):
        """As `_refusal`, for the third version of the signature, which signs headers."""
        method, _, rest = headers["Authorization"].partition(" ")
        fields = dict(part.split("=", 1) for part in rest.split(","))
        self.signatures.append(fields["Signature"])
        if fields["Credential"] != KEY:
            return _no_such_key()
        names = fields["SignedHeaders"].split(";")
        lines = "".join(f"{name}:{headers[name].strip()}\n" for name in names)
        request = "\n".join(["POST", "/", _canonical(query), lines, fields["SignedHeaders"],
                             headers["x-acs-content-sha256"]])
        text = f"{method}\n{hashlib.sha256(request.encode()).hexdigest()}"
        wanted = hmac.new(SECRET.encode(), text.encode(), hashlib.sha256).hexdigest()
        return None if fields["Signature"] == wanted else _wrong_signature(fields["Signature"], text)

    def _good(self, **more):
        return 200, {"RequestId": "r", "Success": True, "Code": "", **more}

    def _device(self, form):
        return self.devices[form["DeviceName"]]

    def _GetThingModelTsl(self, _form):
        return self._good(Data={"TslStr": json.dumps(MODEL), "TslUri": "https://nowhere.example"})

    def _QueryDevice(self, form):
        size, page = int(form["PageSize"]), int(form["CurrentPage"])
        assert size <= 50
        found = sorted(self.devices.values(), key=lambda d: d.name)
        entries = [{"IotId": "i" + d.name, "ProductKey": PRODUCT, "DeviceName": d.name,
                    "Nickname": d.nickname, "DeviceStatus": d.status, "DeviceSecret": "device-s3cret"}
                   for d in found[(page - 1) * size:page * size]]
        return self._good(Data={"DeviceInfo": entries}, Total=len(found), PageSize=size, Page=page,
                          PageCount=-(-len(found) // size))

    def _QueryDevicePropertyStatus(self, form):
        device = self._device(form)
        entries = []
        for wanted in MODEL["properties"]:
            entry = {"Identifier": wanted["identifier"], "Name": wanted["name"], "Unit": "",
                     "DataType": wanted["dataType"]["type"]}
            if wanted["identifier"] in device.values:
                value, at = device.values[wanted["identifier"]]
                entry.update(Value=str(value), Time=str(at))
            else:
                entry.update(Value="", Time="")
            entries.append(entry)
        return self._good(Data={"List": {"PropertyStatusInfo": entries}})

    def next_message(self):
        """A message's id, beyond what a double can tell."""
        with self.lock:
            self.last += 1
            return str(9007199254740993 + self.last)

    def _SetDeviceProperty(self, form):
        device, message = self._device(form), self.next_message()
        if self.obeys:
            threading.Timer(0.2, self.report, [device, json.loads(form["Items"])]).start()
        if self.subscription:
            self.subscription.reply(device, message)
        return self._good(Data={"MessageId": message})

    def report(self, device, values):
        """A device reports values."""
        at = now()
        device.values.update({k: (v, at) for k, v in values.items()})
        if self.subscription:
            self.subscription.post(device, values, at)

    def _InvokeThingService(self, form):
        device, message = self._device(form), self.next_message()
        result = {"MessageId": message}
        if form["Identifier"] == "locate":
            result["Result"] = json.dumps({"loud": 1})
        elif self.obeys:
            device.calls.append((form["Identifier"], form["Args"], now()))
            if self.subscription:
                self.subscription.reply(device, message)
        return self._good(Data=result)

    def _QueryDeviceServiceData(self, form):
        found = [{"Identifier": i, "Name": i, "InputData": a, "OutputData": "{}", "Time": str(t)}
                 for i, a, t in self._device(form).calls if i == form["Identifier"]]
        return self._good(Data={"List": {"ServiceInfo": found}, "NextValid": False})

    def _QueryConsumerGroupStatus(self, _form):
        others = [{"ClientId": "other", "ClientIpPort": "192.0.2.1:4711"}]
        return self._good(AccumulationCount=0, ClientConnectionStatusList={
            "ConsumerGroupClientConnectionInfo": others})


def _encoded(text):
    return urllib.parse.quote(text, safe="-_.~")


def _canonical(parameters):
    """Parameters as both versions of the signature have them."""
    return "&".join(f"{_encoded(k)}={_encoded(v)}" for k, v in sorted(parameters.items()))


def _no_such_key():
    return 404, {"Code": "InvalidAccessKeyId.NotFound", "RequestId": "r", "HostId": "h",
                 "Message": "Specified access key is not found."}


def _wrong_signature(signature, text):
    return 400, {"Code": "SignatureDoesNotMatch", "RequestId": "r", "HostId": "h",
                 "Message": f"signature {signature} does not match; string: {text}"}


def _handler(cloud):
    class Handler(BaseHTTPRequestHandler):
        """Answers forms."""

        protocol_version = "HTTP/1.1"

        def do_POST(self):
            """One call."""
            with cloud.lock:
                cloud.concurrent += 1
                cloud.most = max(cloud.most, cloud.concurrent)
            try:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                form = dict(urllib.parse.parse_qsl(body, keep_blank_values=True))
                status, answer = cloud.answer(form, self.path, self.headers)
            finally:
                with cloud.lock:
                    cloud.concurrent -= 1
            if status is None:
                self.close_connection = True
                return
            content = answer.encode() if isinstance(answer, str) else json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_arguments):
            """Nothing."""

    return Handler


class Subscription:
    """The server-side subscription."""

    def __init__(self, cloud, broker):
        self.server = broker(cloud.certificate, cloud.key, self._check)
        self.last = 0

    @property
    def port(self):
        """Where it listens."""
        return self.server.port

    @staticmethod
    def _check(user, password):
        client, parameters, rest = user.split("|")
        fields = dict(part.split("=", 1) for part in parameters.split(","))
        if not client or len(client) > 64 or rest or fields["authMode"] != "aksign":
            return False
        if fields["authId"] != KEY or abs(now() - int(fields["timestamp"])) > 300_000:
            return False
        method = {"hmacsha256": hashlib.sha256, "hmacsha1": hashlib.sha1,
                  "hmacmd5": hashlib.md5}[fields["signMethod"]]
        text = f"authId={fields['authId']}&timestamp={fields['timestamp']}"
        wanted = base64.b64encode(hmac.new(SECRET.encode(), text.encode(), method).digest()).decode()
        return hmac.compare_digest(wanted, password)

    def send(self, topic, body, message_id=None):
        """Sends a message to a client."""
        self.last += 1
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.server.send(topic, data, message_id or f"m{self.last}", now())

    def post(self, device, values, at):
        """A device has posted properties."""
        self.send(f"/{PRODUCT}/{device.name}/thing/event/property/post", {
            "deviceType": "x", "iotId": "i", "requestId": "1", "checkFailedData": {},
            "productKey": PRODUCT, "deviceName": device.name, "gmtCreate": at,
            "items": {k: {"value": v, "time": at} for k, v in values.items()}})

    def reply(self, device, message, code=200, words="success", data=None):
        """A device has answered a message; its id is a number."""
        body = json.dumps({
            "gmtCreate": now(), "iotId": "i", "productKey": PRODUCT, "deviceName": device.name,
            "code": code, "message": words, "topic": "/sys/…", "data": data or {}})
        body = body[:-1] + f', "requestId": {message}}}'
        self.send(f"/{PRODUCT}/{device.name}/thing/downlink/reply/message", body.encode())

    def status(self, device, status, at):
        """A device came or went."""
        utc = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at / 1000))
        self.send(f"/as/mqtt/status/{PRODUCT}/{device.name}", {
            "status": status, "iotId": "i", "productKey": PRODUCT, "deviceName": device.name,
            "utcTime": f"{utc}.{at % 1000:03d}Z", "utcLastTime": f"{utc}.{at % 1000:03d}Z",
            "clientIp": "192.0.2.7"})

    def close(self):
        """Ends it."""
        self.server.close()
