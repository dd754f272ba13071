import { MAX_SAVED_FILTERS } from '#libs/contracts';
import { App, type Json } from '../kit/app.js';
import { Person } from '../kit/person.js';
import { createMember, UNKNOWN_ID, createTwoTenants, type Member, type Tenant } from '../kit/tenant.js';

let app: App;
let admin: Person;
let ours: Tenant;
let theirs: Tenant;
let member: Member;
let viewer: Member;

beforeAll(async () => {
  app = await App.start();
  ({ admin, ours, theirs, member, viewer } = await createTwoTenants(app));
});
afterAll(() => app?.dispose());

const toFiltersPath = (id = ours.id, filterId = ''): string =>
  `/projects/${id}/saved-filters${filterId && `/${filterId}`}`;
const errors = { name: 'GPTBot errors', page: 'visits', search: 'agent=GPTBot&status=4xx' };
const names = async (person: Person, id?: string): Promise<string[]> =>
  (await person.call('GET', toFiltersPath(id))).body.saved_filters.map(({ name }: Json) => name);

it('allows members to save filters and viewers to list them, but only in their own project', async () => {
  const { status, body } = await member.call('POST', toFiltersPath(), errors);
  expect([status, body]).toEqual([
    201,
    { ...errors, id: expect.any(String), created_at: expect.any(String), created_by: 'Person' },
  ]);
  expect((await viewer.call('GET', toFiltersPath())).body.saved_filters).toContainEqual(body);
  expect(await names(theirs.owner, theirs.id)).toEqual(['Kept']);

  for (const [method, path, sent] of [
    ['POST', toFiltersPath(), { ...errors, name: 'Another' }],
    ['PATCH', toFiltersPath(ours.id, body.id), { name: 'Another' }],
    ['DELETE', toFiltersPath(ours.id, body.id), undefined],
  ] as const) {
    expect([method, (await viewer.call(method, path, sent)).status]).toEqual([method, 403]);
    // The owners of other projects can't reach the filter through their own project either.
    const elsewhere = path.replace(ours.id, theirs.id);
    if (method !== 'POST') expect((await theirs.owner.call(method, elsewhere, sent)).status).toBe(404);
    expect((await theirs.owner.call(method, path, sent)).status).toBe(404);
  }
  expect(await names(viewer)).toEqual(['GPTBot errors', 'Kept']);
});

it('requires case-insensitively unique names, and allows renaming and deleting filters', async () => {
  const { id } = (await member.call('POST', toFiltersPath(), { ...errors, name: 'Spoofed' })).body;
  const conflict = await member.call('POST', toFiltersPath(), { ...errors, name: 'sPOOFED' });
  expect([conflict.status, conflict.body.errors]).toEqual([
    409,
    [{ pointer: '/name', detail: 'must not be the name of another saved filter' }],
  ]);
  expect((await member.call('PATCH', toFiltersPath(ours.id, id), { name: 'kept' })).status).toBe(409);
  expect((await member.call('PATCH', toFiltersPath(ours.id, id), { name: 'Caught' })).body).toMatchObject({
    id,
    name: 'Caught',
    search: errors.search,
  });
  // Names only need to be unique within a project.
  expect((await theirs.owner.call('POST', toFiltersPath(theirs.id), { ...errors, name: 'Caught' })).status).toBe(201);
  expect((await member.call('DELETE', toFiltersPath(ours.id, id))).status).toBe(204);
  expect((await member.call('DELETE', toFiltersPath(ours.id, id))).status).toBe(404);
  expect((await member.call('PATCH', toFiltersPath(ours.id, UNKNOWN_ID), { name: 'x' })).status).toBe(404);
  expect(await names(member)).not.toContain('Caught');
});

it.each([
  [{ ...errors, page: 'settings' }, '/page'],
  [{ ...errors, search: '' }, '/search'],
  [{ ...errors, search: 'x'.repeat(2_049) }, '/search'],
  [{ ...errors, name: 'a\nb' }, '/name'],
])('rejects an invalid page, search, or name (case %#)', async (body, pointer) => {
  const response = await member.call('POST', toFiltersPath(), body);
  expect([response.status, response.body.errors[0].pointer]).toEqual([422, pointer]);
});

it('limits a project to 100 filters, even when requests are concurrent', async () => {
  const { id } = (await app.api('POST', '/projects', { name: 'Full' })).body;
  const save = (n: number) => app.api('POST', toFiltersPath(id), { ...errors, name: `Filter ${n}` });
  for (let n = 0; n < MAX_SAVED_FILTERS - 5; n += 1) expect((await save(n)).status).toBe(201);
  const responses = await Promise.all(Array.from({ length: 10 }, (_, n) => save(MAX_SAVED_FILTERS + n)));
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(5);
  expect(responses.filter(({ status }) => status === 409)).toHaveLength(5);
});

it('clears the creator when the account is removed, and deletes filters along with the project', async () => {
  const { id } = (await app.api('POST', '/projects', { name: 'Left' })).body;
  const leaving = await createMember(admin, id, 'owner');
  const saved = (await leaving.call('POST', toFiltersPath(id), errors)).body;
  await admin.call('DELETE', `/users/${leaving.id}`);
  expect((await admin.call('GET', toFiltersPath(id))).body.saved_filters).toEqual([{ ...saved, created_by: null }]);
  await admin.call('DELETE', `/projects/${id}`);
  expect(await app.database.dataSource.query(`SELECT FROM saved_filters WHERE project_id = $1`, [id])).toEqual([]);
});
