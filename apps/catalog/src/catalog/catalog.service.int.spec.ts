import { generateKeyPairSync } from 'node:crypto';
import { jest } from '@jest/globals';
import { pino } from 'pino';
import { InMemoryKeyValueStore, InMemoryPubSub, type KeyValueStore } from '#libs/cache';
import {
  agentId,
  getBundledCatalog,
  compileCatalog,
  readSnapshot,
  readSnapshotRevision,
  writeSnapshot,
  type AgentRecord,
  type DataCenterList,
  type PinnedDirectory,
} from '#libs/catalog';
import { Health } from '#libs/platform';
import { startTestDatabase, type TestDatabase } from '../../../../test/kit/database.js';
import { until } from '../../../../test/kit/instance.js';
import { CatalogRepository } from './catalog.repository.js';
import { CatalogService } from './catalog.service.js';

let database: TestDatabase;
const startedServices: CatalogService[] = [];
beforeEach(async () => {
  database = await startTestDatabase();
});
afterEach(async () => {
  for (const service of startedServices.splice(0)) service.onApplicationShutdown();
  await database.stop();
});

class SharedKeyValue extends InMemoryKeyValueStore {
  override readonly isShared = true;
}

interface ServiceOptions {
  store?: KeyValueStore;
  pinnedDirectories?: PinnedDirectory[];
  dataCenterLists?: DataCenterList[];
  repository?: CatalogRepository;
}

async function startService(options: ServiceOptions = {}) {
  const { store = new SharedKeyValue(), pinnedDirectories = [], dataCenterLists = [], repository } = options;
  const health = new Health();
  const service = new CatalogService(
    repository ?? new CatalogRepository(database.dataSource),
    store,
    new InMemoryPubSub(),
    { PUBLIC_URL: 'http://127.0.0.1:3000', pinnedDirectories, dataCenterLists },
    health,
    pino({ level: 'silent' }),
  );
  startedServices.push(service);
  await service.onModuleInit();
  return { service, health, store };
}

const createPublicKey = (): object => generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });

it('bumps the snapshot revision when only pinned keys change', async () => {
  const url = 'https://chatgpt.com/.well-known/http-message-signatures-directory';
  const store = new SharedKeyValue();
  await startService({ store });
  const first = await readSnapshotRevision(store);
  await startService({ store });
  expect(await readSnapshotRevision(store)).toBe(first);
  const pinned = { url, keys: [createPublicKey()] };
  // Stop the replicas from earlier tests, because they would republish the old keys.
  for (const service of startedServices.splice(0)) service.onApplicationShutdown();
  await startService({ store, pinnedDirectories: [pinned] });
  expect(await readSnapshotRevision(store)).toBe(first! + 1);
  expect((await readSnapshot(store))?.catalog.directories).toEqual([pinned]);
});

it("doesn't publish a snapshot to a store that other processes can't read", async () => {
  const { service, store } = await startService({ store: new InMemoryKeyValueStore() });
  expect(service.current.byToken.has('gptbot')).toBe(true);
  expect(await readSnapshotRevision(store)).toBeNull();
});

it('publishes merged data center ranges, excluding special-purpose ranges and removed lists', async () => {
  const [one, other] = ['https://one.example/', 'https://other.example/'].map((url) => ({ url, format: 'text' }));
  const store = new SharedKeyValue();
  const insert = ({ url }: DataCenterList, ranges: string[]) =>
    database.dataSource.query(
      `INSERT INTO address_lists (url, format, ranges, fetched_at) VALUES ($1, 'text', $2::jsonb, now())`,
      [url, JSON.stringify(ranges)],
    );
  const specialPurposeRanges = ['10.0.0.0/8', '192.0.2.0/24', '2002::/16', '2001:db8::/32', '2001:2::/48'];
  await insert(one!, ['11.1.1.0/24', '11.1.0.0/24', '11.1.0.7/32', ...specialPurposeRanges]);
  await insert(other!, ['11.1.2.0/23', '2600:1::/32']);
  const published = async () => (await readSnapshot(store))!.catalog;
  await startService({ store, dataCenterLists: [one!, other!] });
  expect(await published()).toMatchObject({ dataCenterRanges: ['11.1.0.0/22', '2600:1::/32'], lists: [] });
  for (const service of startedServices.splice(0)) service.onApplicationShutdown();
  await startService({ store, dataCenterLists: [other!] });
  expect((await published()).dataCenterRanges).toEqual(['11.1.2.0/23', '2600:1::/32']);
});

it('matches patterns stored by an earlier release, from both the database and the snapshot', async () => {
  const earlier = { user_agent_patterns: ['(?<!like )Ear(l)ier(?=bot)'], sample_user_agents: ['Earlierbot'] };
  const record: AgentRecord = { ...getBundledCatalog().agents[0]!, ...earlier, token: 'Earlierbot' };
  await database.dataSource.query(`INSERT INTO agents (id, own) VALUES ($1, $2)`, [agentId(record.token), record]);
  const { service, store } = await startService();
  const published = compileCatalog((await readSnapshot(store))!.catalog);
  for (const { matcher } of [service.current, published]) {
    expect(matcher.match('Earlierbot/1.0')).toMatchObject({ agent: { token: 'Earlierbot' }, matchedText: 'Earlier' });
    expect(matcher.match('like Earlierbot')).toBeNull();
  }
});

