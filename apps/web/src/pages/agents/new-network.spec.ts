import type { VisitingAgent } from '../../api/statistics.js';
import { describeNewNetwork } from './new-network.js';

const [NETWORK, OTHER] = ['203.0.113.0/24', '192.0.2.0/24'];

const describeRise = (previous: number, rows: [network: string, result: string][], isSampled = false) =>
  describeNewNetwork({
    change_causes: [{ dimension: 'network', value: NETWORK, visits: 1_220, previous_visits: previous }],
    addresses: rows.map(([network, result]) => ({ network, result })),
    is_sampled: isSampled,
  } as unknown as VisitingAgent);

const FAILED: [string, string] = [NETWORK, 'verification_failed'];

it('describes a new network whose visits all have the same result', () => {
  expect(describeRise(0, [FAILED, [OTHER, 'verified']])).toBe(
    '1,220 came from 203.0.113.0/24, and all of those failed verification',
  );
  expect(describeRise(0, [[NETWORK, 'not_verifiable']])).toBe(
    '1,220 came from 203.0.113.0/24, and none of those could be verified',
  );
});

it('returns null if the network is older, if other visits came from it, or if addresses are missing', () => {
  expect(describeRise(3, [FAILED])).toBeNull();
  expect(describeRise(0, [FAILED, [NETWORK, 'verified']])).toBeNull();
  expect(describeRise(0, [[OTHER, 'verified']])).toBeNull();
  expect(describeRise(0, [[NETWORK, 'verified']])).toBeNull();
  expect(describeRise(0, [FAILED], true)).toBeNull();
});
