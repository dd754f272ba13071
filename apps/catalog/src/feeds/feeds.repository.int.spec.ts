import { agentId, type AgentRecord } from '#libs/catalog';
import { startTestDatabase, type TestDatabase } from '../../../../test/kit/database.js';
import { until } from '../../../../test/kit/instance.js';
import { FeedsRepository } from './feeds.repository.js';

// Uses the repository without the service, which would claim due feeds itself.
let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

const read = { format: 'agent-traffic', signedAt: null, etag: null, lastModified: null } as const;

it('hands a due feed to one process at a time and discards results of an expired claim', async () => {
  const repository = new FeedsRepository(database.dataSource);
  const feed = { name: 'List', url: 'https://lists.test/', document: null, public_key: null, accepts_all: false };
  const id = (await repository.add(feed, 1))!;
  await repository.keepUnchanged((await repository.takeDue(false))!, 0);
  const taken = await Promise.all(Array.from({ length: 5 }, () => repository.takeDue(true)));
  expect(taken.filter((due) => due !== null)).toHaveLength(1);
  const slow = taken.find((due) => due !== null)!;
  await database.dataSource.query(`UPDATE agent_feeds SET claimed_until = now()`);
  const next = (await repository.takeDue(true))!;
  const verdict = { agentId: id, token: 'Zyxbot', record: null, state: 'refused', reason: 'It is not sound.' } as const;
  expect(await repository.keep(slow, { ...read, verdicts: [verdict] }, 1)).toBe(false);
  expect(await repository.listAgents(id, 'refused', 1)).toEqual([]);
  // A feed requested during a read stays due.
  await repository.request(id);
  await repository.keepUnchanged(next, null);
  expect(await repository.takeDue(false)).not.toBeNull();
});

it('accepts no agents from a feed that is removed at the same time', async () => {
  const repository = new FeedsRepository(database.dataSource);
  const feed = { name: 'Removed', url: 'https://removed.test/', document: null, public_key: null, accepts_all: false };
  const id = (await repository.add(feed, 10))!;
  const record: AgentRecord = {
    token: 'Zyxbot',
    type: 'Fetcher',
    operator: null,
    url: null,
    user_agent_patterns: ['Zyxbot'],
    robots_token: null,
    verification: {},
  };
  const accepting = await database.dataSource.transaction(async (transaction) => {
    await transaction.query(`DELETE FROM agent_feeds WHERE id = $1`, [id]);
    const begun = { accepted: repository.accept(id, [{ agent_id: agentId('Zyxbot'), record }], [], null) };
    begun.accepted.catch(() => undefined);
    await until(async () => (await transaction.query(`SELECT FROM pg_locks WHERE NOT granted`)).length > 0, {
      what: 'it waits for the removal',
    });
    return begun;
  });
  expect(await accepting.accepted).toBe(false);
  expect(await database.dataSource.query(`SELECT FROM agents WHERE id = $1`, [agentId('Zyxbot')])).toEqual([]);
});
