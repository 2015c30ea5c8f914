"""What a device keeps: acks by (controller, id), revision, state, all in one SQLite file."""

import json
import sqlite3


class Journal:
    """One file per device; every method is one transaction."""

    def __init__(self, path):
        self.db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self.db.executescript("""
            PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;
            CREATE TABLE IF NOT EXISTS entry(controller, id, payload, ack, name, stage, lane, made,
                PRIMARY KEY(controller, id));
            CREATE TABLE IF NOT EXISTS kept(name PRIMARY KEY, value);""")

    def find(self, controller, command_id):
        """(payload, latest ack bytes) or None."""
        return self.db.execute("SELECT payload, ack FROM entry WHERE controller=? AND id=?",
                               (controller, command_id)).fetchone()

    def put(self, controller, command_id, payload, ack, name, stage):
        """Stores the latest ack."""
        self.db.execute("""INSERT INTO entry(controller,id,payload,ack,name,stage)
            VALUES(?,?,?,?,?,?) ON CONFLICT(controller,id) DO UPDATE SET ack=excluded.ack,
            stage=excluded.stage""", (controller, command_id, payload, ack, name, stage))

    def count(self, controller):
        """Entries of a controller."""
        return self.db.execute("SELECT count(*) FROM entry WHERE controller=?",
                               (controller,)).fetchone()[0]

    def promises(self, controller):
        """Promises kept for a controller."""
        return self.db.execute("SELECT count(*) FROM entry WHERE controller=? AND stage='promised'",
                               (controller,)).fetchone()[0]

    def open_entries(self):
        """What was accepted and has no final ack."""
        return self.db.execute("SELECT controller,id,payload,ack,name FROM entry "
                               "WHERE stage IN ('accepted','progress')").fetchall()

    def keep(self, name, value):
        """Stores one value."""
        self.db.execute("INSERT INTO kept VALUES(?,?) ON CONFLICT(name) DO UPDATE "
                        "SET value=excluded.value", (name, json.dumps(value)))

    def kept(self, name, default=None):
        """Reads one value."""
        row = self.db.execute("SELECT value FROM kept WHERE name=?", (name,)).fetchone()
        return json.loads(row[0]) if row else default
