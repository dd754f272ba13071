"""Runs statements, given as a JSON array on standard input, in a ClickHouse within this process. Prints a JSON array with
the rows of each, or its error."""

import json
import sys

from chdb import session

database = session.Session()


def run(statement: str) -> dict[str, object]:
    try:
        rows = str(database.query(statement, "JSONEachRow"))
    except Exception as error:
        return {"error": str(error)}
    return {"rows": [json.loads(row) for row in rows.splitlines()]}


print(json.dumps([run(statement) for statement in json.load(sys.stdin)]))
