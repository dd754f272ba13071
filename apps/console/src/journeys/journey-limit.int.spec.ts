import { JourneyVisitsRepository } from '#libs/visit-store';
import type { DataSource } from 'typeorm';
import { App } from '../../../../test/kit/app.js';
import '../../../../test/kit/dispose-all.js';
import { createLatestSnapshot } from '../../../../test/kit/snapshot.js';
import { storeVisits } from '../../../../test/kit/stored-visits.js';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const HOUR_MS = 3_600_000;
const ID = '00000000-0000-0000-0000-000000000000';

let app: App;
let project: string;
beforeAll(async () => {
  app = await App.start({ clock: () => NOW });
  project = (await app.api('POST', '/projects', { name: 'Shop' })).body.id;
  const visits = Array.from({ length: 50 }, (_, index) => ({
    at: new Date(NOW - index * 60_000).toISOString(),
    ...(index % 2 === 0 && { agent: 'ChatGPT-User', type: 'AI Assistant' }),
  }));
  await storeVisits(app.database.dataSource, project, NOW, visits);
});

it.each([
  { side: '<' as const, agents: null },
  { side: '>=' as const, agents: null },
  { side: '<' as const, agents: ['ChatGPT-User'] },
  { side: '>=' as const, agents: ['ChatGPT-User'] },
])('stops reading visits at the limit: %j', async ({ side, agents }) => {
  const nodes: string[] = [];
  const query = (text: string, parameters?: unknown[]) =>
    app.database.dataSource.transaction(async (transaction) => {
      // Sorting a few visits is faster than reading them from an index.
      await transaction.query('SET LOCAL enable_sort = off');
      const plan: unknown = await transaction.query(`EXPLAIN (FORMAT JSON) ${text}`, parameters);
      JSON.stringify(plan, (key, value: unknown) => {
        if (key === 'Node Type') nodes.push(String(value));
        return value;
      });
      return transaction.query(text, parameters);
    });
  const [first, last] = [NOW - HOUR_MS, NOW];
  const { visits } = await app.nest
    .get(JourneyVisitsRepository, { strict: false })
    .read(createLatestSnapshot({ query } as Pick<DataSource, 'query'>), project, {
      start: { side, occurredAt: side === '<' ? last : first, id: ID },
      end: side === '<' ? first : last,
      limit: 10,
      visitors: { agents, types: null, network: null, isUnknown: false },
      signers: [],
    });
  expect(visits.length).toBeGreaterThan(0);
  expect(nodes).toContain('Limit');
  expect(nodes).not.toContain('Sort');
});
