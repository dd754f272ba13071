import { MAX_CHART_NOTES } from '#libs/contracts';
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

const toNotesPath = (id = ours.id, noteId = ''): string => `/projects/${id}/chart-notes${noteId && `/${noteId}`}`;
const launch = { day: '2026-03-10', text: 'New shop launched' };
const inRange = async (person: Person, from: string, to: string, id?: string): Promise<Json> =>
  (await person.call('GET', `${toNotesPath(id)}?from=${from}&to=${to}`)).body;

it('allows members to write notes and viewers to read them, but only in their own project', async () => {
  const { status, body } = await member.call('POST', toNotesPath(), launch);
  expect([status, body]).toEqual([
    201,
    { ...launch, id: expect.any(String), created_at: expect.any(String), created_by: 'Person' },
  ]);
  const read = await inRange(viewer, '2026-03-10T00:00:00Z', '2026-03-11T00:00:00Z');
  expect(read).toEqual({ notes: [body], rules_versions: [], catalog_updates: [] });
  expect((await inRange(theirs.owner, '2026-03-10T00:00:00Z', '2026-03-11T00:00:00Z', theirs.id)).notes).toEqual([]);
  for (const [method, path, sent] of [
    ['POST', toNotesPath(), launch],
    ['PATCH', toNotesPath(ours.id, body.id), { text: 'Another' }],
    ['DELETE', toNotesPath(ours.id, body.id), undefined],
  ] as const) {
    expect([method, (await viewer.call(method, path, sent)).status]).toEqual([method, 403]);
    // The owners of other projects can't reach the note through their own project either.
    const elsewhere = path.replace(ours.id, theirs.id);
    if (method !== 'POST') expect((await theirs.owner.call(method, elsewhere, sent)).status).toBe(404);
    expect((await theirs.owner.call(method, path, sent)).status).toBe(404);
  }
  expect(await inRange(viewer, '2026-03-10T00:00:00Z', '2026-03-11T00:00:00Z')).toEqual(read);
});

it("changes a note's day or text and deletes the note", async () => {
  const { body: note } = await member.call('POST', toNotesPath(), { day: '2026-04-01', text: 'Prank' });
  const change = async (to: object) => (await member.call('PATCH', toNotesPath(ours.id, note.id), to)).body;
  expect(await change({ text: 'Campaign' })).toEqual({ ...note, text: 'Campaign' });
  expect(await change({ day: '2026-04-02' })).toEqual({ ...note, day: '2026-04-02', text: 'Campaign' });
  expect((await member.call('PATCH', toNotesPath(ours.id, UNKNOWN_ID), { text: 'x' })).status).toBe(404);
  expect((await member.call('DELETE', toNotesPath(ours.id, note.id))).status).toBe(204);
  expect((await member.call('DELETE', toNotesPath(ours.id, note.id))).status).toBe(404);
});

it("interprets days in the project's time zone", async () => {
  const { id } = (await app.api('POST', '/projects', { name: 'Tokyo', time_zone: 'Asia/Tokyo' })).body;
  await app.api('POST', toNotesPath(id), { day: '2026-05-02', text: 'Second' });
  const notes = async (from: string, to: string) =>
    (await inRange(admin, from, to, id)).notes.map(({ text }: Json) => text);
  expect(await notes('2026-05-01T00:00:00Z', '2026-05-01T15:00:00Z')).toEqual([]);
  expect(await notes('2026-05-01T00:00:00Z', '2026-05-01T15:15:00Z')).toEqual(['Second']);
  expect(await notes('2026-05-02T14:45:00Z', '2026-05-02T15:00:00Z')).toEqual(['Second']);
  expect(await notes('2026-05-02T15:00:00Z', '2026-05-03T00:00:00Z')).toEqual([]);
});

it('lists saved rules and catalog updates along with notes', async () => {
  await app.database.dataSource.query(`INSERT INTO catalog_updates VALUES ('abc', '2026-06-01T12:00:00Z', 1, 2, 3)`);
  const rules = { agent_types: ['Scraper'], format: 'text' };
  const { body: version } = await member.call('POST', `/projects/${ours.id}/rules-versions`, rules);
  const end = new Date(Date.now() + 60_000).toISOString();
  const start = new Date(Date.parse(version.saved_at) - 1).toISOString();
  expect((await inRange(viewer, start, end)).rules_versions).toContainEqual({
    id: version.id,
    saved_at: version.saved_at,
    saved_by: 'Person',
  });
  expect((await inRange(viewer, '2026-06-01T12:00:00Z', '2026-06-01T12:15:00Z')).catalog_updates).toEqual([
    { version: 'abc', updated_at: '2026-06-01T12:00:00.000Z', added: 1, changed: 2, removed: 3 },
  ]);
  expect((await inRange(viewer, '2026-06-01T11:45:00Z', '2026-06-01T12:00:00Z')).catalog_updates).toEqual([]);
});

it.each([
  [{ ...launch, day: '2026-02-30' }, '/day'],
  [{ ...launch, day: '1899-12-31' }, '/day'],
  [{ ...launch, day: '2026-03-10T00:00:00Z' }, '/day'],
  [{ ...launch, text: ' ' }, '/text'],
  [{ ...launch, text: 'a\nb' }, '/text'],
  [{ ...launch, text: 'x'.repeat(201) }, '/text'],
])('requires a valid day and single-line text (case %#)', async (body, pointer) => {
  const response = await member.call('POST', toNotesPath(), body);
  expect([response.status, response.body.errors[0].pointer]).toEqual([422, pointer]);
});

it('limits a project to 1,000 notes, even when requests are concurrent', async () => {
  const { id } = (await app.api('POST', '/projects', { name: 'Full' })).body;
  await app.database.dataSource.query(
    `INSERT INTO chart_notes (id, project_id, day, text)
     SELECT gen_random_uuid(), $1, '2026-01-01', 'x' FROM generate_series(1, $2)`,
    [id, MAX_CHART_NOTES - 2],
  );
  const responses = await Promise.all(Array.from({ length: 5 }, () => app.api('POST', toNotesPath(id), launch)));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409, 409]);
});

it("removes the author's name along with the account, and notes along with the project", async () => {
  const { id } = (await app.api('POST', '/projects', { name: 'Left' })).body;
  const leaving = await createMember(admin, id, 'owner');
  const note = (await leaving.call('POST', toNotesPath(id), launch)).body;
  await admin.call('DELETE', `/users/${leaving.id}`);
  expect((await inRange(admin, '2026-03-10', '2026-03-11', id)).notes).toEqual([{ ...note, created_by: null }]);
  await admin.call('DELETE', `/projects/${id}`);
  expect(await app.database.dataSource.query(`SELECT FROM chart_notes WHERE project_id = $1`, [id])).toEqual([]);
});
