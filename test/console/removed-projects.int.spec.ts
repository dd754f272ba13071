import { CountSumsService } from '../../apps/ingest/src/count-sums.service.js';
import { RemovedProjectsService } from '../../apps/ingest/src/removed-projects.service.js';
import { App, type Json } from '../kit/app.js';
import '../kit/dispose-all.js';
import { until } from '../kit/instance.js';
import { storeVisits } from '../kit/stored-visits.js';
import { readVisits } from '../kit/visit-store.js';

const NOW = Date.parse('2026-11-21T08:31:05Z');
let app: App;
beforeAll(async () => {
  app = await App.start({ clock: () => NOW });
});

const query = (text: string, parameters: unknown[] = []): Promise<Json[]> =>
  app.database.dataSource.query(text, parameters);
/** Returns the tables that still contain the project's rows, except the records of its removal. */
async function findRemainingTables(projectId: string): Promise<string[]> {
  const tables = await query(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'project_id'
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
       AND c.relname NOT IN ('audit_entries', 'removed_projects')`,
  );
  const hasVisits = (await readVisits(app.database.dataSource, projectId)).length > 0;
  const found: string[] = hasVisits ? ['stored visits'] : [];
  for (const { name } of tables) {
    const [{ rows }] = await query(`SELECT count(*)::int AS rows FROM ${name} WHERE project_id = $1`, [projectId]);
    if (rows > 0) found.push(name);
  }
  return found;
}
async function newProject(name: string): Promise<{ id: string; token: string }> {
  const { id } = (await app.api('POST', '/projects', { name })).body;
  const { token } = (await app.api('POST', `/projects/${id}/tokens`, {})).body;
  const visits = Array.from({ length: 3 }, (_, n) => ({ at: '2026-11-19T08:00Z', path: `/${n}`, agent: 'GPTBot' }));
  await storeVisits(app.database.dataSource, id, NOW, visits);
  // Aggregate some days and leave others open.
  await app.nest.get(CountSumsService).rollUpAll(new Date(NOW));
  const checkout = { acp_response_body: { id: 'session', status: 'completed' } };
  await storeVisits(app.database.dataSource, id, NOW, [{ at: '2026-11-20T07:00Z', extra: checkout }]);
  await app.nest.get(CountSumsService).rollUpAll(new Date(NOW - 12 * 3_600_000));
  await storeVisits(app.database.dataSource, id, NOW, [{ at: '2026-11-20T07:00Z' }]);
  return { id, token };
}
const post = (token: string) => app.post('/visits', [], { authorization: `Bearer ${token}` });

describe('DELETE /api/projects/{id}', () => {
  it('deletes the project and its tokens immediately and its visits in the background', async () => {
    const [removed, otherProject] = [await newProject('Removed'), await newProject('Kept')];
    const stored = await findRemainingTables(otherProject.id);
    expect(stored).toEqual(
      expect.arrayContaining(['stored visits', 'visit_counts', 'visit_hour_top_counts', 'checkouts']),
    );
    // Store enough visits to require several DELETE statements.
    for (let batch = 0; batch < 2; batch += 1) {
      const many = Array.from({ length: 4_000 }, (_, n) => ({ at: '2026-11-20T08:00Z', path: `/${n}` }));
      await storeVisits(app.database.dataSource, removed.id, NOW, many);
    }
    const { body: key } = await app.api('POST', '/api-keys', { project_ids: [removed.id, otherProject.id] });
    expect((await post(removed.token)).status).toBe(204);

    const headers = { authorization: `Bearer ${key.key}` };
    expect((await app.send('DELETE', `/api/projects/${removed.id}`, undefined, headers)).status).toBe(403);
    expect((await app.api('DELETE', `/projects/${removed.id}`)).status).toBe(204);

    // The gateway takes a moment to notice the removal.
    while ((await post(removed.token)).status !== 401) continue;
    expect((await app.api('GET', `/projects/${removed.id}`)).status).toBe(404);
    expect((await app.api('DELETE', `/projects/${removed.id}`)).status).toBe(404);
    expect((await app.api('GET', `/projects/${removed.id}/visits/export`)).status).toBe(404);
    const { api_keys: keys } = (await app.api('GET', '/api-keys')).body;
    expect(keys.find(({ id }: Json) => id === key.id).project_ids).toEqual([otherProject.id]);

    const service = app.nest.get(RemovedProjectsService);
    await service.deleteAll();
    expect(await findRemainingTables(removed.id)).toEqual([]);
    expect(await findRemainingTables(otherProject.id)).toEqual(expect.arrayContaining(stored));
    expect((await post(otherProject.token)).status).toBe(204);

    // Visits that were still in flight are deleted later, before the removal record expires.
    await storeVisits(app.database.dataSource, removed.id, NOW, [{ at: '2026-11-21T08:00Z' }]);
    await service.deleteAll();
    expect(await findRemainingTables(removed.id)).toEqual([]);
    expect(await query('SELECT project_id FROM removed_projects')).toEqual([{ project_id: removed.id }]);
    await query(`UPDATE removed_projects SET removed_at = now() - interval '11 minutes'`);
    await service.deleteAll();
    expect(await query('SELECT project_id FROM removed_projects')).toEqual([]);
  });

  it('returns 404 for an unknown project', async () => {
    for (const id of ['x', '00000000-0000-7000-8000-000000000000']) {
      expect((await app.api('DELETE', `/projects/${id}`)).status).toBe(404);
    }
  });
});

describe('project removed during a request', () => {
  const RANGE = { from: '2026-11-01T00:00:00Z', to: '2026-11-21T00:00:00Z' };
  it.each([
    ['robots-versions/refresh', {}],
    ['reidentifications', RANGE],
    ['tokens', {}],
  ])('returns 404 from %s', async (path, body) => {
    const { id } = (await app.api('POST', '/projects', { name: 'Short', host_names: ['short.example'] })).body;
    const removal = app.database.dataSource.createQueryRunner();
    await removal.startTransaction();
    await removal.query(`DELETE FROM projects WHERE id = $1`, [id]);
    // The request still finds the project. Then its insert waits until the deletion is committed.
    const response = app.api('POST', `/projects/${id}/${path}`, body);
    await until(
      async () => (await query(`SELECT FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'`)).length > 0,
      { condition: 'the request is waiting' },
    );
    await removal.commitTransaction();
    await removal.release();
    expect(await response).toMatchObject({ status: 404, body: { detail: "This project doesn't exist." } });
  });
});
