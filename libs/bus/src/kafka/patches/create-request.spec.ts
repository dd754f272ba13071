import { jest } from '@jest/globals';
import { createRequire } from 'node:module';
import { createRequest } from './create-request.js';
import { produceRequest } from './produce-request.js';

const require = createRequire(import.meta.url);
const MODULE = 'kafkajs/src/protocol/request';
// Loaded anew, because another test of this process may have replaced it.
delete require.cache[require.resolve(MODULE)];
const theirs = require(MODULE) as typeof createRequest;
const heartbeatRequest = require('kafkajs/src/protocol/requests/heartbeat/v1/request') as (
  fields: object,
) => ReturnType<typeof produceRequest>;

afterEach(() => void jest.restoreAllMocks());

it('writes the bytes that kafkajs writes', async () => {
  const messages = [{ key: 'k', value: 'v'.repeat(2_000), headers: { h: 'i' } }];
  const topicData = [{ topic: 'visits', partitions: [{ partition: 7, messages }] }];
  jest.spyOn(Date, 'now').mockReturnValue(1_790_000_000_123);
  for (const request of [
    produceRequest({ acks: -1, timeout: 1_500, topicData }),
    produceRequest({ acks: -1, timeout: 1_500, topicData, compression: 1 }),
    heartbeatRequest({ groupId: 'group', groupGenerationId: 3, memberId: 'ä' }),
  ]) {
    for (const clientId of ['enrichment', 'ä', '']) {
      const given = { correlationId: 2 ** 31 - 1, clientId, request };
      const { buffer } = await createRequest(given);
      expect(buffer.toString('hex')).toBe((await theirs(given)).buffer.toString('hex'));
    }
  }
});
