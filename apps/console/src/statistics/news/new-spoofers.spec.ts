import { newSpoofers } from './new-spoofers.js';

let count = 0;
const createFailedVisits = (agent: string | null, address: string | null, visits = 1) => ({
  id: `visit-${(count += 1)}`,
  agent_id: agent,
  client_address: address,
  visits,
});

it('groups failed verifications by agent, excluding networks that failed as that agent before', () => {
  const visits = [
    createFailedVisits('gptbot', '198.51.100.1'),
    createFailedVisits('gptbot', '203.0.113.1', 2),
    createFailedVisits('gptbot', '2001:db8:1::1'),
    createFailedVisits('gptbot', '203.0.113.200'),
    createFailedVisits('gptbot', '2001:db8:1:2::1'),
    createFailedVisits('claudebot', '198.51.100.9'),
    createFailedVisits('claudebot', '192.0.2.1'),
    createFailedVisits('claudebot', null),
  ];
  const earlier = [
    createFailedVisits('claudebot', '192.0.2.77'),
    createFailedVisits('googlebot', '203.0.113.1'),
    createFailedVisits(null, null),
  ];
  expect(newSpoofers(visits, earlier)).toEqual([
    { agentId: 'gptbot', visits: 6, networks: 3, network: '203.0.113.0/24', newest: visits[0]!.id },
    { agentId: 'claudebot', visits: 1, networks: 1, network: '198.51.100.0/24', newest: visits[5]!.id },
  ]);
  expect(newSpoofers(visits, visits)).toEqual([]);
});
