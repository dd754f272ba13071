import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { spawnProgram } from '../../../../../test/kit/child-program.js';
import { REPLACEMENTS } from './patch-kafkajs.js';

const require = createRequire(import.meta.url);

interface Found {
  /** Modules that use what is replaced, and have been loaded before it was. */
  early: string[];
  replaced: string[];
  /** A request that sends two messages, as hexadecimal digits. */
  request: string;
  /** What is read of them in the answer to a Fetch request. */
  fetched: unknown;
}

/** Bytes of the request before the length of its records, which stand in an answer as they do here. */
const BEFORE_RECORDS = 23;

/** What a process of its own finds, in which kafkajs is as Node.js loads it. */
async function inProcess(isPatched: boolean): Promise<Found> {
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
  return JSON.parse(await text(child.stdout!)) as Found;
}

it('is for the version of kafkajs that is pinned and installed', () => {
  const { dependencies } = require('../../../../../package.json') as { dependencies: Record<string, string> };
  const { version } = require('kafkajs/package.json') as { version: string };
  expect([dependencies['kafkajs'], version]).toEqual(['2.2.4', '2.2.4']);
});

it('comes before kafkajs uses what is replaced, and sends and reads the same', async () => {
  const [plain, patched] = await Promise.all([inProcess(false), inProcess(true)]);
  const fetched = [
    ['0', '1790000000123', 'a', 'b', 'd'],
    ['1', '1790000000123', 'null', 'e', 'undefined'],
  ];
  expect(plain).toMatchObject({ replaced: [], fetched });
  expect(patched).toEqual({ early: [], replaced: Object.keys(REPLACEMENTS), request: plain.request, fetched });
});
