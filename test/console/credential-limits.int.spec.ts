import { App, type Json } from '../kit/app.js';
import { until } from '../kit/instance.js';
import { Person } from '../kit/person.js';
import { PASSWORD } from '../kit/tenant.js';

const VISIT = { request_path: '/', request_method: 'GET', request_headers: { 'user-agent': 'GPTBot/1.2' } };
const TOMORROW = new Date(Date.now() + 86_400_000).toISOString();

let app: App;
let id: string;

beforeAll(async () => {
  app = await App.start();
  ({ id } = (await app.api('POST', '/projects', { name: 'Limited' })).body);
});
afterAll(() => app?.dispose());

const create = async (limits: object): Promise<Json> => (await app.api('POST', `/projects/${id}/tokens`, limits)).body;

/** Posts a visit from a client address that the local proxy reports. */
const post = (token: string, address: string) =>
  app.post('/visits', VISIT, { authorization: `Bearer ${token}`, 'x-forwarded-for': address });

async function expire(table: 'access_tokens' | 'api_keys', credential: string): Promise<void> {
  await app.database.dataSource.query(`UPDATE ${table} SET expires_at = now() - interval '1 second' WHERE id = $1`, [
    credential,
  ]);
}

describe('access token', () => {
  it('accepts an access token only from its allowed networks', async () => {
    const created = await create({ allowed_networks: ['192.0.2.7/24', '2001:db8::1'] });
    expect(created).toMatchObject({ expires_at: null, allowed_networks: ['192.0.2.0/24', '2001:db8::1/128'] });
    for (const address of ['192.0.2.1', '192.0.2.255', '2001:db8::1']) {
      expect([address, (await post(created.token, address)).status]).toEqual([address, 204]);
    }
    for (const address of ['192.0.3.1', '2001:db8::2', '127.0.0.1']) {
      const { status, body } = await post(created.token, address);
      expect([status, body.detail]).toEqual([
        401,
        `The access token may not be used from ${address}. Use it from a network that it allows, or use another token.`,
      ]);
    }
    // Only the last entry is trusted, because the proxy added it.
    expect((await post(created.token, '192.0.2.1, 198.51.100.1')).status).toBe(401);
  });

  it('rejects an access token after it expires', async () => {
    const created = await create({ expires_at: TOMORROW });
    expect(created.expires_at).toBe(TOMORROW);
    // The gateway hasn't cached this token yet, so it must read the expiry from the database.
    await expire('access_tokens', created.id);
    const { status, body } = await post(created.token, '192.0.2.1');
    expect([status, body.detail]).toEqual([
      401,
      expect.stringMatching(/^The access token expired on \d{4}-\d\d-\d\d\./),
    ]);
  });

  it.each([
    ['2098-12-31T23:00:00,5+01', '2098-12-31T22:00:00.500Z'],
    ['2098-12-31 23:00:00', '2098-12-31T23:00:00.000Z'],
  ])('normalizes the expiration time %s to UTC', async (written, read) => {
    expect(await create({ expires_at: written })).toMatchObject({ expires_at: read });
    const key = (await app.api('POST', '/api-keys', { name: 'Limited', expires_at: written })).body;
    expect(key).toMatchObject({ expires_at: read });
  });

  it('lists a request as rejected when its token is used from another network', async () => {
    const created = await create({ allowed_networks: ['203.0.113.0/24'] });
    await post(created.token, '198.51.100.77');
    const listed = await until(
      async () => {
        const { body } = await app.api('GET', `/projects/${id}/refused-requests`);
        return body.refused_requests.find(({ client_address: at }: Json) => at === '198.51.100.77');
      },
      { condition: 'the rejected request is listed' },
    );
    expect(listed).toMatchObject({
      status: 401,
      detail: expect.stringContaining('may not be used from 198.51.100.77'),
    });
  });

  it.each([
    [{ expires_at: '2020-01-01T00:00:00Z' }, '/expires_at'],
    [{ allowed_networks: ['192.0.2.0/33'] }, '/allowed_networks/0'],
    [{ allowed_networks: ['192.0.2.1', 'everywhere'] }, '/allowed_networks/1'],
  ])('rejects the creation of an access token with %j', async (limits, pointer) => {
    const { status, body } = await app.api('POST', `/projects/${id}/tokens`, limits);
    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
  });
});

describe('API key', () => {
  it("rejects an API key after it expires, even if it's a personal key", async () => {
    const admin = await Person.administrator(app.nest, 'root@example.com', PASSWORD);
    const personalKey = (await admin.call('POST', '/account/api-keys', { expires_at: TOMORROW })).body;
    const other = (await app.api('POST', '/api-keys', { expires_at: TOMORROW, project_ids: [id] })).body;
    for (const { id: keyId, key, expires_at: end } of [personalKey, other]) {
      expect(end).toBe(TOMORROW);
      await expire('api_keys', keyId);
      const response = await app.nest.inject({ url: '/api/projects', headers: { authorization: `Bearer ${key}` } });
      expect([response.statusCode, response.json().detail]).toEqual([
        401,
        expect.stringMatching(/^The API key expired on/),
      ]);
    }
    expect((await app.api('POST', '/api-keys', { expires_at: '2020-01-01T00:00:00Z' })).status).toBe(422);
  });

  it("doesn't count an API key with an expiration date as the last admin key", async () => {
    const { api_keys: keys } = (await app.api('GET', '/api-keys')).body;
    const first = keys.find(({ project_ids: limits, acts_as: person }: Json) => limits === null && person === null);
    await app.api('POST', '/api-keys', { expires_at: TOMORROW });
    expect((await app.api('DELETE', `/api-keys/${first.id}`)).status).toBe(409);
  });
});