it('updates the patterns of an edited agent unless its patterns were edited', async () => {
  const [googlebot, feedly] = ['Googlebot', 'Feedly'].map((token) => {
    const { id: _, ...record } = getBundledCatalog().agents.find((agent) => agent.token === token)!;
    return record;
  });
  const { excluded_prefixes: _, ...before } = { ...googlebot!, user_agent_patterns: ['(?<!like )(?<!with )Googlebot'] };
  const edited = { ...feedly!, user_agent_patterns: ['Feedly-Mine'], operator: 'Mine' };
  const insert = (bundled: AgentRecord, own: AgentRecord) =>
    database.dataSource.query(`INSERT INTO agents (id, bundled, own) VALUES ($1, $2, $3)`, [
      agentId(own.token),
      bundled,
      own,
    ]);
  await insert(before, { ...before, operator: 'Mine' });
  await insert({ ...feedly!, user_agent_patterns: ['(?<!~)Feedly'] }, edited);
  await startService();
  const rows = await database.dataSource.query(`SELECT own FROM agents WHERE own IS NOT NULL ORDER BY own ->> 'token'`);
  expect(rows).toEqual([{ own: edited }, { own: { ...googlebot!, operator: 'Mine' } }]);
});

it('records each catalog update that changes agents, but not the initial seeding or a repeated update', async () => {
  const { dataSource } = database;
  const repository = new CatalogRepository(dataSource);
  const [unchangedAgent, changedAgent, removedAgent, addedAgent] = getBundledCatalog().agents as readonly AgentRecord[];
  const updates = () =>
    dataSource.query(`SELECT version, added, changed, removed FROM catalog_updates ORDER BY updated_at`);
  await repository.storeBundled('one', [unchangedAgent!, changedAgent!, removedAgent!]);
  await repository.storeBundled('settings', [unchangedAgent!, changedAgent!, removedAgent!]);
  expect(await updates()).toEqual([]);
  const newer = [unchangedAgent!, { ...changedAgent!, operator: 'Another' }, addedAgent!];
  await repository.storeBundled('two', newer);
  await repository.storeBundled('two', newer);
  expect(await updates()).toEqual([{ version: 'two', added: 1, changed: 1, removed: 1 }]);
  await repository.storeBundled('three', [unchangedAgent!, newer[1]!]);
  expect((await updates()).slice(1)).toEqual([{ version: 'three', added: 0, changed: 0, removed: 1 }]);
});

it('repairs the snapshot after two replicas publish simultaneously', async () => {
  /**
   * Simulates another replica that writes an older snapshot just after this replica has written its snapshot and before
   * it writes the revision.
   */
  class ContendedKeyValue extends SharedKeyValue {
    isContended = true;

    override async set(name: string, value: string, ttl: number): Promise<void> {
      if (name.endsWith('revision') && this.isContended) {
        this.isContended = false;
        await writeSnapshot(this, { revision: 1, catalog: getBundledCatalog() });
      }
      await super.set(name, value, ttl);
    }
  }
  const store = new ContendedKeyValue();
  await startService({ store });
  await until(async () => (await readSnapshot(store))?.revision === 2 && (await readSnapshotRevision(store)) === 2, {
    condition: 'the snapshot and its revision match',
  });
  expect(store.isContended).toBe(false);
});

it('serves the last snapshot, reports a fault and skips overlapping reloads while the database is down', async () => {
  const { store } = await startService();
  const repository = new CatalogRepository(database.dataSource);
  let seedCalls = 0;
  let seedResult = Promise.withResolvers<void>();
  seedResult.resolve();
  repository.storeBundled = async () => {
    seedCalls += 1;
    await seedResult.promise;
    throw new Error('away');
  };
  let runCheck = (): void => undefined;
  const setIntervalSpy = jest.spyOn(globalThis, 'setInterval').mockImplementation((callback) => {
    runCheck = callback;
    return setTimeout(() => undefined);
  });
  const { service, health } = await startService({ store, repository });
  setIntervalSpy.mockRestore();
  expect(service.current.byToken.has('agent traffic test agent')).toBe(true);
  expect(await health.report()).toMatchObject({
    isReady: true,
    faults: { catalog: expect.stringMatching(/could not be read/) },
  });
  seedResult = Promise.withResolvers();
  for (let due = 0; due < 5; due += 1) runCheck();
  await until(() => seedCalls === 2, { condition: 'the next check runs' });
  seedResult.resolve();
  await expect(service.reload()).rejects.toThrow('away');
  expect(seedCalls).toBe(3);
});
