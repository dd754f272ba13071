import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CONSOLE_INTERFACE,
  exchangeMcpMessages,
  answerFastlyChallenge,
  getKeyDirectory,
  PROCESS_OPERATIONS,
  PUBLIC_INTERFACE,
  type InterfaceOperation,
  type InterfaceAccess,
} from '#libs/contracts';
import { App, type Answer, type Json } from '../kit/app.js';
import { beginningOf } from '../kit/beginning.js';
import { temporaryFolder } from '../kit/instance.js';
import { Person, type Method } from '../kit/person.js';
import {
  bodyOf,
  newMember,
  newTenant,
  NOBODY,
  PASSWORD,
  urlOf,
  type Member,
  type PathParameters,
  type Tenant,
} from '../kit/tenant.js';

const OPERATIONS: readonly InterfaceOperation[] = [...PUBLIC_INTERFACE.operations, ...CONSOLE_INTERFACE.operations];

const READS = ['ok', 403] as const;
const CHANGES = [403, 'ok'] as const;

type Caller = keyof typeof MATRIX;
type Verdict = 'ok' | 401 | 403 | 404;
/** Expected result, or a pair if it differs between operations that read and operations that change something. */
type Verdicts = Verdict | readonly [read: Verdict, change: Verdict];

/** Expected results by caller. A new access level doesn't compile until `row` covers it. */
const MATRIX = {
  stranger: row({ token: 401, authenticated: 401, session: 401, roles: [401, 401, 401], administrator: 401 }),
  viewer: row({ token: 401, roles: ['ok', 403, 403], administrator: 403 }),
  member: row({ token: 401, roles: ['ok', 'ok', 403], administrator: 403 }),
  owner: row({ token: 401, administrator: 403 }),
  administrator: row({ token: 401 }),
  'owner of another project': row({ token: 401, roles: [404, 404, 404], administrator: 403 }),
  'limited API key': row({ token: 401, session: 403, administrator: 403 }),
  'limited API key of another project': row({
    token: 401,
    session: 403,
    roles: [404, 404, 404],
    administrator: 403,
  }),
  'admin API key': row({ token: 401, session: 403 }),
  'API key that reads': keyRow({ authenticated: READS, roles: [READS, 403, 403], administrator: 403 }),
  'API key that writes': keyRow({ authenticated: CHANGES, roles: [CHANGES, 'ok', 403], administrator: 403 }),
  'API key that administers': keyRow({ authenticated: 403, roles: [403, 403, 'ok'], administrator: 403 }),
  'API key for all projects that reads': keyRow({
    authenticated: READS,
    roles: [READS, 403, 403],
    administrator: READS,
  }),
  'API key for all projects that administers': keyRow({
    authenticated: 403,
    roles: [403, 403, 'ok'],
    administrator: CHANGES,
  }),
  "viewer's own API key": keyRow({ roles: ['ok', 403, 403], administrator: 403 }),
  "member's own API key that reads": keyRow({ authenticated: READS, roles: [READS, 403, 403], administrator: 403 }),
  "administrator's own API key": keyRow({}),
  "administrator's own limited API key": keyRow({ administrator: 403 }),
  "administrator's own API key for another project": keyRow({ roles: [404, 404, 404], administrator: 403 }),
  'access token': row({ authenticated: 401, session: 401, roles: [401, 401, 401], administrator: 401 }),
  'secret of a shared link': row({
    token: 401,
    authenticated: 401,
    session: 401,
    roles: [401, 401, 401],
    administrator: 401,
  }),
};

interface Row {
  token?: Verdict;
  authenticated?: Verdicts;
  session?: Verdict;
  /** Results for operations that require the viewer, member or owner role. */
  roles?: [Verdicts, Verdicts, Verdicts];
  administrator?: Verdicts;
}

