import { jest } from '@jest/globals';
import { CONSOLE_INTERFACE, type InterfaceOperation } from '#libs/contracts';
import { AccessChanges } from '../../apps/console/src/access/access-changes.service.js';
import { App, type Json } from '../kit/app.js';
import { Person, type Method } from '../kit/person.js';
import {
  createRequestBody,
  createMember,
  createTenant,
  UNKNOWN_ID,
  PASSWORD,
  createOperationUrl,
  type Member,
  type Tenant,
} from '../kit/tenant.js';

const CONFIRMED_OPERATIONS = CONSOLE_INTERFACE.operations.filter(({ confirms }) => confirms);

let app: App;
let root: Person;
let tenant: Tenant;
let admin: Member;

beforeAll(async () => {
  app = await App.start();
  root = await Person.administrator(app.nest, 'root@example.com', PASSWORD);
  tenant = await createTenant(app, root, 'Ours');
  admin = await createMember(root, tenant.id, 'owner');
  await app.api('PATCH', `/users/${admin.id}`, { is_admin: true });
});
afterAll(() => app?.dispose());

async function backdateSessions(id: string, column: 'confirmed_at' | 'created_at', interval: string): Promise<void> {
  await app.database.dataSource.query(`UPDATE user_sessions SET ${column} = now() - $2::interval WHERE user_id = $1`, [
    id,
    interval,
  ]);
  await app.nest.get(AccessChanges).apply();
}

const callOperation = ({ id, method, path }: InterfaceOperation, person: Person) => {
  const url = createOperationUrl(path, tenant, { userId: tenant.owner.id }).replace(/^\/api/, '');
  const body: Json = method === 'get' || method === 'delete' ? undefined : createRequestBody(id, tenant);
  return person.call(method.toUpperCase() as Method, url, body);
};

it('requires confirmation for credentials, secrets, shared links, members, retention, the mail server, and deletion', () => {
  expect(CONFIRMED_OPERATIONS.map(({ id }) => id).toSorted()).toEqual(
    [
      'activateSecondFactor',
      'beginPasskey',
      'beginSecondFactor',
      'changeMailServer',
      'changeMember',
      'changeRetention',
      'changeUser',
      'createApiKey',
      'createInvitation',
      'createOwnApiKey',
      'createPasskey',
      'createPasswordReset',
      'createSharedLink',
      'createToken',
      'deleteVisits',
      'removeMailServer',
      'removeMember',
      'removeOwnSecondFactor',
      'removePasskey',
      'removePasskeys',
      'removeProject',
      'removeSecondFactor',
      'removeUser',
      'replaceRecoveryCodes',
      'replaceStatementKey',
      'revealToken',
      'revealWebhookSecret',
      'revokeApiKey',
      'revokeOwnApiKey',
      'revokeToken',
      'rotateWebhookSecret',
    ].toSorted(),
  );
});

it.each(CONFIRMED_OPERATIONS.map((operation) => [operation.id, operation] as const))(
  'rejects %s ten minutes after sign-in without changing anything',
  async (_id, operation) => {
    await backdateSessions(admin.id, 'confirmed_at', '10 minutes');
    // Services may write their own entries in the background.
    const count = `SELECT count(*)::integer AS entries FROM audit_entries WHERE actor_type <> 'service'`;
    const entries = async (): Promise<number> => (await app.database.dataSource.query(count))[0].entries;
    const before = await entries();
    const { status, body, text } = await callOperation(operation, admin);
    expect([status, body.type]).toEqual([403, '/docs/problems#confirmation-required']);
    expect(text).not.toContain(tenant.tokenValue);
    expect(await entries()).toBe(before);
  },
);

it('expires a confirmation on time even if the process clock is slow', async () => {
  const url = `/projects/${tenant.id}/tokens`;
  const time = Date.now.bind(Date);
  const slowClock = jest.spyOn(Date, 'now').mockImplementation(() => time() - 3_600_000);
  await backdateSessions(admin.id, 'confirmed_at', '10 minutes');
  const { status } = await admin.call('POST', url, {});
  slowClock.mockRestore();
  expect(status).toBe(403);
});

