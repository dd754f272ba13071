"""Which agents may fetch which URLs: {"robots_txt", "agents", "urls"} on standard input, a list for each agent out."""
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