/** Creates a row of the matrix. Every access level is allowed by default. */
function row(verdicts: Row): Record<InterfaceAccess, Verdicts> {
  const [viewer, member, owner] = verdicts.roles ?? ['ok', 'ok', 'ok'];
  const { token = 'ok', authenticated = 'ok', session = 'ok', administrator = 'ok' } = verdicts;
  return { public: 'ok', shared: 'ok', token, authenticated, session, viewer, member, owner, administrator };
}

/** Creates the row of an API key, which can't report visits and has no account. */
function keyRow(verdicts: Row): Record<InterfaceAccess, Verdicts> {
  return row({ token: 401, session: 403, ...verdicts });
}

/** Operations that remove something the others need. They run last, in this order. */
const LAST = [
  'revokeToken',
  'deleteSavedFilter',
  'revokeSharedLink',
  'deleteChartNote',
  'deleteAlert',
  'deleteAlertChannel',
  'removeAgentFeed',
  'restoreUserAgent',
  'removeMember',
  'removeUser',
  'removeProject',
  'changePassword',
  'signOut',
];
/** Public operations that are rejected here, because there is no provider and no sign-in in progress. */
const NOTHING_BEGUN = new Set(['startOidcSignIn', 'finishOidcSignIn', 'finishSignIn', 'signInWithPasskey']);

let app: App;
let admin: Person;

beforeAll(async () => {
  const webRoot = await temporaryFolder();
  await mkdir(join(webRoot, 'assets'));
  await writeFile(join(webRoot, 'index.html'), '');
  app = await App.start({ webRoot });
  admin = await Person.administrator(app.nest, 'root@example.com', PASSWORD);
});
afterAll(() => app?.dispose());

