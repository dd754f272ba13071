import { agentId, type AgentRecord } from '#libs/catalog';
import { startTestDatabase, type TestDatabase } from '../../../../test/kit/database.js';
import { until } from '../../../../test/kit/instance.js';
import { FeedsRepository } from './feeds.repository.js';

// The service isn't started because it would claim due feeds itself.
let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

const readResult = { format: 'agent-traffic', signedAt: null, etag: null, lastModified: null } as const;

it('lets only one process claim a due feed, and discards results from an expired claim', async () => {
  const repository = new FeedsRepository(database.dataSource);
  const feed = { name: 'List', url: 'https://lists.test/', document: null, public_key: null, accepts_all: false };
  const id = (await repository.add(feed, 1))!;
  await repository.recordUnchanged((await repository.claimDue(false))!, 0);
  const claims = await Promise.all(Array.from({ length: 5 }, () => repository.claimDue(true)));
  expect(claims.filter((due) => due !== null)).toHaveLength(1);
  const expiredClaim = claims.find((due) => due !== null)!;
  await database.dataSource.query(`UPDATE agent_feeds SET claimed_until = now()`);
  const newClaim = (await repository.claimDue(true))!;
  const verdict = { agentId: id, token: 'Zyxbot', record: null, state: 'refused', reason: 'It is not sound.' } as const;
  expect(await repository.storeRead(expiredClaim, { ...readResult, verdicts: [verdict] }, 1)).toBe(false);
  expect(await repository.listAgents(id, 'refused', 1)).toEqual([]);
  // A request during a read keeps the feed due.
  await repository.requestRefresh(id);
  await repository.recordUnchanged(newClaim, null);
  expect(await repository.claimDue(false)).not.toBeNull();
});

it('accepts no agents from a feed that is being removed', async () => {
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
    const pending = { accepted: repository.accept(id, [{ agent_id: agentId('Zyxbot'), record }], [], null) };
    pending.accepted.catch(() => undefined);
    await until(async () => (await transaction.query(`SELECT FROM pg_locks WHERE NOT granted`)).length > 0, {
      condition: 'accepting waits for the removal',
    });
    return pending;
  });
  expect(await accepting.accepted).toBe(false);
  expect(await database.dataSource.query(`SELECT FROM agents WHERE id = $1`, [agentId('Zyxbot')])).toEqual([]);
});
