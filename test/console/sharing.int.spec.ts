import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_SHARED_LINKS } from '#libs/contracts';
import { App, type Json } from '../kit/app.js';
import { temporaryFolder, until } from '../kit/instance.js';
import { Person } from '../kit/person.js';
import { newTenant, NOBODY, PASSWORD, twoTenants, type Member, type Tenant } from '../kit/tenant.js';

const HTML = { accept: 'text/html' };

let app: App;
let admin: Person;
let ours: Tenant;
let theirs: Tenant;
let member: Member;

beforeAll(async () => {
  const webRoot = await temporaryFolder();
  await mkdir(join(webRoot, 'assets'));
  await writeFile(join(webRoot, 'index.html'), '');
  app = await App.start({ webRoot });
  ({ admin, ours, theirs, member } = await twoTenants(app));
});
afterAll(() => app?.dispose());

const url = (id = ours.id, linkId = ''): string => `/projects/${id}/shared-links${linkId && `/${linkId}`}`;
const make = async (body: object): Promise<Json> =>
  (await ours.owner.call('POST', url(), { name: 'For a client', ...body })).body;
const secretOf = ({ url: address }: Json): string => address.split('/').at(-1);
/** Sends a request without a session. */
const get = (path: string, headers: Record<string, string> = {}) => app.nest.inject({ url: path, headers });
const badgeOf = (secret: string): string =>
  `/api/shared-badges/${createHash('sha256').update(secret).digest('base64url')}`;
const overview = (secret: string, headers?: Record<string, string>) => get(`/api/shared/${secret}/overview`, headers);

function* keysAndValues(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return void (yield String(value));
  for (const [key, inner] of Object.entries(value)) {
    yield key;
    yield* keysAndValues(inner);
  }
}

it('shows the project overview without addresses, headers, visits or IDs', async () => {
  const visit = {
    request_path: '/secret-of-Ours',
    request_method: 'GET',
    request_headers: { 'user-agent': 'GPTBot/1.2', 'x-marked': 'header-of-a-visit', referer: 'https://from.example/' },
    client_address: '203.0.113.77',
    response_status: 200,
  };
  await app.post('/visits', [visit], { authorization: `Bearer ${ours.tokenValue}` });
  const { body: link } = await ours.owner.call('POST', url(), { name: 'For a client' });
  expect(link.url).toMatch(/\/shared\/agl_\w{38}$/);
  const answer = await overview(secretOf(link));
  expect([answer.statusCode, answer.headers['x-robots-tag'], answer.headers['cache-control']]).toEqual([
    200,
    'noindex',
    'no-store',
  ]);
  const body = answer.json();
  expect(body.project_name).toBe('Ours');
  expect(Object.keys(body).toSorted()).toEqual(['overview', 'project_name']);
  const texts = [...keysAndValues(body)];
  expect(texts).toContain('/secret-of-Ours');
  const hidden = /address|header|user.?agent|203\.0\.113|marked|from\.example|Mozilla|GPTBot\/|token_?id|visit_id/i;
  expect(texts.filter((text) => hidden.test(text))).toEqual([]);
  for (const id of [ours.id, ours.visitId, ours.tokenId, theirs.id]) expect(texts).not.toContain(id);
  expect(texts.filter((text) => text.includes('Theirs'))).toEqual([]);
});

it('grants no access to other projects or as a credential', async () => {
  const { secret } = ours;
  for (const headers of [{ authorization: `Bearer ${secret}` }, { cookie: `agent_traffic_session=${secret}` }]) {
    for (const id of [ours.id, theirs.id]) {
      for (const path of ['', '/overview', '/visits', '/shared-links']) {
        expect((await get(`/api/projects/${id}${path}`, headers as never)).statusCode).toBe(401);
      }
    }
  }
  // Query parameters can't select another project or time range.
  const asked = await get(`/api/shared/${secret}/overview?id=${theirs.id}`);
  expect(asked.statusCode).toBe(422);
  expect((await get(`/api/shared/${secret}/overview?from=2020-01-01T00:00:00Z`)).statusCode).toBe(422);
  expect((await overview(theirs.secret)).json().project_name).toBe('Theirs');
  expect((await overview(ours.linkId)).statusCode).toBe(404);
  const [row] = await app.database.dataSource.query(`SELECT * FROM shared_links WHERE id = $1`, [ours.linkId]);
  expect(JSON.stringify(row)).not.toContain(secret);
});