it('declares every route except pages, files and documentation', () => {
  const declared = [...OPERATIONS, ...PROCESS_OPERATIONS, exchangeMcpMessages, getKeyDirectory, answerFastlyChallenge];
  const routes = new Set(
    declared.map(({ method, path }) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  );
  const others = app.routes.filter(({ method, url }) => !routes.has(`${method.replace('HEAD', 'GET')} ${url}`));
  expect(others.filter(({ url, access }) => access !== 'open' || !/^\/(docs(\/.*)?|assets\/\*|\*)$/.test(url))).toEqual(
    [],
  );
});

it.each(Object.keys(MATRIX) as Caller[])('enforces the access level of every operation: %s', async (caller) => {
  const tenant = await newTenant(app, admin, caller);
  const other = await newMember(admin, tenant.id, 'owner');
  const call = await callOf(caller, tenant);
  const rank = ({ id }: InterfaceOperation): number => LAST.indexOf(id);
  const wrong: unknown[] = [];
  for (const { id, method, path, access, onlyReads } of OPERATIONS.toSorted((one, two) => rank(one) - rank(two))) {
    const url = urlOf(path, tenant, await parametersOf(path, tenant, other, call));
    const body = method === 'get' || method === 'delete' ? undefined : validBody(id, tenant, other);
    const { status, text } = await call(method.toUpperCase() as Method, url, body);
    const verdicts = MATRIX[caller][access];
    const [reading, changing] = typeof verdicts === 'object' ? verdicts : [verdicts, verdicts];
    const expected = method === 'get' || onlyReads ? reading : changing;
    const isThrough = status < 500 && (![401, 403, 404].includes(status) || NOTHING_BEGUN.has(id));
    if (expected === 'ok' ? !isThrough : status !== expected) wrong.push({ id, access, expected, status, text });
    if (expected !== 'ok' && text.includes('secret-of-')) wrong.push({ id, access, text });
    if (MATRIX[caller].member !== 'ok' && text.includes(tenant.tokenValue)) wrong.push({ id, access, text });
  }
  expect(wrong).toEqual([]);
});

type Call = (method: Method, url: string, body: unknown) => Promise<Pick<Answer, 'status' | 'text'>>;

async function callOf(caller: Caller, tenant: Tenant): Promise<Call> {
  const keyOf = async (projectId: string, extra: object = {}): Promise<string> =>
    (await app.api('POST', '/api-keys', { project_ids: [projectId], ...extra })).body.key;
  const other = async (): Promise<Tenant> => newTenant(app, admin, `${caller}, elsewhere`);
  switch (caller) {
    case 'stranger':
      return withHeaders({});
    case 'viewer':
    case 'member':
    case 'owner':
      return asPerson(await newMember(admin, tenant.id, caller));
    case 'administrator':
      return asPerson(await newAdministrator(tenant));
    case 'owner of another project':
      return asPerson((await other()).owner);
    case 'limited API key':
      return withKey(await keyOf(tenant.id));
    case 'limited API key of another project':
      return withKey(await keyOf((await other()).id));
    case 'admin API key':
      return withKey(app.apiKey);
    case 'API key that reads':
      return withKey(await keyOf(tenant.id, { scopes: ['read'] }));
    case 'API key that writes':
      return withKey(await keyOf(tenant.id, { scopes: ['write'] }));
    case 'API key that administers':
      return withKey(await keyOf(tenant.id, { scopes: ['admin'] }));
    case 'API key for all projects that reads':
      return withKey((await app.api('POST', '/api-keys', { scopes: ['read'] })).body.key);
    case 'API key for all projects that administers':
      return withKey((await app.api('POST', '/api-keys', { scopes: ['admin'] })).body.key);
    case "viewer's own API key":
      return withKey(await ownKeyOf(await newMember(admin, tenant.id, 'viewer')));
    case "member's own API key that reads":
      return withKey(await ownKeyOf(await newMember(admin, tenant.id, 'member'), { scopes: ['read'] }));
    case "administrator's own API key":
      return withKey(await ownKeyOf(await newAdministrator(tenant)));
    case "administrator's own limited API key":
      return withKey(await ownKeyOf(await newAdministrator(tenant), { project_ids: [tenant.id] }));
    case "administrator's own API key for another project": {
      const { id } = await other();
      return withKey(await ownKeyOf(await newAdministrator(tenant), { project_ids: [id] }));
    }
    case 'access token':
      return withKey(tenant.tokenValue);
    case 'secret of a shared link':
      return withHeaders({ authorization: `Bearer ${tenant.secret}`, 'x-shared-pass': tenant.secret });
  }
}

async function newAdministrator(tenant: Tenant): Promise<Member> {
  const member = await newMember(admin, tenant.id, 'owner');
  await app.api('PATCH', `/users/${member.id}`, { is_admin: true });
  return member;
}

const ownKeyOf = async (person: Person, limits: object = {}): Promise<string> =>
  (await person.call('POST', '/account/api-keys', limits)).body.key;

/** Keeps cookies only from operations on the caller's own account. Others sign in as somebody else. */
const asPerson =
  (person: Person): Call =>
  async (method, url, body) => {
    const answer = await send(method, url, body, person.headers());
    if (url.startsWith('/api/account/')) person.keepCookies(answer.headers);
    return answer;
  };

const withHeaders =
  (headers: Record<string, string>): Call =>
  (method, url, body) =>
    send(method, url, body, { 'x-forwarded-for': new Person(app.nest).address, ...headers });

const withKey = (key: string): Call => withHeaders({ authorization: `Bearer ${key}` });

const send = (method: Method, url: string, body: unknown, headers: Record<string, string>) =>
  beginningOf(app.nest, {
    method,
    url,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  });

/** Creates what a call uses up. @returns the path parameters of the call. */
async function parametersOf(path: string, tenant: Tenant, other: Member, call: Call): Promise<PathParameters> {
  const made = async (url: string, body: object): Promise<Json> => (await app.api('POST', url, body)).body;
  const tokenOf = ({ url }: Json): string => new URL(url).pathname.split('/').at(-1)!;
  const parameters: PathParameters = { userId: other.id };
  if (path.includes('password-resets/'))
    parameters.token = tokenOf(await made('/password-resets', { email: other.email }));
  if (path.includes('api/invitations/')) {
    parameters.token = tokenOf(await made(`/projects/${tenant.id}/invitations`, { role: 'viewer' }));
  }
  if (path.includes('account/api-keys/')) {
    parameters.keyId = (await bodyAs(call, 'POST', '/api/account/api-keys', {})).id ?? NOBODY;
  } else if (path.includes('api-keys/')) parameters.id = (await made('/api-keys', {})).id;
  if (path.includes('mail-recipients/')) parameters.recipient = await newMailRecipient(tenant.id);
  if (path.includes('users/{userId}/second-factor')) await haveSecondFactor(other.id);
  if (path.includes('account/second-factor')) {
    const { user } = await bodyAs(call, 'GET', '/api/account');
    if (user !== undefined) await haveSecondFactor(user.id);
  }
  if (path.includes('users/{userId}/passkeys')) await havePasskey(other.id);
  if (path.includes('account/passkeys/{')) parameters.passkeyId = await newPasskey(call);
  if (path.includes('account/sessions/')) parameters.sessionId = await otherSession(call);
  return parameters;
}

const haveSecondFactor = (userId: string) =>
  app.database.dataSource.query(
    `INSERT INTO second_factors (id, user_id, secret, active_since) VALUES (gen_random_uuid(), $1, '', now())
     ON CONFLICT DO NOTHING`,
    [userId],
  );

/** Returns the ID of a recipient who hasn't confirmed yet. */
async function newMailRecipient(projectId: string): Promise<string> {
  const [{ id }]: [{ id: string }] = await app.database.dataSource.query(
    `INSERT INTO mail_recipients (project_id, address) VALUES ($1, gen_random_uuid() || '@example.com') RETURNING id`,
    [projectId],
  );
  return id;
}

/** Adds a passkey for the caller. @returns its ID, or `NOBODY` if the caller has no account. */
async function newPasskey(call: Call): Promise<string> {
  const { user } = await bodyAs(call, 'GET', '/api/account');
  return user === undefined ? NOBODY : havePasskey(user.id);
}

async function havePasskey(userId: string): Promise<string> {
  const [{ id }] = await app.database.dataSource.query(
    `INSERT INTO passkeys (id, user_id, name, credential_id, public_key, rp_id, uses)
     VALUES (gen_random_uuid(), $1, 'Phone', gen_random_uuid(), '', 'localhost', 0) RETURNING id`,
    [userId],
  );
  return id;
}

const bodyAs = async (call: Call, method: Method, url: string, body?: object): Promise<Json> =>
  JSON.parse((await call(method, url, body)).text || '{}');

/** Opens another session for the caller. @returns its ID, or `NOBODY` if the caller has no account. */
async function otherSession(call: Call): Promise<string> {
  const { user } = await bodyAs(call, 'GET', '/api/account');
  if (user === undefined) return NOBODY;
  await new Person(app.nest).signIn(user.email, PASSWORD);
  const { sessions } = await bodyAs(call, 'GET', '/api/account');
  return sessions.find(({ is_current: isCurrent }: Json) => !isCurrent).id;
}

let accounts = 0;

/** Returns a request body that also passes the checks beyond its schema. */
const validBody = (id: string, tenant: Tenant, other: Member): Json =>
  ({
    changeOwnAccount: { name: 'Somebody', current_password: PASSWORD },
    confirmSession: { password: PASSWORD },
    changePassword: { current_password: PASSWORD, new_password: `${PASSWORD} again` },
    signIn: { email: tenant.owner.email, password: PASSWORD },
    acceptInvitation: { name: 'Guest', email: `guest${++accounts}@example.com`, password: PASSWORD },
    createApiKey: { scopes: ['admin'] },
    setUp: { code: 'x', name: 'x', email: 'x@example.com', password: PASSWORD },
    resetPassword: { password: PASSWORD },
    createPasswordReset: { email: other.email },
    explainIdentification: { request_headers: {} },
  })[id] ?? bodyOf(id, tenant);
