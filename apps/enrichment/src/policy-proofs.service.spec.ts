import { jest } from '@jest/globals';
import { InMemoryKeyValueStore } from '#libs/cache';
import { proofKey } from '#libs/contracts';
import { PolicyProofsService } from './policy-proofs.service.js';

const MARKER = '0123456789abcdef01234567';
const visitOf = (projectId: string, marker: string) => ({
  projectId,
  visit: {
    request_path: `/a?agent-traffic-test=${marker}-0`,
    request_method: 'GET',
    request_headers: { 'User-Agent': 'GPTBot', Accept: '*/*' },
  },
});

it('identifies only visits with a registered marker as the test agent', async () => {
  const store = new InMemoryKeyValueStore();
  await store.set(proofKey('p', MARKER), '1', 60);
  const visits = [visitOf('p', MARKER), visitOf('other', MARKER), visitOf('p', MARKER.replace('0', '1'))];
  const replaced = await new PolicyProofsService(store).replaceUserAgents(visits);
  expect(replaced[0]!.visit.request_headers).toEqual({
    'user-agent': expect.stringContaining('Agent Traffic'),
    Accept: '*/*',
  });
  expect(replaced.slice(1)).toEqual(visits.slice(1));
  expect(visits[0]!.visit.request_headers['User-Agent']).toBe('GPTBot');
});

it('retries once after an error of the store', async () => {
  const store = new InMemoryKeyValueStore();
  jest.spyOn(store, 'get').mockRejectedValueOnce(new Error('down'));
  const visits = [visitOf('p', MARKER)];
  expect(await new PolicyProofsService(store).replaceUserAgents(visits)).toEqual(visits);
});

it('identifies every visit with a marker as the test agent while the store is unavailable', async () => {
  const store = new InMemoryKeyValueStore();
  jest.spyOn(store, 'get').mockRejectedValue(new Error('down'));
  const visits = [
    visitOf('p', MARKER),
    { ...visitOf('p', MARKER), visit: { ...visitOf('p', MARKER).visit, request_path: '/a' } },
  ];
  const [proof, other] = await new PolicyProofsService(store).replaceUserAgents(visits);
  expect(proof!.visit.request_headers).toHaveProperty('user-agent', expect.stringContaining('Agent Traffic'));
  expect(other).toEqual(visits[1]);
});
