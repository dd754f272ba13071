-- Total and verified visits by agent and day.
SELECT
    toDate(occurred_at) AS day,
    agent_token,
    count() AS visits,
    countIf(result = 'verified') AS verified
FROM agent_traffic.visits FINAL
WHERE agent_token IS NOT NULL
GROUP BY day, agent_token
ORDER BY day, visits DESC, agent_token;

-- Networks with the most visits by impersonated agents.
SELECT
    agent_token,
    if(position(client_address, ':') > 0,
        IPv6NumToString(tupleElement(IPv6CIDRToRange(toIPv6(client_address), 48), 1)),
        IPv4NumToString(tupleElement(IPv4CIDRToRange(toIPv4(client_address), 24), 1))) AS network,
    count() AS visits
FROM agent_traffic.visits FINAL
WHERE result = 'verification_failed' AND client_address IS NOT NULL
GROUP BY agent_token, network
ORDER BY visits DESC, agent_token, network
LIMIT 20;
