import { CONSOLE_INTERFACE, MAX_ACCESS_TOKENS, MAX_CHART_NOTES, MAX_INVITATIONS } from '#libs/contracts';
import { App } from '../kit/app.js';

/** Access levels without creation limits. The public operation only creates the first account. */
const UNLIMITED = new Set(['administrator', 'public']);

it('declares a limit for every operation that lets members create resources', () => {
  const creating = CONSOLE_INTERFACE.operations.filter(
    ({ status, access }) => status === 201 && !UNLIMITED.has(access),
  );
  expect(creating.length).toBeGreaterThan(12);
  expect(creating.filter(({ limit = 0 }) => !(limit > 0)).map(({ id }) => id)).toEqual([]);
});

describe('project limits', () => {
  let app: App;
  let id: string;
  let path: string;

  beforeAll(async () => {
    app = await App.start();
    ({ id } = (await app.api('POST', '/projects', { name: 'Full' })).body);
    path = `/projects/${id}`;
  });
  afterAll(() => app?.dispose());

  const fill = (statement: string, count: number): Promise<unknown> =>
    app.database.dataSource.query(statement, [id, count]);

  it('limits active access tokens, and deletes the oldest revoked ones', async () => {
    const columns = 'id, project_id, name, hash, encrypted, hint';
    const values = `gen_random_uuid(), $1, 'x', sha256(n::text::bytea), '\\x00', 'xxxx'`;
    await fill(
      `INSERT INTO access_tokens (${columns}) SELECT ${values} FROM generate_series(1, $2::int - 1) n`,
      MAX_ACCESS_TOKENS,
    );
    const last = await app.api('POST', `${path}/tokens`, {});
    expect(last.status).toBe(201);
    const more = await app.api('POST', `${path}/tokens`, {});
    expect([more.status, more.body.detail]).toEqual([
      409,
      `The project already has ${MAX_ACCESS_TOKENS} active access tokens. Revoke one first.`,
    ]);
    await app.api('DELETE', `${path}/tokens/${last.body.id}`);
    expect((await app.api('POST', `${path}/tokens`, {})).status).toBe(201);
    await app.database.dataSource.query(`UPDATE access_tokens SET revoked_at = now() WHERE project_id = $1`, [id]);
    for (let round = 0; round < 3; round += 1) {
      const { body } = await app.api('POST', `${path}/tokens`, {});
      await app.api('DELETE', `${path}/tokens/${body.id}`);
    }
    expect((await app.api('GET', `${path}/tokens`)).body.tokens.length).toBeLessThanOrEqual(MAX_ACCESS_TOKENS + 1);
  });

  it('limits open invitations, not counting expired ones', async () => {
    await fill(
      `INSERT INTO project_invitations (id, project_id, role, hash, expires_at)
       SELECT gen_random_uuid(), $1, 'viewer', sha256(('i' || n)::bytea), now() + interval '1 day' FROM generate_series(1, $2::int) n`,
      MAX_INVITATIONS,
    );
    expect((await app.api('POST', `${path}/invitations`, { role: 'viewer' })).status).toBe(409);
    await app.database.dataSource.query(
      `UPDATE project_invitations SET expires_at = now() - interval '1 second' WHERE project_id = $1`,
      [id],
    );
    expect((await app.api('POST', `${path}/invitations`, { role: 'viewer' })).status).toBe(201);
  });

  it('limits chart notes', async () => {
    await fill(
      `INSERT INTO chart_notes (id, project_id, day, text)
       SELECT gen_random_uuid(), $1, '2026-11-01', 'x' FROM generate_series(1, $2::int) n`,
      MAX_CHART_NOTES,
    );
    expect((await app.api('POST', `${path}/chart-notes`, { day: '2026-11-01', text: 'More' })).status).toBe(409);
  });

  it('enforces project limits for concurrent requests', async () => {
    await app.database.dataSource.query(`DELETE FROM project_invitations WHERE project_id = $1`, [id]);
    await fill(
      `INSERT INTO project_invitations (id, project_id, role, hash, expires_at)
       SELECT gen_random_uuid(), $1, 'viewer', sha256(('j' || n)::bytea), now() + interval '1 day' FROM generate_series(1, $2::int - 1) n`,
      MAX_INVITATIONS,
    );
    const all = await Promise.all(
      Array.from({ length: 8 }, () => app.api('POST', `${path}/invitations`, { role: 'viewer' })),
    );
    expect(all.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
  });
});
