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
import { App, type TestResponse, type Json } from '../kit/app.js';
import { injectRequest } from '../kit/inject-request.js';
import { temporaryFolder } from '../kit/instance.js';
import { Person, type Method } from '../kit/person.js';
import {
  createRequestBody,
  createMember,
  createTenant,
  UNKNOWN_ID,
  PASSWORD,
  createOperationUrl,
  type Member,
  type PathParameters,
  type Tenant,
} from '../kit/tenant.js';

const OPERATIONS: readonly InterfaceOperation[] = [...PUBLIC_INTERFACE.operations, ...CONSOLE_INTERFACE.operations];

const READ_ONLY = ['ok', 403] as const;
const CHANGE_ONLY = [403, 'ok'] as const;

type Caller = keyof typeof MATRIX;
type Verdict = 'ok' | 401 | 403 | 404;
/** Expected result, or a pair of results if reads and changes differ. */
type Verdicts = Verdict | readonly [read: Verdict, change: Verdict];

/** Expected results by caller. It's a compile error if `row` doesn't cover a new access level. */
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
  'API key with the read scope': keyRow({ authenticated: READ_ONLY, roles: [READ_ONLY, 403, 403], administrator: 403 }),
  'API key with the write scope': keyRow({
    authenticated: CHANGE_ONLY,
    roles: [CHANGE_ONLY, 'ok', 403],
    administrator: 403,
  }),
  'API key with the admin scope': keyRow({ authenticated: 403, roles: [403, 403, 'ok'], administrator: 403 }),
  'API key for all projects with the read scope': keyRow({
    authenticated: READ_ONLY,
    roles: [READ_ONLY, 403, 403],
    administrator: READ_ONLY,
  }),
  'API key for all projects with the admin scope': keyRow({
    authenticated: 403,
    roles: [403, 403, 'ok'],
    administrator: CHANGE_ONLY,
  }),
  "viewer's personal API key": keyRow({ roles: ['ok', 403, 403], administrator: 403 }),
  "member's personal API key with the read scope": keyRow({
    authenticated: READ_ONLY,
    roles: [READ_ONLY, 403, 403],
    administrator: 403,
  }),
  "administrator's personal API key": keyRow({}),
  "administrator's limited personal API key": keyRow({ administrator: 403 }),
  "administrator's personal API key for another project": keyRow({ roles: [404, 404, 404], administrator: 403 }),
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
  /** Results for operations that require the viewer, member, or owner role. */
  roles?: [Verdicts, Verdicts, Verdicts];
  administrator?: Verdicts;
}

/** Returns a matrix row. Access is allowed by default. */
function row(verdicts: Row): Record<InterfaceAccess, Verdicts> {
  const [viewer, member, owner] = verdicts.roles ?? ['ok', 'ok', 'ok'];
  const { token = 'ok', authenticated = 'ok', session = 'ok', administrator = 'ok' } = verdicts;
  return { public: 'ok', shared: 'ok', token, authenticated, session, viewer, member, owner, administrator };
}

/** Returns the matrix row of an API key. API keys can't report visits and have no account. */
function keyRow(verdicts: Row): Record<InterfaceAccess, Verdicts> {
  return row({ token: 401, session: 403, ...verdicts });
}

/** Operations that delete what other operations use. They run last, in this order. */
const RUN_LAST = [
  'revokeToken',
  'deleteSavedFilter',
  'revokeSharedLink',
  'deleteChartNote',
  'deleteAlert',
  'restoreAlert',
  'removeReportRecipient',
  'deleteAlertChannel',
  'removeAgentFeed',
  'restoreUserAgent',
  'removeMember',
  'removeUser',
  'removeProject',
  'changePassword',
  'signOut',
];
/** Public operations that this test can't complete, because no sign-in is in progress and no provider is configured. */
const REQUIRES_SIGN_IN_IN_PROGRESS = new Set([
  'startOidcSignIn',
  'finishOidcSignIn',
  'finishSignIn',
  'signInWithPasskey',
]);

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

