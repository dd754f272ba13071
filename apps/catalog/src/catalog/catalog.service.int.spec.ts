import { generateKeyPairSync } from 'node:crypto';
import { jest } from '@jest/globals';
import { pino } from 'pino';
import { InMemoryKeyValue, InMemoryPubSub, type KeyValue } from '#libs/cache';
import {
  agentId,
  bundledCatalog,
  compileCatalog,
  readSnapshot,
  snapshotRevision,
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
const open: CatalogService[] = [];
beforeEach(async () => {
  database = await startTestDatabase();
});
afterEach(async () => {
  for (const service of open.splice(0)) service.onApplicationShutdown();
  await database.stop();
});

class SharedKeyValue extends InMemoryKeyValue {
  override readonly isShared = true;
}

interface Surroundings {
  store?: KeyValue;
  pinnedDirectories?: PinnedDirectory[];
  dataCenterLists?: DataCenterList[];
  repository?: CatalogRepository;
}

async function started(surroundings: Surroundings = {}) {
  const { store = new SharedKeyValue(), pinnedDirectories = [], dataCenterLists = [], repository } = surroundings;
  const health = new Health();
  const service = new CatalogService(
    repository ?? new CatalogRepository(database.dataSource),
    store,
    new InMemoryPubSub(),
    { PUBLIC_URL: 'http://127.0.0.1:3000', pinnedDirectories, dataCenterLists },
    health,
    pino({ level: 'silent' }),
  );
  open.push(service);
  await service.onModuleInit();
  return { service, health, store };
}

const key = (): object => generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });

it('bumps the snapshot revision when pinned keys change but no agent does', async () => {
  const url = 'https://chatgpt.com/.well-known/http-message-signatures-directory';
  const store = new SharedKeyValue();
  await started({ store });
  const first = await snapshotRevision(store);
  await started({ store });
  expect(await snapshotRevision(store)).toBe(first);
  const pinned = { url, keys: [key()] };
  // Stop the earlier replicas, which would publish the old keys again.
  for (const service of open.splice(0)) service.onApplicationShutdown();
  await started({ store, pinnedDirectories: [pinned] });
  expect(await snapshotRevision(store)).toBe(first! + 1);
  expect((await readSnapshot(store))?.catalog.directories).toEqual([pinned]);
});

it("publishes nothing to a store that other processes can't read", async () => {
  const { service, store } = await started({ store: new InMemoryKeyValue() });
  expect(service.current.byToken.has('gptbot')).toBe(true);
  expect(await snapshotRevision(store)).toBeNull();
});

it('publishes merged data center ranges, without special-purpose ones or removed lists', async () => {
  const [one, other] = ['https://one.example/', 'https://other.example/'].map((url) => ({ url, format: 'text' }));
  const store = new SharedKeyValue();
  const insert = ({ url }: DataCenterList, ranges: string[]) =>
    database.dataSource.query(
      `INSERT INTO address_lists (url, format, ranges, fetched_at) VALUES ($1, 'text', $2::jsonb, now())`,
      [url, JSON.stringify(ranges)],
    );
  const special = ['10.0.0.0/8', '192.0.2.0/24', '2002::/16', '2001:db8::/32', '2001:2::/48'];
  await insert(one!, ['11.1.1.0/24', '11.1.0.0/24', '11.1.0.7/32', ...special]);
  await insert(other!, ['11.1.2.0/23', '2600:1::/32']);
  const published = async () => (await readSnapshot(store))!.catalog;
  await started({ store, dataCenterLists: [one!, other!] });
  expect(await published()).toMatchObject({ dataCenterRanges: ['11.1.0.0/22', '2600:1::/32'], lists: [] });
  for (const service of open.splice(0)) service.onApplicationShutdown();
  await started({ store, dataCenterLists: [other!] });
  expect((await published()).dataCenterRanges).toEqual(['11.1.2.0/23', '2600:1::/32']);
});