it('can be created and revoked only by project owners, effective immediately', async () => {
  const link = await make({});
  const secret = secretOf(link);
  for (const person of [member, theirs.owner]) {
    const refused = person === member ? 403 : 404;
    expect((await person.call('POST', url(), { name: 'Mine' })).status).toBe(refused);
    expect((await person.call('DELETE', url(ours.id, link.id))).status).toBe(refused);
  }
  expect((await theirs.owner.call('DELETE', url(theirs.id, link.id))).status).toBe(404);
  expect((await overview(secret)).statusCode).toBe(200);
  expect((await ours.owner.call('DELETE', url(ours.id, link.id))).status).toBe(204);
  for (const path of [`/api/shared/${secret}/overview`, badgeOf(secret)]) {
    const { statusCode, body } = await get(path);
    expect([statusCode, body.includes('Ours')]).toEqual([404, false]);
  }
  expect((await ours.owner.call('DELETE', url(ours.id, NOBODY))).status).toBe(404);
});

it('ends when it expires or the project is removed', async () => {
  const link = await make({ expires_in_days: 1 });
  expect(Date.parse(link.expires_at) - Date.parse(link.created_at)).toBe(86_400_000);
  await app.database.dataSource.query(`UPDATE shared_links SET expires_at = now() WHERE id = $1`, [link.id]);
  expect((await overview(secretOf(link))).statusCode).toBe(404);
  expect((await get(badgeOf(secretOf(link)))).statusCode).toBe(404);
  const gone = await newTenant(app, admin, 'Gone');
  await admin.call('DELETE', `/projects/${gone.id}`);
  expect((await overview(gone.secret)).statusCode).toBe(404);
});

it('is listed with its creator and last opening, but without its secret', async () => {
  const link = await make({ expires_in_days: 7 });
  await overview(secretOf(link));
  const listed = await until(
    async () => {
      const { body } = await member.call('GET', url());
      const found = body.shared_links.find(({ id }: Json) => id === link.id);
      return found.last_opened_at !== null && { found, text: JSON.stringify(body) };
    },
    { what: 'the opening is recorded' },
  );
  expect(listed.found).toEqual({
    id: link.id,
    name: 'For a client',
    has_password: false,
    created_at: link.created_at,
    created_by: ours.owner.email,
    expires_at: link.expires_at,
    last_opened_at: expect.any(String),
  });
  expect(listed.text).not.toContain('agl_');
});

it('has a badge URL that does not reveal the link', async () => {
  const link = await make({});
  const badge = new URL(link.badge_url).pathname;
  expect(badge).toBe(badgeOf(secretOf(link)));
  expect((await get(badge)).statusCode).toBe(200);
  expect((await overview(badge.split('/').at(-1)!)).statusCode).toBe(404);
  expect((await get(`/api/shared-badges/${secretOf(link)}`)).statusCode).toBe(404);
});