it('accepts a confirmation immediately when another replica stored it', async () => {
  const url = `/projects/${tenant.id}/tokens`;
  await backdateSessions(admin.id, 'confirmed_at', '1 day');
  expect((await admin.call('POST', url, {})).status).toBe(403);
  // Store the confirmation as another replica would.
  await app.database.dataSource.query(`UPDATE user_sessions SET confirmed_at = now() WHERE user_id = $1`, [admin.id]);
  expect((await admin.call('POST', url, {})).status).toBe(201);
});

it('requires the password for a confirmation, which lasts ten minutes and applies only to that session', async () => {
  await backdateSessions(admin.id, 'confirmed_at', '1 day');
  const other = new Person(app.nest);
  await other.signIn(admin.email, PASSWORD);
  await backdateSessions(admin.id, 'confirmed_at', '1 day');
  const confirm = (password: string) => admin.call('POST', '/session/confirmation', { password });
  const reveal = (person: Person) => person.call('GET', `/projects/${tenant.id}/tokens/${tenant.tokenId}`);
  expect((await confirm('not the password')).status).toBe(422);
  expect((await reveal(admin)).status).toBe(403);
  expect((await confirm(PASSWORD)).status).toBe(204);
  expect((await reveal(admin)).body.token).toBe(tenant.tokenValue);
  expect((await reveal(other)).status).toBe(403);
  await backdateSessions(admin.id, 'confirmed_at', '9 minutes');
  expect((await reveal(admin)).status).toBe(200);
});

it('limits password guesses when confirming an action', async () => {
  const victim = await createMember(root, tenant.id, 'member');
  const statuses = new Set<number>();
  for (let attempt = 0; attempt < 30; attempt += 1) {
    statuses.add((await victim.call('POST', '/session/confirmation', { password: `guess ${attempt}` })).status);
  }
  expect(statuses).toEqual(new Set([422, 429]));
  expect((await victim.call('POST', '/session/confirmation', { password: PASSWORD })).status).toBe(429);
});

it("doesn't require confirmation for API keys, for reads, or to leave a project", async () => {
  expect((await app.api('GET', `/projects/${tenant.id}/tokens/${tenant.tokenId}`)).status).toBe(200);
  const leaver = await createMember(root, tenant.id, 'viewer');
  await backdateSessions(leaver.id, 'confirmed_at', '1 day');
  expect((await leaver.call('GET', `/projects/${tenant.id}`)).status).toBe(200);
  expect((await leaver.call('DELETE', `/projects/${tenant.id}/members/${admin.id}`)).status).toBe(403);
  expect((await leaver.call('DELETE', `/projects/${tenant.id}/members/${leaver.id}`)).status).toBe(204);
  expect((await leaver.call('GET', `/projects/${tenant.id}`)).status).toBe(404);
});

it('checks for confirmation after permissions, so it reveals nothing to outsiders', async () => {
  const stranger = await createTenant(app, root, 'Theirs');
  await backdateSessions(stranger.owner.id, 'confirmed_at', '1 day');
  expect((await stranger.owner.call('GET', `/projects/${tenant.id}/tokens/${tenant.tokenId}`)).status).toBe(404);
  expect((await stranger.owner.call('PATCH', `/users/${UNKNOWN_ID}`, { is_admin: true })).body.type).toBe(
    '/docs/problems#forbidden',
  );
});

describe('session', () => {
  it("ends a session after 90 days, even when it's in use", async () => {
    const person = await createMember(root, tenant.id, 'member');
    await backdateSessions(person.id, 'created_at', '89 days');
    expect((await person.call('GET', '/account')).body.sessions).toHaveLength(1);
    await backdateSessions(person.id, 'created_at', '90 days 1 second');
    expect((await person.call('GET', '/account')).status).toBe(401);
    expect((await person.call('GET', '/session')).body.user).toBeNull();
    expect((await person.signIn(person.email, PASSWORD)).status).toBe(200);
    expect((await person.call('GET', '/account')).body.sessions).toHaveLength(1);
  });
});
