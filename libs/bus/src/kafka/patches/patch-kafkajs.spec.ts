import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { spawnProgram } from '../../../../../test/kit/child-program.js';
import { REPLACEMENTS } from './patch-kafkajs.js';

const require = createRequire(import.meta.url);

interface Found {
  /** Modules to be replaced that kafkajs loaded already when a client was made. */
  loaded: string[];
  replaced: string[];
  /** A request that sends two messages, as hexadecimal digits. */
  request: string;
}

/** What a process of its own finds, in which kafkajs is as Node.js loads it. */
async function inProcess(isPatched: boolean): Promise<Found> {
  const child = spawnProgram(`
    import { createRequire } from 'node:module';
    import { patchKafkajs, REPLACEMENTS } from ${JSON.stringify(join(import.meta.dirname, 'patch-kafkajs.ts'))};
    const require = createRequire(${JSON.stringify(import.meta.url)});
    const { Kafka } = require('kafkajs');
    const kafka = new Kafka({ brokers: ['127.0.0.1:9'] });
    kafka.producer({ createPartitioner: () => () => 0 });
    kafka.consumer({ groupId: 'one' });
    const names = Object.keys(REPLACEMENTS);
    const loaded = names.filter((name) => require.resolve(name) in require.cache);
    if (${isPatched}) patchKafkajs();
    const produce = require('kafkajs/src/protocol/requests/produce').protocol({ version: 7 });
    Date.now = () => 1_790_000_000_123;
    const messages = [{ key: 'a', value: Buffer.from('b'), headers: { c: 'd' } }, { value: 'e' }];
    const topicData = [{ topic: 't', partitions: [{ partition: 0, firstSequence: 0, messages }] }];
    const { buffer } = await produce({ acks: -1, timeout: 1_000, topicData }).request.encode();
    const replaced = names.filter((name) => require(name) === REPLACEMENTS[name]);
    console.log(JSON.stringify({ loaded, replaced, request: buffer.toString('hex') }));`);
  child.stdin!.end();
  return JSON.parse(await text(child.stdout!)) as Found;
}

it('is for the version of kafkajs that is pinned and installed', () => {
  const { dependencies } = require('../../../../../package.json') as { dependencies: Record<string, string> };
  const { version } = require('kafkajs/package.json') as { version: string };
  expect([dependencies['kafkajs'], version]).toEqual(['2.2.4', '2.2.4']);
});

it('comes before kafkajs uses what is replaced, and sends the same bytes', async () => {
  const [plain, patched] = await Promise.all([inProcess(false), inProcess(true)]);
  expect(plain).toMatchObject({ loaded: [], replaced: [] });
  expect(patched).toEqual({ loaded: [], replaced: Object.keys(REPLACEMENTS), request: plain.request });
});
