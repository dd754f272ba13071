import { CONSOLE_INTERFACE, getRequiredScope } from '#libs/contracts';
import { App, type Json } from '../kit/app.js';
import { until } from '../kit/instance.js';
import { Person } from '../kit/person.js';
import { createMember, PASSWORD, type Member } from '../kit/tenant.js';

let app: App;
let admin: Person;
let site: string;
let shop: string;

beforeAll(async () => {
  app = await App.start();
  admin = await Person.administrator(app.nest, 'root@example.com', PASSWORD);
  [site, shop] = [await newProject('Site'), await newProject('Shop')];
});
afterAll(() => app?.dispose());

const newProject = async (name: string): Promise<string> => (await app.api('POST', '/projects', { name })).body.id;
const newKey = async (limits: object): Promise<Json> => (await app.api('POST', '/api-keys', limits)).body;
const withKey = (key: string, method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) =>
  app.send(method, `/api${path}`, body, { authorization: `Bearer ${key}` });
const listProjectIds = async (key: string): Promise<string[]> =>
  (await withKey(key, 'GET', '/projects')).body.projects.map(({ id }: Json) => id).toSorted();
const createPersonalKey = (person: Person, limits: object) => person.call('POST', '/account/api-keys', limits);

it('requires the write or admin scope to reveal secrets', () => {
  const reveals = CONSOLE_INTERFACE.operations.filter(
    ({ audit }) => typeof audit === 'object' && audit.change === 'revealed',
  );
  expect(reveals.map((operation) => [operation.id, getRequiredScope(operation)])).toEqual([
    ['revealToken', 'write'],
    ['revealWebhookSecret', 'admin'],
  ]);
});

it('names the missing scope in the error', async () => {
  const { key, scopes } = await newKey({ scopes: ['read', 'admin'], project_ids: [site] });
  expect(scopes).toEqual(['read', 'admin']);
  const { status, body, headers } = await withKey(key, 'PATCH', `/projects/${site}`, { name: 'Taken' });
  expect([status, body.type, body.detail]).toEqual([
    403,
    '/docs/problems#forbidden',
    'This operation requires the "write" scope. This API key only has "read" and "admin".',
  ]);
  expect(headers['www-authenticate']).toBe('Bearer error="insufficient_scope", scope="write"');
  expect((await withKey(key, 'GET', `/projects/${site}`)).body.name).toBe('Site');
});

it('documents the required scope for each operation', async () => {
  const { paths } = JSON.parse((await app.send('GET', '/docs/console.json', undefined, {})).text);
  expect(paths['/api/projects/{id}'].patch).toMatchObject({
    security: [{ bearer: ['write'] }, { cookie: [] }],
    description: expect.stringContaining('API keys require the `write` scope.'),
  });
  expect(paths['/api/account'].get.security).toEqual([{ cookie: [] }]);
});

it('grants all scopes by default, and rejects empty, duplicate, and unknown scopes', async () => {
  expect(await newKey({})).toMatchObject({ scopes: ['read', 'write', 'admin'], project_ids: null });
  for (const scopes of [[], ['read', 'read'], ['everything']]) {
    expect([scopes, (await app.api('POST', '/api-keys', { scopes })).status]).toEqual([scopes, 422]);
  }
});

it('prevents an API key from granting scopes that it lacks', async () => {
  const { key } = await newKey({ scopes: ['admin'] });
  expect((await withKey(key, 'POST', '/api-keys', { scopes: ['admin'] })).status).toBe(201);
  const { status, body } = await withKey(key, 'POST', '/api-keys', { scopes: ['admin', 'read'] });
  expect([status, body.detail]).toEqual([
    403,
    'This API key can\'t grant the "read" scope, because it doesn\'t have it.',
  ]);
  expect((await withKey(key, 'POST', '/api-keys', {})).status).toBe(403);
});

describe('personal API key', () => {
  it('allows a personal API key to access its projects only while its owner can', async () => {
    const person = await createMember(admin, site, 'owner');
    await admin.call('PATCH', `/users/${person.id}`, { is_admin: true });
    const { key, project_ids: limits } = (await createPersonalKey(person, { project_ids: [shop, shop] })).body;
    expect(limits).toEqual([shop]);
    const both = (await createPersonalKey(person, { project_ids: [site, shop] })).body.key;
    expect([await listProjectIds(key), await listProjectIds(both)]).toEqual([[shop], [site, shop].toSorted()]);
    // A key restricted to specific projects can't manage the instance.
    expect((await withKey(both, 'GET', '/users')).status).toBe(403);
    await admin.call('PATCH', `/users/${person.id}`, { is_admin: false });
    expect([await listProjectIds(key), await listProjectIds(both)]).toEqual([[], [site]]);
  });

  it("prevents personal API keys for projects that their owner can't access", async () => {
    const person = await createMember(admin, site, 'viewer');
    for (const ids of [[shop], [site, shop], ['00000000-0000-7000-8000-000000000000']]) {
      const { status, body } = await createPersonalKey(person, { project_ids: ids });
      expect([status, body.errors]).toEqual([
        422,
        [{ pointer: '/project_ids', detail: 'must contain only IDs of projects that you have access to' }],
      ]);
    }
    expect((await person.call('GET', '/account/api-keys')).body.api_keys).toEqual([]);
  });

  it('gives a personal API key no more access than its owner has', async () => {
    const person = await createMember(admin, site, 'viewer');
    const { key } = (await createPersonalKey(person, { scopes: ['read', 'write'] })).body;
    const { status, body } = await withKey(key, 'PATCH', `/projects/${site}`, { name: 'Taken' });
    expect([status, body.detail]).toEqual([403, expect.stringContaining('You have view-only access')]);
  });

  it('revokes a personal API key when its last project is deleted', async () => {
    const [first, second] = [await newProject('First'), await newProject('Second')];
    const person: Member = await createMember(admin, first, 'owner');
    await admin.call('PATCH', `/users/${person.id}`, { is_admin: true });
    const { key, id } = (await createPersonalKey(person, { project_ids: [first, second] })).body;
    await admin.call('DELETE', `/projects/${first}`);
    expect(await listProjectIds(key)).toEqual([second]);
    await admin.call('DELETE', `/projects/${second}`);
    await until(async () => (await withKey(key, 'GET', '/projects')).status === 401, {
      condition: 'the key is rejected',
    });
    const [revokedKey] = (await person.call('GET', '/account/api-keys')).body.api_keys;
    expect(revokedKey).toMatchObject({ id, project_ids: [second], revoked_at: expect.any(String) });
  });
});
