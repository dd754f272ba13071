import { newSpoofers } from './new-spoofers.js';

let count = 0;
const createFailedVisits = (agent: string | null, address: string | null, visits = 5) => ({
  id: `visit-${(count += 1)}`,
  agent_id: agent,
  client_address: address,
  visits,
});

it('groups failed verifications by agent, excluding networks that failed as that agent before', () => {
  const visits = [
    createFailedVisits('gptbot', '198.51.102.1'),
    createFailedVisits('gptbot', '203.0.113.1', 6),
    createFailedVisits('gptbot', '2001:db8:1::1'),
    createFailedVisits('gptbot', '203.0.113.200'),
    createFailedVisits('gptbot', '2001:db8:1:2::1'),
    createFailedVisits('claudebot', '198.51.100.9', 4),
    createFailedVisits('claudebot', '198.51.100.77', 5),
    createFailedVisits('claudebot', '192.0.2.1'),
    createFailedVisits('claudebot', null),
  ];
  const earlier = [
    createFailedVisits('claudebot', '192.0.2.77'),
    createFailedVisits('googlebot', '203.0.113.1'),
    createFailedVisits(null, null),
  ];
  expect(newSpoofers(visits, earlier)).toEqual([
    { agentId: 'gptbot', visits: 26, networks: 3, network: '203.0.113.0/24', newest: visits[0]!.id },
    { agentId: 'claudebot', visits: 9, networks: 1, network: '198.51.100.0/24', newest: visits[5]!.id },
  ]);
  expect(newSpoofers(visits, visits)).toEqual([]);
});

it('separates networks that failed as several agents, or most often as one', () => {
  const visits = [
    createFailedVisits('gptbot', '203.0.113.1', 50),
    createFailedVisits('gptbot', '198.51.100.1', 7),
    createFailedVisits('gptbot', '198.51.102.1', 6),
    createFailedVisits('claudebot', '203.0.113.2', 20),
    // Too few to be about the network.
    createFailedVisits('claudebot', '198.51.102.2', 4),
    createFailedVisits('ccbot', '192.0.2.1', 30),
    createFailedVisits('ccbot', '192.0.3.1', 9),
    createFailedVisits('ccbot', '192.0.4.1', 8),
  ];
  expect(newSpoofers(visits, [])).toEqual([
    { agentId: 'gptbot', visits: 50, networks: 1, network: '203.0.113.0/24', newest: visits[0]!.id },
    { agentId: 'ccbot', visits: 30, networks: 1, network: '192.0.2.0/24', newest: visits[5]!.id },
    { agentId: 'claudebot', visits: 20, networks: 1, network: '203.0.113.0/24', newest: visits[3]!.id },
    { agentId: 'ccbot', visits: 17, networks: 2, network: '192.0.3.0/24', newest: visits[6]!.id },
    { agentId: 'gptbot', visits: 13, networks: 2, network: '198.51.100.0/24', newest: visits[1]!.id },
  ]);
});
