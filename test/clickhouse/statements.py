"""Runs SQL statements in an embedded ClickHouse.

Reads a JSON array of statements from stdin. For each statement, prints its rows or its error.
"""

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