it('matches patterns saved by an earlier release, from the database and the snapshot', async () => {
  const earlier = { user_agent_patterns: ['(?<!like )Ear(l)ier(?=bot)'], sample_user_agents: ['Earlierbot'] };
  const record: AgentRecord = { ...bundledCatalog().agents[0]!, ...earlier, token: 'Earlierbot' };
  await database.dataSource.query(`INSERT INTO agents (id, own) VALUES ($1, $2)`, [agentId(record.token), record]);
  const { service, store } = await started();
  const published = compileCatalog((await readSnapshot(store))!.catalog);
  for (const { matcher } of [service.current, published]) {
    expect(matcher.match('Earlierbot/1.0')).toMatchObject({ agent: { token: 'Earlierbot' }, matchedText: 'Earlier' });
    expect(matcher.match('like Earlierbot')).toBeNull();
  }
});

it('updates the patterns of an agent whose other fields were edited, but not edited patterns', async () => {
  const [googlebot, feedly] = ['Googlebot', 'Feedly'].map((token) => {
    const { id: _, ...record } = bundledCatalog().agents.find((agent) => agent.token === token)!;
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
  await started();
  const rows = await database.dataSource.query(`SELECT own FROM agents WHERE own IS NOT NULL ORDER BY own ->> 'token'`);
  expect(rows).toEqual([{ own: edited }, { own: { ...googlebot!, operator: 'Mine' } }]);
});

it('records updates that change agents, except on first start or when repeated', async () => {
  const { dataSource } = database;
  const repository = new CatalogRepository(dataSource);
  const [kept, changed, removed, added] = bundledCatalog().agents as readonly AgentRecord[];
  const updates = () =>
    dataSource.query(`SELECT version, added, changed, removed FROM catalog_updates ORDER BY updated_at`);
  await repository.seed('one', [kept!, changed!, removed!]);
  await repository.seed('settings', [kept!, changed!, removed!]);
  expect(await updates()).toEqual([]);
  const newer = [kept!, { ...changed!, operator: 'Another' }, added!];
  await repository.seed('two', newer);
  await repository.seed('two', newer);
  expect(await updates()).toEqual([{ version: 'two', added: 1, changed: 1, removed: 1 }]);
  await repository.seed('three', [kept!, newer[1]!]);
  expect((await updates()).slice(1)).toEqual([{ version: 'three', added: 0, changed: 0, removed: 1 }]);
});

it('repairs the snapshot after two replicas publish at once', async () => {
  /** Writes another replica's older snapshot between the two writes of the first. */
  class Contended extends SharedKeyValue {
    isContended = true;

    override async set(name: string, value: string, ttl: number): Promise<void> {
      if (name.endsWith('revision') && this.isContended) {
        this.isContended = false;
        await writeSnapshot(this, { revision: 1, catalog: bundledCatalog() });
      }
      await super.set(name, value, ttl);
    }
  }
  const store = new Contended();
  await started({ store });
  await until(async () => (await readSnapshot(store))?.revision === 2 && (await snapshotRevision(store)) === 2, {
    what: 'snapshot and revision belong together',
  });
  expect(store.isContended).toBe(false);
});

it('serves the snapshot, reports a fault and queues no reloads while the database is down', async () => {
  const { store } = await started();
  const repository = new CatalogRepository(database.dataSource);
  let asked = 0;
  let answer = Promise.withResolvers<void>();
  answer.resolve();
  repository.seed = async () => {
    asked += 1;
    await answer.promise;
    throw new Error('away');
  };
  let look = (): void => undefined;
  const ticking = jest.spyOn(globalThis, 'setInterval').mockImplementation((callback) => {
    look = callback;
    return setTimeout(() => undefined);
  });
  const { service, health } = await started({ store, repository });
  ticking.mockRestore();
  expect(service.current.byToken.has('agent traffic test agent')).toBe(true);
  expect(await health.report()).toMatchObject({
    isReady: true,
    faults: { catalog: expect.stringMatching(/not read/) },
  });
  answer = Promise.withResolvers();
  for (let due = 0; due < 5; due += 1) look();
  await until(() => asked === 2, { what: 'it looks again' });
  answer.resolve();
  await expect(service.reload()).rejects.toThrow('away');
  expect(asked).toBe(3);
});