describe('with a password', () => {
  const open = (secret: string, password: string, address = '198.51.100.7') =>
    app.nest.inject({
      method: 'POST',
      url: `/api/shared/${secret}/pass`,
      headers: { 'x-forwarded-for': address },
      payload: { password },
    });

  it('requires a pass, which is issued for the password and valid for this link only', async () => {
    const secret = secretOf(await make({ password: PASSWORD }));
    const other = secretOf(await make({ password: PASSWORD }));
    for (const path of [`/api/shared/${secret}/overview`, badgeOf(secret)]) {
      const { statusCode, body } = await get(path);
      expect([path, statusCode, body.includes('Ours')]).toEqual([path, 401, false]);
    }
    const wrong = await open(secret, 'not the password');
    expect([wrong.statusCode, wrong.json().detail]).toEqual([422, 'The password is wrong.']);
    const { pass } = (await open(secret, PASSWORD)).json();
    expect((await overview(secret, { 'x-shared-pass': pass })).statusCode).toBe(200);
    expect((await overview(other, { 'x-shared-pass': pass })).statusCode).toBe(401);
    expect((await overview(secret, { 'x-shared-pass': `9${pass}` })).statusCode).toBe(401);
    const [row] = await app.database.dataSource.query(
      `SELECT password FROM shared_links WHERE password IS NOT NULL LIMIT 1`,
    );
    expect(row.password).not.toContain(PASSWORD);
    expect((await open(ours.secret, PASSWORD)).statusCode).toBe(409);
    expect((await open('agl_nothing', PASSWORD)).statusCode).toBe(404);
  });

  it('limits password guesses across networks', async () => {
    const secret = secretOf(await make({ password: PASSWORD }));
    const statuses: number[] = [];
    for (let n = 0; n < 12; n += 1) statuses.push((await open(secret, 'a guess', `198.51.${n + 1}.1`)).statusCode);
    expect([statuses.slice(0, 10), statuses.at(-1)]).toEqual([Array(10).fill(422), 429]);
    const late = await open(secret, PASSWORD, '198.51.99.1');
    expect([late.statusCode, Number(late.headers['retry-after']) > 0]).toEqual([429, true]);
  });

  it('rejects a weak password', async () => {
    const { status, body } = await ours.owner.call('POST', url(), { name: 'Weak', password: 'password1234' });
    expect([status, body.errors[0].pointer]).toEqual([422, '/password']);
  });
});

it('has a badge with the exact count of the month, cacheable and embeddable', async () => {
  const counted = await newTenant(app, admin, 'Counted');
  const { headers, body, statusCode } = await until(
    async () => {
      const { body: shown } = await admin.call('GET', `/projects/${counted.id}/overview`);
      return shown.current.agent_visits === 1 && (await get(badgeOf(counted.secret)));
    },
    { what: 'the visit is counted' },
  );
  expect(statusCode).toBe(200);
  expect(body).toContain('<title>agent visits: 1 this month</title>');
  expect(headers).toMatchObject({
    'content-type': 'image/svg+xml; charset=utf-8',
    'cache-control': 'public, max-age=300',
    'cross-origin-resource-policy': 'cross-origin',
    'x-robots-tag': 'noindex',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  });
});

it('has a page that is never indexed, and can be framed only with ?embed', async () => {
  const page = (path: string) => get(path, HTML);
  const embedded = await page(`/shared/${ours.secret}?embed`);
  expect(embedded.headers['content-security-policy']).toMatch(/frame-ancestors \*$/);
  expect(embedded.headers).not.toHaveProperty('x-frame-options');
  expect(embedded.headers).toMatchObject({ 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' });
  for (const path of [
    `/shared/${ours.secret}`,
    `/shared/${ours.secret}?range=7d`,
    `/shared/${ours.secret}/?embed`,
    `/shared/${ours.secret}/..?embed`,
    '/shared/x?embed',
    '/sign-in?embed',
    `/projects/${ours.id}/overview?embed`,
    `/?embed=/shared/${ours.secret}?embed`,
  ]) {
    const { headers } = await page(path);
    expect([path, headers['x-frame-options']]).toEqual([path, 'DENY']);
    expect(headers['content-security-policy']).toMatch(/frame-ancestors 'none'$/);
    if (path.startsWith('/shared/')) expect(headers['x-robots-tag']).toBe('noindex');
  }
});

it('is limited to 50 per project, even for concurrent requests', async () => {
  const { id } = (await app.api('POST', '/projects', { name: 'Full' })).body;
  const answers = await Promise.all(
    Array.from({ length: MAX_SHARED_LINKS + 3 }, (_, n) => app.api('POST', url(id), { name: `Link ${n}` })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(MAX_SHARED_LINKS);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(3);
});
