import { MAX_SAVED_FILTERS } from '#libs/contracts';
import { App, type Json } from '../kit/app.js';
import { Person } from '../kit/person.js';
import { newMember, NOBODY, twoTenants, type Member, type Tenant } from '../kit/tenant.js';

let app: App;
let admin: Person;
let ours: Tenant;
let theirs: Tenant;
let member: Member;
let viewer: Member;

beforeAll(async () => {
  app = await App.start();
  ({ admin, ours, theirs, member, viewer } = await twoTenants(app));
});
afterAll(() => app?.dispose());

const url = (id = ours.id, filterId = ''): string => `/projects/${id}/saved-filters${filterId && `/${filterId}`}`;
const errors = { name: 'GPTBot errors', page: 'visits', search: 'agent=GPTBot&status=4xx' };
const names = async (person: Person, id?: string): Promise<string[]> =>
  (await person.call('GET', url(id))).body.saved_filters.map(({ name }: Json) => name);

it('allows members to save filters and viewers to list them, within the project', async () => {
  const { status, body } = await member.call('POST', url(), errors);
  expect([status, body]).toEqual([
    201,
    { ...errors, id: expect.any(String), created_at: expect.any(String), created_by: 'Person' },
  ]);
  expect((await viewer.call('GET', url())).body.saved_filters).toContainEqual(body);
  expect(await names(theirs.owner, theirs.id)).toEqual(['Kept']);

  for (const [method, path, sent] of [
    ['POST', url(), { ...errors, name: 'Another' }],
    ['PATCH', url(ours.id, body.id), { name: 'Another' }],
    ['DELETE', url(ours.id, body.id), undefined],
  ] as const) {
    expect([method, (await viewer.call(method, path, sent)).status]).toEqual([method, 403]);
    // An owner of another project has no access through that project either.
    const elsewhere = path.replace(ours.id, theirs.id);
    if (method !== 'POST') expect((await theirs.owner.call(method, elsewhere, sent)).status).toBe(404);
    expect((await theirs.owner.call(method, path, sent)).status).toBe(404);
  }
  expect(await names(viewer)).toEqual(['GPTBot errors', 'Kept']);
});

it('requires unique names, ignoring case, and renames and deletes filters', async () => {
  const { id } = (await member.call('POST', url(), { ...errors, name: 'Spoofed' })).body;
  const taken = await member.call('POST', url(), { ...errors, name: 'sPOOFED' });
  expect([taken.status, taken.body.errors]).toEqual([
    409,
    [{ pointer: '/name', detail: 'must not be the name of other saved filters' }],
  ]);
  expect((await member.call('PATCH', url(ours.id, id), { name: 'kept' })).status).toBe(409);
  expect((await member.call('PATCH', url(ours.id, id), { name: 'Caught' })).body).toMatchObject({
    id,
    name: 'Caught',
    search: errors.search,
  });
  // Names are unique only within a project.
  expect((await theirs.owner.call('POST', url(theirs.id), { ...errors, name: 'Caught' })).status).toBe(201);
  expect((await member.call('DELETE', url(ours.id, id))).status).toBe(204);
  expect((await member.call('DELETE', url(ours.id, id))).status).toBe(404);
  expect((await member.call('PATCH', url(ours.id, NOBODY), { name: 'x' })).status).toBe(404);
  expect(await names(member)).not.toContain('Caught');
});

it.each([
  [{ ...errors, page: 'settings' }, '/page'],
  [{ ...errors, search: '' }, '/search'],
  [{ ...errors, search: 'x'.repeat(2_049) }, '/search'],
  [{ ...errors, name: 'a\nb' }, '/name'],
])('rejects an invalid page, search or name: %#', async (body, pointer) => {
  const answer = await member.call('POST', url(), body);
  expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, pointer]);
});

it('limits a project to 100 filters, even for concurrent requests', async () => {
  const { id } = (await app.api('POST', '/projects', { name: 'Full' })).body;
  const save = (n: number) => app.api('POST', url(id), { ...errors, name: `Filter ${n}` });
  const answers = await Promise.all(Array.from({ length: MAX_SAVED_FILTERS + 5 }, (_, n) => save(n)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(MAX_SAVED_FILTERS);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(5);
});

it('clears the creator when the account is removed, and deletes filters with the project', async () => {
  const { id } = (await app.api('POST', '/projects', { name: 'Left' })).body;
  const leaving = await newMember(admin, id, 'owner');
  const saved = (await leaving.call('POST', url(id), errors)).body;
  await admin.call('DELETE', `/users/${leaving.id}`);
  expect((await admin.call('GET', url(id))).body.saved_filters).toEqual([{ ...saved, created_by: null }]);
  await admin.call('DELETE', `/projects/${id}`);
  expect(await app.database.dataSource.query(`SELECT FROM saved_filters WHERE project_id = $1`, [id])).toEqual([]);
});
