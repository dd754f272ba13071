import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_SHARED_LINKS } from '#libs/contracts';
import { App, type Json } from '../kit/app.js';
import { temporaryFolder, until } from '../kit/instance.js';
import { Person } from '../kit/person.js';
import { createTenant, UNKNOWN_ID, PASSWORD, createTwoTenants, type Member, type Tenant } from '../kit/tenant.js';

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
  ({ admin, ours, theirs, member } = await createTwoTenants(app));
});
afterAll(() => app?.dispose());

const url = (id = ours.id, linkId = ''): string => `/projects/${id}/shared-links${linkId && `/${linkId}`}`;
const createLink = async (body: object): Promise<Json> =>
  (await ours.owner.call('POST', url(), { name: 'For a client', ...body })).body;
const getSecret = ({ url: address }: Json): string => address.split('/').at(-1);
/** Sends a request without a session cookie. */
const get = (path: string, headers: Record<string, string> = {}) => app.nest.inject({ url: path, headers });
const toBadgePath = (secret: string): string =>
  `/api/shared-badges/${createHash('sha256').update(secret).digest('base64url')}`;
const overview = (secret: string, headers?: Record<string, string>) => get(`/api/shared/${secret}/overview`, headers);

function* keysAndValues(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return void (yield String(value));
  for (const [key, inner] of Object.entries(value)) {
    yield key;
    yield* keysAndValues(inner);
  }
}

it('shows the project overview without addresses, headers, visits, or IDs', async () => {
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
  const response = await overview(getSecret(link));
  expect([response.statusCode, response.headers['x-robots-tag'], response.headers['cache-control']]).toEqual([
    200,
    'noindex',
    'no-store',
  ]);
  const body = response.json();
  expect(body.project_name).toBe('Ours');
  expect(Object.keys(body).toSorted()).toEqual(['has_earlier_data', 'overview', 'project_name']);
  const texts = [...keysAndValues(body)];
  expect(texts).toContain('/secret-of-Ours');
  const hidden = /address|header|user.?agent|203\.0\.113|marked|from\.example|Mozilla|GPTBot\/|token_?id|visit_id/i;
  expect(texts.filter((text) => hidden.test(text))).toEqual([]);
  for (const id of [ours.id, ours.visitId, ours.tokenId, theirs.id]) expect(texts).not.toContain(id);
  expect(texts.filter((text) => text.includes('Theirs'))).toEqual([]);
});

it('grants a shared link no access to other projects, and rejects it as a credential', async () => {
  const { secret } = ours;
  for (const headers of [{ authorization: `Bearer ${secret}` }, { cookie: `agent_traffic_session=${secret}` }]) {
    for (const id of [ours.id, theirs.id]) {
      for (const path of ['', '/overview', '/visits', '/shared-links']) {
        expect((await get(`/api/projects/${id}${path}`, headers as never)).statusCode).toBe(401);
      }
    }
  }
  // Query parameters can't select another project or time range.
  const withProjectId = await get(`/api/shared/${secret}/overview?id=${theirs.id}`);
  expect(withProjectId.statusCode).toBe(422);
  expect((await get(`/api/shared/${secret}/overview?from=2020-01-01T00:00:00Z`)).statusCode).toBe(422);
  expect((await overview(theirs.secret)).json().project_name).toBe('Theirs');
  expect((await overview(ours.linkId)).statusCode).toBe(404);
  const [row] = await app.database.dataSource.query(`SELECT * FROM shared_links WHERE id = $1`, [ours.linkId]);
  expect(JSON.stringify(row)).not.toContain(secret);
});

it('allows only project owners to create and revoke shared links, with immediate effect', async () => {
  const link = await createLink({});
  const secret = getSecret(link);
  for (const person of [member, theirs.owner]) {
    const expectedStatus = person === member ? 403 : 404;
    expect((await person.call('POST', url(), { name: 'Mine' })).status).toBe(expectedStatus);
    expect((await person.call('DELETE', url(ours.id, link.id))).status).toBe(expectedStatus);
  }
  expect((await theirs.owner.call('DELETE', url(theirs.id, link.id))).status).toBe(404);
  expect((await overview(secret)).statusCode).toBe(200);
  expect((await ours.owner.call('DELETE', url(ours.id, link.id))).status).toBe(204);
  for (const path of [`/api/shared/${secret}/overview`, toBadgePath(secret)]) {
    const { statusCode, body } = await get(path);
    expect([statusCode, body.includes('Ours')]).toEqual([404, false]);
  }
  expect((await ours.owner.call('DELETE', url(ours.id, UNKNOWN_ID))).status).toBe(404);
});

it('rejects a shared link after it expires or the project is deleted', async () => {
  const link = await createLink({ expires_in_days: 1 });
  expect(Date.parse(link.expires_at) - Date.parse(link.created_at)).toBe(86_400_000);
  await app.database.dataSource.query(`UPDATE shared_links SET expires_at = now() WHERE id = $1`, [link.id]);
  expect((await overview(getSecret(link))).statusCode).toBe(404);
  expect((await get(toBadgePath(getSecret(link)))).statusCode).toBe(404);
  const gone = await createTenant(app, admin, 'Gone');
  await admin.call('DELETE', `/projects/${gone.id}`);
  expect((await overview(gone.secret)).statusCode).toBe(404);
});

