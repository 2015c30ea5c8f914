"""A RabbitMQ node with AMQP 1.0 over TLS in the place of the platform's server-side subscription: who may log in is
asked of the stand-in, because each login has a user name of its own."""

import http.server
import os
import shutil
import subprocess
import threading
import urllib.parse

import proton
import proton.utils

from .processes import Child, free_port, scratch

PROGRAM = "/usr/lib/rabbitmq/bin/rabbitmq-server"
"""Debian's script behind the wrapper that wants to become another user."""

QUEUE = "default"
"""The address of the receivers, which is a queue here."""

START = 90
"""Seconds that a node may take to start."""


def is_installed():
    """Whether the broker is there."""
    return os.access(PROGRAM, os.X_OK) and shutil.which("epmd") is not None


class RabbitMQ:
    """A node; `check(user, password)` says who may log in."""

    def __init__(self, certificate, key, check):
        self.check = check
        self.users = []
        """Who has come in, newest last."""
        self.authority = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _authority(self))
        threading.Thread(target=self.authority.serve_forever, daemon=True).start()
        self.port, self.inner, self.mapper, own = (free_port() for _ in range(4))
        folder = scratch()
        asked = f"http://127.0.0.1:{self.authority.server_address[1]}"
        (folder / "enabled_plugins").write_text("[rabbitmq_amqp1_0,rabbitmq_auth_backend_http].\n")
        (folder / "rabbitmq.conf").write_text(f"""
            listeners.tcp.1 = 127.0.0.1:{self.inner}
            listeners.ssl.1 = 127.0.0.1:{self.port}
            ssl_options.certfile = {certificate}
            ssl_options.keyfile = {key}
            auth_mechanisms.1 = PLAIN
            auth_backends.1 = http
            auth_http.http_method = post
            auth_http.user_path = {asked}/user
            auth_http.vhost_path = {asked}/vhost
            auth_http.resource_path = {asked}/resource
            auth_http.topic_path = {asked}/topic
            log.console = true
            """)
        self.environment = {
            "HOME": str(folder), "RABBITMQ_NODENAME": f"interop{self.port}@localhost",
            "RABBITMQ_CONFIG_FILE": str(folder / "rabbitmq"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "enabled_plugins"),
            "RABBITMQ_MNESIA_BASE": str(folder / "mnesia"), "RABBITMQ_LOG_BASE": str(folder / "log"),
            "RABBITMQ_DIST_PORT": str(own), "ERL_EPMD_PORT": str(self.mapper),
            "ERL_CRASH_DUMP": str(folder / "crash")}
        self.node = Child(["sh", "-c", f"exec {PROGRAM} 1>&2"], self.environment)
        self.node.line(r".*Server startup complete.*", START)

    def connection(self):
        """A connection of one who sends, over TCP without TLS."""
        return proton.utils.BlockingConnection(
            f"amqp://sender:sender@127.0.0.1:{self.inner}", allowed_mechs="PLAIN", allow_insecure_mechs=True)

    def is_allowed(self, user, password):
        """Whether a user may come in. The node asks again without a password for who has come in."""
        if password is not None and self.check(user, password):
            self.users.append(user)
        return user in self.users

    def drop(self):
        """Breaks every connection of a client."""
        subprocess.run(["/usr/lib/rabbitmq/bin/rabbitmqctl", "--node", self.environment["RABBITMQ_NODENAME"],
                        "close_all_connections", "test"], env={**os.environ, **self.environment},
                       capture_output=True, check=True)

    def send(self, topic, body, message_id, generated):
        """Sends a message to a client."""
        connection = self.connection()
        connection.create_sender(QUEUE).send(proton.Message(body, inferred=True, properties={
            "topic": topic, "messageId": message_id, "generateTime": proton.ulong(generated)}))
        connection.close()

    def left(self):
        """A message that no client has accepted."""
        connection = self.connection()
        try:
            return connection.create_receiver(QUEUE, credit=1).receive(timeout=2)
        except proton.Timeout:
            return None
        finally:
            connection.close()

    def close(self):
        """Ends the node, and the program that knows its port, which would stay behind."""
        self.node.stop()
        subprocess.run(["epmd", "-port", str(self.mapper), "-kill"], capture_output=True, check=False)
        self.authority.shutdown()
        self.authority.server_close()


def _authority(node):
    class Handler(http.server.BaseHTTPRequestHandler):
        """Says who may do what: the platform's clients everything, after their login."""

        def do_POST(self):
            """One question."""
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            form = dict(urllib.parse.parse_qsl(body, keep_blank_values=True))
            is_allowed = True
            if self.path == "/user" and form["username"] != "sender":
                is_allowed = node.is_allowed(form["username"], form.get("password"))
            answer = b"allow" if is_allowed else b"deny"
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_arguments):
            """Nothing."""

    return Handler