it('declares an operation for every route except pages, files, and documentation', () => {
  const declared = [...OPERATIONS, ...PROCESS_OPERATIONS, exchangeMcpMessages, getKeyDirectory, answerFastlyChallenge];
  const routes = new Set(
    declared.map(({ method, path }) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  );
  const others = app.routes.filter(({ method, url }) => !routes.has(`${method.replace('HEAD', 'GET')} ${url}`));
  expect(others.filter(({ url, access }) => access !== 'open' || !/^\/(docs(\/.*)?|assets\/\*|\*)$/.test(url))).toEqual(
    [],
  );
});

it.each(Object.keys(MATRIX) as Caller[])('enforces access levels for every operation (%s)', async (caller) => {
  const tenant = await createTenant(app, admin, caller);
  const other = await createMember(admin, tenant.id, 'owner');
  const call = await createCall(caller, tenant);
  const rank = ({ id }: InterfaceOperation): number => RUN_LAST.indexOf(id);
  const violations: unknown[] = [];
  for (const { id, method, path, access, onlyReads } of OPERATIONS.toSorted((one, two) => rank(one) - rank(two))) {
    const url = createOperationUrl(path, tenant, await createPathParameters(path, tenant, other, call));
    const body = method === 'get' || method === 'delete' ? undefined : createValidBody(id, tenant, other);
    const { status, text } = await call(method.toUpperCase() as Method, url, body);
    const verdicts = MATRIX[caller][access];
    const [readVerdict, changeVerdict] = typeof verdicts === 'object' ? verdicts : [verdicts, verdicts];
    const expected = method === 'get' || onlyReads ? readVerdict : changeVerdict;
    const isAdmitted = status < 500 && (![401, 403, 404].includes(status) || REQUIRES_SIGN_IN_IN_PROGRESS.has(id));
    if (expected === 'ok' ? !isAdmitted : status !== expected) violations.push({ id, access, expected, status, text });
    if (expected !== 'ok' && text.includes('secret-of-')) violations.push({ id, access, text });
    if (MATRIX[caller].member !== 'ok' && text.includes(tenant.tokenValue)) violations.push({ id, access, text });
  }
  expect(violations).toEqual([]);
});

type Call = (method: Method, url: string, body: unknown) => Promise<Pick<TestResponse, 'status' | 'text'>>;

async function createCall(caller: Caller, tenant: Tenant): Promise<Call> {
  const createKey = async (projectId: string, extra: object = {}): Promise<string> =>
    (await app.api('POST', '/api-keys', { project_ids: [projectId], ...extra })).body.key;
  const other = async (): Promise<Tenant> => createTenant(app, admin, `${caller}, elsewhere`);
  switch (caller) {
    case 'stranger':
      return withHeaders({});
    case 'viewer':
    case 'member':
    case 'owner':
      return asPerson(await createMember(admin, tenant.id, caller));
    case 'administrator':
      return asPerson(await newAdministrator(tenant));
    case 'owner of another project':
      return asPerson((await other()).owner);
    case 'limited API key':
      return withKey(await createKey(tenant.id));
    case 'limited API key of another project':
      return withKey(await createKey((await other()).id));
    case 'admin API key':
      return withKey(app.apiKey);
    case 'API key with the read scope':
      return withKey(await createKey(tenant.id, { scopes: ['read'] }));
    case 'API key with the write scope':
      return withKey(await createKey(tenant.id, { scopes: ['write'] }));
    case 'API key with the admin scope':
      return withKey(await createKey(tenant.id, { scopes: ['admin'] }));
    case 'API key for all projects with the read scope':
      return withKey((await app.api('POST', '/api-keys', { scopes: ['read'] })).body.key);
    case 'API key for all projects with the admin scope':
      return withKey((await app.api('POST', '/api-keys', { scopes: ['admin'] })).body.key);
    case "viewer's personal API key":
      return withKey(await createPersonalKey(await createMember(admin, tenant.id, 'viewer')));
    case "member's personal API key with the read scope":
      return withKey(await createPersonalKey(await createMember(admin, tenant.id, 'member'), { scopes: ['read'] }));
    case "administrator's personal API key":
      return withKey(await createPersonalKey(await newAdministrator(tenant)));
    case "administrator's limited personal API key":
      return withKey(await createPersonalKey(await newAdministrator(tenant), { project_ids: [tenant.id] }));
    case "administrator's personal API key for another project": {
      const { id } = await other();
      return withKey(await createPersonalKey(await newAdministrator(tenant), { project_ids: [id] }));
    }
    case 'access token':
      return withKey(tenant.tokenValue);
    case 'secret of a shared link':
      return withHeaders({ authorization: `Bearer ${tenant.secret}`, 'x-shared-pass': tenant.secret });
  }
}

async function newAdministrator(tenant: Tenant): Promise<Member> {
  const member = await createMember(admin, tenant.id, 'owner');
  await app.api('PATCH', `/users/${member.id}`, { is_admin: true });
  return member;
}

const createPersonalKey = async (person: Person, limits: object = {}): Promise<string> =>
  (await person.call('POST', '/account/api-keys', limits)).body.key;

/**
 * Only stores cookies from operations on the caller's own account, because other operations sign in as someone else.
 */
const asPerson =
  (person: Person): Call =>
  async (method, url, body) => {
    const response = await send(method, url, body, person.headers());
    if (url.startsWith('/api/account/')) person.storeCookies(response.headers);
    return response;
  };

const withHeaders =
  (headers: Record<string, string>): Call =>
  (method, url, body) =>
    send(method, url, body, { 'x-forwarded-for': new Person(app.nest).address, ...headers });

const withKey = (key: string): Call => withHeaders({ authorization: `Bearer ${key}` });

const send = (method: Method, url: string, body: unknown, headers: Record<string, string>) =>
  injectRequest(app.nest, {
    method,
    url,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  });

/** Creates the resources that the operation deletes or uses up. @returns the operation's path parameters */
async function createPathParameters(path: string, tenant: Tenant, other: Member, call: Call): Promise<PathParameters> {
  const create = async (url: string, body: object): Promise<Json> => (await app.api('POST', url, body)).body;
  const getTokenFromUrl = ({ url }: Json): string => new URL(url).pathname.split('/').at(-1)!;
  const parameters: PathParameters = { userId: other.id };
  if (path.includes('password-resets/'))
    parameters.token = getTokenFromUrl(await create('/password-resets', { email: other.email }));
  if (path.includes('api/invitations/')) {
    parameters.token = getTokenFromUrl(await create(`/projects/${tenant.id}/invitations`, { role: 'viewer' }));
  }
  if (path.includes('account/api-keys/')) {
    parameters.keyId = (await callForBody(call, 'POST', '/api/account/api-keys', {})).id ?? UNKNOWN_ID;
  } else if (path.includes('api-keys/')) parameters.id = (await create('/api-keys', {})).id;
  if (path.includes('mail-recipients/')) parameters.recipient = await newMailRecipient(tenant.id);
  if (path.includes('users/{userId}/second-factor')) await addSecondFactor(other.id);
  if (path.includes('account/second-factor')) {
    const { user } = await callForBody(call, 'GET', '/api/account');
    if (user !== undefined) await addSecondFactor(user.id);
  }
  if (path.includes('users/{userId}/passkeys')) await addPasskey(other.id);
  if (path.includes('account/passkeys/{')) parameters.passkeyId = await addPasskeyForCaller(call);
  if (path.includes('account/sessions/')) parameters.sessionId = await openSecondSession(call);
  return parameters;
}

const addSecondFactor = (userId: string) =>
  app.database.dataSource.query(
    `INSERT INTO second_factors (id, user_id, secret, active_since) VALUES (gen_random_uuid(), $1, '', now())
     ON CONFLICT DO NOTHING`,
    [userId],
  );

/** Returns the recipient's ID. The recipient hasn't confirmed the address yet. */
async function newMailRecipient(projectId: string): Promise<string> {
  const [{ id }]: [{ id: string }] = await app.database.dataSource.query(
    `INSERT INTO mail_recipients (project_id, address) VALUES ($1, gen_random_uuid() || '@example.com') RETURNING id`,
    [projectId],
  );
  return id;
}

/** Adds a passkey for the caller. @returns the passkey's ID, or `UNKNOWN_ID` if the caller has no account */
async function addPasskeyForCaller(call: Call): Promise<string> {
  const { user } = await callForBody(call, 'GET', '/api/account');
  return user === undefined ? UNKNOWN_ID : addPasskey(user.id);
}

async function addPasskey(userId: string): Promise<string> {
  const [{ id }] = await app.database.dataSource.query(
    `INSERT INTO passkeys (id, user_id, name, credential_id, public_key, rp_id, uses)
     VALUES (gen_random_uuid(), $1, 'Phone', gen_random_uuid(), '', 'localhost', 0) RETURNING id`,
    [userId],
  );
  return id;
}

const callForBody = async (call: Call, method: Method, url: string, body?: object): Promise<Json> =>
  JSON.parse((await call(method, url, body)).text || '{}');

/** Signs the caller in a second time. @returns the new session's ID, or `UNKNOWN_ID` if the caller has no account */
async function openSecondSession(call: Call): Promise<string> {
  const { user } = await callForBody(call, 'GET', '/api/account');
  if (user === undefined) return UNKNOWN_ID;
  await new Person(app.nest).signIn(user.email, PASSWORD);
  const { sessions } = await callForBody(call, 'GET', '/api/account');
  return sessions.find(({ is_current: isCurrent }: Json) => !isCurrent).id;
}

let accountCount = 0;

/** Returns a request body that passes schema validation and all further checks. */
const createValidBody = (id: string, tenant: Tenant, other: Member): Json =>
  ({
    changeOwnAccount: { name: 'Somebody', current_password: PASSWORD },
    confirmSession: { password: PASSWORD },
    changePassword: { current_password: PASSWORD, new_password: `${PASSWORD} again` },
    signIn: { email: tenant.owner.email, password: PASSWORD },
    acceptInvitation: { name: 'Guest', email: `guest${++accountCount}@example.com`, password: PASSWORD },
    createApiKey: { scopes: ['admin'] },
    setUp: { code: 'x', name: 'x', email: 'x@example.com', password: PASSWORD },
    resetPassword: { password: PASSWORD },
    createPasswordReset: { email: other.email },
    explainIdentification: { request_headers: {} },
  })[id] ?? createRequestBody(id, tenant);
