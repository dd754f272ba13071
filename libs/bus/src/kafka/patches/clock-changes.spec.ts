import { jest } from '@jest/globals';
import { createRequire } from 'node:module';
import { CONSUMER_GROUP_MODULE, fixHeartbeatsAfterClockChange } from './clock-changes.js';

const require = createRequire(import.meta.url);
// Reloads the module because another test in this process may have patched it.
delete require.cache[require.resolve(CONSUMER_GROUP_MODULE)];
const ConsumerGroup = require(CONSUMER_GROUP_MODULE) as new (options: object) => {
  memberId: string;
  coordinator: object;
  heartbeat(options: { interval: number }): Promise<void>;
};

/** Counts a member's heartbeats after the clock is set back by an hour. The member attempts one every two seconds. */
async function countHeartbeats(durationSeconds: number): Promise<number> {
  const heartbeat = jest.fn<() => Promise<void>>().mockResolvedValue();
  let now = 10_000_000;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  const logger = { namespace: () => ({}) };
  const member = new ConsumerGroup({ retry: {}, logger, instrumentationEmitter: { emit: () => undefined } });
  Object.assign(member, { memberId: 'one', coordinator: { heartbeat } });
  now -= 3_600_000;
  for (let second = 0; second < durationSeconds; second += 2) {
    now += 2_000;
    await member.heartbeat({ interval: 1_500 });
    await member.heartbeat({ interval: 1_500 });
  }
  jest.restoreAllMocks();
  return heartbeat.mock.calls.length;
}

it('fixHeartbeatsAfterClockChange lets kafkajs send heartbeats after the clock is set back', async () => {
  // Reproduces the kafkajs bug. If this fails, the patch is obsolete.
  expect(await countHeartbeats(10)).toBe(0);
  fixHeartbeatsAfterClockChange();
  fixHeartbeatsAfterClockChange();
  expect(await countHeartbeats(10)).toBe(5);
});