it('lists a shared link with its creator and when it was last opened, but without its secret', async () => {
  const link = await createLink({ expires_in_days: 7 });
  await overview(getSecret(link));
  const listed = await until(
    async () => {
      const { body } = await member.call('GET', url());
      const found = body.shared_links.find(({ id }: Json) => id === link.id);
      return found.last_opened_at !== null && { found, text: JSON.stringify(body) };
    },
    { condition: 'the link is recorded as opened' },
  );
  expect(listed.found).toEqual({
    id: link.id,
    name: 'For a client',
    has_password: false,
    is_badge: false,
    badge_url: link.badge_url,
    created_at: link.created_at,
    created_by: ours.owner.email,
    expires_at: link.expires_at,
    last_opened_at: expect.any(String),
  });
  expect(listed.text).not.toContain('agl_');
});

it("creates a badge URL that doesn't reveal the shared link", async () => {
  const link = await createLink({});
  const badge = new URL(link.badge_url).pathname;
  expect(badge).toBe(toBadgePath(getSecret(link)));
  expect((await get(badge)).statusCode).toBe(200);
  expect((await overview(badge.split('/').at(-1)!)).statusCode).toBe(404);
  expect((await get(`/api/shared-badges/${getSecret(link)}`)).statusCode).toBe(404);
});

it('creates badges that can be copied later and have no page', async () => {
  const badge = await createLink({ is_badge: true });
  expect(badge).toMatchObject({ url: null, is_badge: true });
  expect((await get(new URL(badge.badge_url).pathname)).headers['content-type']).toContain('image/svg+xml');
  const { body } = await ours.owner.call('GET', url());
  expect(body.shared_links.find(({ id }: Json) => id === badge.id).badge_url).toBe(badge.badge_url);
  const { status, body: problem } = await ours.owner.call('POST', url(), {
    name: 'Badge',
    is_badge: true,
    password: PASSWORD,
  });
  expect([status, problem.errors[0].pointer]).toEqual([422, '/password']);
});

describe('password-protected link', () => {
  const open = (secret: string, password: string, address = '198.51.100.7') =>
    app.nest.inject({
      method: 'POST',
      url: `/api/shared/${secret}/pass`,
      headers: { 'x-forwarded-for': address },
      payload: { password },
    });

  it('requires a pass for a password-protected link and rejects a pass for another link', async () => {
    const secret = getSecret(await createLink({ password: PASSWORD }));
    const other = getSecret(await createLink({ password: PASSWORD }));
    for (const path of [`/api/shared/${secret}/overview`, toBadgePath(secret)]) {
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

  it('limits password guesses, regardless of the network', async () => {
    const secret = getSecret(await createLink({ password: PASSWORD }));
    const statuses: number[] = [];
    for (let n = 0; n < 12; n += 1) statuses.push((await open(secret, 'a guess', `198.51.${n + 1}.1`)).statusCode);
    expect([statuses.slice(0, 10), statuses.at(-1)]).toEqual([Array(10).fill(422), 429]);
    const lateAttempt = await open(secret, PASSWORD, '198.51.99.1');
    expect([lateAttempt.statusCode, Number(lateAttempt.headers['retry-after']) > 0]).toEqual([429, true]);
  });

  it('rejects weak passwords for shared links', async () => {
    const { status, body } = await ours.owner.call('POST', url(), { name: 'Weak', password: 'password1234' });
    expect([status, body.errors[0].pointer]).toEqual([422, '/password']);
  });
});

it('serves a cacheable, embeddable badge with the exact count for the month', async () => {
  const counted = await createTenant(app, admin, 'Counted');
  const { headers, body, statusCode } = await until(
    async () => {
      const { body: overviewBody } = await admin.call('GET', `/projects/${counted.id}/overview`);
      return overviewBody.current.agent_visits === 2 && (await get(toBadgePath(counted.secret)));
    },
    { condition: 'the visits are counted' },
  );
  expect(statusCode).toBe(200);
  expect(body).toContain('<title>agent visits: 2 this month</title>');
  expect(headers).toMatchObject({
    'content-type': 'image/svg+xml; charset=utf-8',
    'cache-control': 'public, max-age=300',
    'cross-origin-resource-policy': 'cross-origin',
    'x-robots-tag': 'noindex',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  });
});

it('serves a shared page that is never indexed and can be framed only with ?embed', async () => {
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

it('limits a project to 50 shared links, even when requests are concurrent', async () => {
  const { id } = (await app.api('POST', '/projects', { name: 'Full' })).body;
  const responses = await Promise.all(
    Array.from({ length: MAX_SHARED_LINKS + 3 }, (_, n) => app.api('POST', url(id), { name: `Link ${n}` })),
  );
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(MAX_SHARED_LINKS);
  expect(responses.filter(({ status }) => status === 409)).toHaveLength(3);
});
