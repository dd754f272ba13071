import { jest } from '@jest/globals';
import { createRequire } from 'node:module';
import { CONSUMER_GROUP, guardHeartbeats } from './set-back-clock.js';

const require = createRequire(import.meta.url);
// Reloads the module, because another test in this process may have patched it.
delete require.cache[require.resolve(CONSUMER_GROUP)];
const ConsumerGroup = require(CONSUMER_GROUP) as new (options: object) => {
  memberId: string;
  coordinator: object;
  heartbeat(options: { interval: number }): Promise<void>;
};

/**
 * Counts the heartbeats of a member that tries to send one every two seconds after the clock is set back by an hour.
 */
async function heartbeatsOf(seconds: number): Promise<number> {
  const heartbeat = jest.fn<() => Promise<void>>().mockResolvedValue();
  let now = 10_000_000;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  const logger = { namespace: () => ({}) };
  const member = new ConsumerGroup({ retry: {}, logger, instrumentationEmitter: { emit: () => undefined } });
  Object.assign(member, { memberId: 'one', coordinator: { heartbeat } });
  now -= 3_600_000;
  for (let second = 0; second < seconds; second += 2) {
    now += 2_000;
    await member.heartbeat({ interval: 1_500 });
    await member.heartbeat({ interval: 1_500 });
  }
  jest.restoreAllMocks();
  return heartbeat.mock.calls.length;
}

it('continues to send heartbeats after the clock is set back', async () => {
  // Reproduces the bug in kafkajs. If this fails, the patch is obsolete.
  expect(await heartbeatsOf(10)).toBe(0);
  guardHeartbeats();
  guardHeartbeats();
  expect(await heartbeatsOf(10)).toBe(5);
});
