import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { spawnProgram } from '../../../../../test/kit/child-program.js';
import { REPLACEMENTS } from './patch-kafkajs.js';

const require = createRequire(import.meta.url);

interface PatchResult {
  /** Modules that loaded a patched module before it was replaced. */
  early: string[];
  replaced: string[];
  /** Request that sends two messages, in hexadecimal. */
  request: string;
  /** Messages decoded from a fetch response with the same records. */
  fetched: unknown;
}

/**
 * Offset in the request at which the length of the records starts. From there on, the response contains the same bytes.
 */
const BEFORE_RECORDS = 23;

/** Runs kafkajs in a separate process, where Node.js rather than Jest loads it. */
async function runInProcess(isPatched: boolean): Promise<PatchResult> {
  const child = spawnProgram(`
    import { createRequire } from 'node:module';
    import { patchKafkajs, REPLACEMENTS } from ${JSON.stringify(join(import.meta.dirname, 'patch-kafkajs.ts'))};
    const require = createRequire(${JSON.stringify(import.meta.url)});
    if (${isPatched}) patchKafkajs();
    const names = Object.keys(REPLACEMENTS);
    const replaced = names.map((name) => require.resolve(name));
    const early = Object.values(require.cache).flatMap(({ id, children }) => {
      return children.some((child) => replaced.includes(child.id)) ? [id] : [];
    });
    require('kafkajs');
    const produce = require('kafkajs/src/protocol/requests/produce').protocol({ version: 7 });
    Date.now = () => 1_790_000_000_123;
    const messages = [{ key: 'a', value: Buffer.from('b'), headers: { c: 'd' } }, { value: 'e' }];
    const topicData = [{ topic: 't', partitions: [{ partition: 0, firstSequence: 0, messages }] }];
    const { buffer } = await produce({ acks: -1, timeout: 1_000, topicData }).request.encode();
    const Encoder = require('kafkajs/src/protocol/encoder');
    const answer = new Encoder().writeInt32(0).writeInt16(0).writeInt32(0).writeInt32(1).writeString('t').writeInt32(1)
      .writeInt32(0).writeInt16(0).writeInt64(2).writeInt64(2).writeInt64(0).writeInt32(0).writeInt32(-1).buffer;
    const fetch = require('kafkajs/src/protocol/requests/fetch').protocol({ version: 11 });
    const { response } = await fetch({ maxWaitTime: 1, topics: [] });
    const { responses } = await response.decode(Buffer.concat([answer, buffer.subarray(${BEFORE_RECORDS})]));
    const fetched = responses[0].partitions[0].messages.map(({ offset, timestamp, key, value, headers }) => {
      return [offset, timestamp, String(key), String(value), String(headers.c)];
    });
    const kept = names.filter((name) => require(name) === REPLACEMENTS[name]);
    console.log(JSON.stringify({ early, replaced: kept, request: buffer.toString('hex'), fetched }));`);
  child.stdin!.end();
  return JSON.parse(await text(child.stdout!)) as PatchResult;
}

it('patchKafkajs targets the pinned and installed kafkajs version', () => {
  const { dependencies } = require('../../../../../package.json') as { dependencies: Record<string, string> };
  const { version } = require('kafkajs/package.json') as { version: string };
  expect([dependencies['kafkajs'], version]).toEqual(['2.2.4', '2.2.4']);
});

it('patchKafkajs patches kafkajs before use without changing messages', async () => {
  const [plain, patched] = await Promise.all([runInProcess(false), runInProcess(true)]);
  const fetched = [
    ['0', '1790000000123', 'a', 'b', 'd'],
    ['1', '1790000000123', 'null', 'e', 'undefined'],
  ];
  expect(plain).toMatchObject({ replaced: [], fetched });
  expect(patched).toEqual({ early: [], replaced: Object.keys(REPLACEMENTS), request: plain.request, fetched });
});
