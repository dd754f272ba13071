"""Evaluates a robots.txt file with Protego.

Reads {"robots_txt", "agents", "urls"} from stdin. For each agent, prints an array of booleans: whether it may fetch
each URL.
"""

import json
import sys

from protego import Protego

question = json.load(sys.stdin)
robots_txt = Protego.parse(question["robots_txt"])
verdicts = [
    [robots_txt.can_fetch(url, agent) for url in question["urls"]]
    for agent in question["agents"]
]
json.dump(verdicts, sys.stdout)
