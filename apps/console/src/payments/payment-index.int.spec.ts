import { jest } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { READ_DATA_SOURCE } from '#libs/database';
import { App, type Json } from '../../../../test/kit/app.js';
import '../../../../test/kit/dispose-all.js';
import { insertVisits, storeVisits } from '../../../../test/kit/stored-visits.js';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const GPTBOT = { agent: 'GPTBot', type: 'AI Data Scraper', operator: 'OpenAI' };
const minutesAgo = (minutes: number): string => new Date(NOW - minutes * 60_000).toISOString();

let app: App;
beforeAll(async () => {
  app = await App.start({ clock: () => NOW });
});
afterEach(() => jest.restoreAllMocks());

it.each([{ toll_hosts: [] }, { toll_hosts: ['tolls.example'] }])(
  'reads only visits that can be payments: %j',
  async (settings) => {
    const { id } = (await app.api('POST', '/projects', { name: 'Shop', ...settings })).body;
    const redirect = { response_headers: { location: 'https://tolls.example/a' } };
    await storeVisits(app.database.dataSource, id, NOW, [
      { ...GPTBOT, at: minutesAgo(1), status: 402 },
      ...(settings.toll_hosts.length > 0 ? [{ ...GPTBOT, at: minutesAgo(2), status: 302, extra: redirect }] : []),
    ]);
    const others = Array.from({ length: 3_000 }, (_, index) => ({ ...GPTBOT, at: minutesAgo(index % 1_000) }));
    await insertVisits(app.database.dataSource, id, NOW, others);
    await app.database.dataSource.query('ANALYZE visits, unknown_visits');
    const dataSource = app.nest.get<DataSource>(READ_DATA_SOURCE);
    const logQuerySpy = jest.spyOn(dataSource.logger, 'logQuery');
    const { body } = await app.api('GET', `/projects/${id}/payments?from=${minutesAgo(1_440)}&to=${minutesAgo(0)}`);
    expect(body.total).toMatchObject({ asked: settings.toll_hosts.length + 1 });
    const [text, parameters] = logQuerySpy.mock.calls.find(([text]) => text.includes('FROM visits_full'))!;
    const [row] = (await dataSource.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, parameters as unknown[])) as Json[];
    const skipped: unknown[] = [];
    JSON.stringify(row['QUERY PLAN'], (key, value: unknown) => {
      if (key === 'Rows Removed by Filter' && value !== 0) skipped.push(value);
      return value;
    });
    expect(skipped).toEqual([]);
  },
);
