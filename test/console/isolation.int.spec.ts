import { agentId } from '#libs/catalogue';
import { CONSOLE_INTERFACE, type ProjectRole } from '#libs/contracts';
import { App, type Json } from '../kit/app.js';
import { until } from '../kit/instance.js';
import { Person, type Method } from '../kit/person.js';

const PASSWORD = 'correct horse battery';
const NOBODY = '00000000-0000-4000-8000-000000000000';
/** For administrators alone. */
const ADMINS_ONLY = new Set([
  'removeProject',
  'createProject',
  'listApiKeys',
  'createApiKey',
  'revokeApiKey',
  'createSetupCode',
  'addAgent',
  'importAgents',
  'changeAgent',
  'removeAgent',
  'signTestVisit',
  'getSystem',
  'changeRetention',
  'listUsers',
  'changeUser',
  'removeUser',
  'createPasswordReset',
  'listUnknownTokenRequests',
]);
/** What a member may do and a viewer may not, and what owners alone may. */
const MEMBERS_UP = new Set([
  'changeProject',
  'createToken',
  'revealToken',
  'replayDeadLetters',
  'sendTestVisit',
  'sendSampleVisit',
  'saveRulesVersion',
]);
const OWNERS_UP = new Set(['revokeToken', 'changeMember', 'removeMember', 'createInvitation', 'revokeInvitation']);

/** A project with something of everything that can belong to one. */
interface Project {
  id: string;
  tokenId: string;
  tokenValue: string;
  invitationId: string;
  visitId: string;
  letterId: string;
  testVisitId: string;
  versionId: string;
  owner: Person & { id: string };
}

let app: App;
let admin: Person;
let ours: Project;
let theirs: Project;

beforeAll(async () => {
  app = await App.start();
  admin = await Person.administrator(app.nest, 'root@example.com', PASSWORD);
  ours = await newProject('Ours');
  theirs = await newProject('Theirs');
});
afterAll(() => app.dispose());

let people = 0;

/** Somebody with a new account, who came by an invitation. */
const newMember = (projectId: string, role: ProjectRole, inviter = admin): Promise<Person & { id: string }> =>
  inviter.invite(projectId, role, { name: 'Person', email: `person${++people}@example.com`, password: PASSWORD });

async function newProject(name: string): Promise<Project> {
  const { id } = (await app.api('POST', '/projects', { name })).body;
  const owner = await newMember(id, 'owner');
  const { id: tokenId, token: tokenValue } = (await owner.call('POST', `/projects/${id}/tokens`, {})).body;
  const { id: invitationId } = (await owner.call('POST', `/projects/${id}/invitations`, { role: 'viewer' })).body;
  const rules = { agent_types: ['Scraper'], disallow: `/secret-of-${name}`, format: 'grouped' };
  const { id: versionId } = (await owner.call('POST', `/projects/${id}/rules-versions`, rules)).body;
  const visits = [{ request_path: `/secret-of-${name}` }, { ...visit, request_path: `/secret-of-${name}` }];
  await app.post('/visits', visits, { authorization: `Bearer ${tokenValue}` });
  // Refused, and listed with the path.
  await app.post('/visits', 7, { authorization: `Bearer ${tokenValue}` });
  const { id: testVisitId } = (await owner.call('POST', `/projects/${id}/test-visits`, {})).body;
  const letters = await until(
    async () => {
      const { body } = await owner.call('GET', '/dead-letters');
      return body.dead_letters.length > 0 && body.dead_letters;
    },
    { what: 'the dead letter is there' },
  );
  const visitId = await until(
    async () => (await owner.call('GET', `/projects/${id}/visits`)).body.visits[0]?.id as string | undefined,
    { what: 'the visit is there' },
  );
  return { id, tokenId, tokenValue, invitationId, visitId, letterId: letters[0].id, testVisitId, versionId, owner };
}

const visit = { request_path: '/', request_method: 'GET', request_headers: { 'user-agent': 'GPTBot/1.2' } };

const bodyOf = (id: string, project: Project): unknown =>
  ({
    changeProject: { name: 'Taken over' },
    createProject: { name: 'x' },
    replayDeadLetters: { ids: [project.letterId] },
    changeMember: { role: 'viewer' },
    createInvitation: { role: 'owner' },
    explainIdentification: { request_headers: {}, project_id: project.id },
    changePassword: { current_password: 'not the password', new_password: PASSWORD },
    signTestVisit: { url: 'https://shop.example/' },
    renderRules: { agent_types: ['Scraper'], format: 'text' },
    saveRulesVersion: { agent_types: ['Scraper'], format: 'text' },
    changeRetention: { days: 1 },
    changeUser: { is_admin: true },
    createPasswordReset: { email: 'root@example.com' },
  })[id] ?? {};

const urlOf = (path: string, project: Project): string =>
  path
    .replace('/api', '')
    .replace('{id}', path.includes('dead-letters') ? project.letterId : path.includes('api-keys') ? NOBODY : project.id)
    .replace('{tokenId}', project.tokenId)
    .replace('{visitId}', project.visitId)
    .replace('{testVisitId}', project.testVisitId)
    .replace('{versionId}', project.versionId)
    .replace('{userId}', project.owner.id)
    .replace('{invitationId}', project.invitationId)
    .replace('{agentId}', agentId('GPTBot'))
    .replace('{agent}', 'GPTBot');

/** Every operation that takes a credential, as somebody, on what belongs to a project. */
async function* everyOperation(person: Person, project: Project) {
  for (const { id, method, path, isOpen } of CONSOLE_INTERFACE.operations) {
    if (isOpen) continue;
    const body = method === 'get' || method === 'delete' ? undefined : bodyOf(id, project);
    // A stream has no end.
    if (path.endsWith('/stream') && (await mayStream(person, project))) continue;
    const answer = await person.call(method.toUpperCase() as Method, urlOf(path, project), body);
    yield { id, path, isOfProject: /projects\/\{id\}|dead-letters\/\{id\}/.test(path), ...answer };
  }
}

const mayStream = async (person: Person, { id }: Project): Promise<boolean> =>
  (await person.call('GET', `/projects/${id}`)).status === 200;

const secretsOf = (project: Project): string[] => [project.id, project.tokenId, project.tokenValue, 'secret-of-'];

it('shows nothing of a project to somebody of another, by any operation', async () => {
  const seen: Json[] = [];
  for await (const { id, status, body, text, isOfProject } of everyOperation(ours.owner, theirs)) {
    seen.push(id);
    if (ADMINS_ONLY.has(id)) expect([id, status]).toEqual([id, 403]);
    else if (isOfProject || ['replayDeadLetters', 'explainIdentification'].includes(id)) {
      expect([id, status]).toEqual([id, 404]);
      const nothing = id.includes('DeadLetter') ? 'dead letter' : 'project';
      expect(body.detail).toBe(`There is no such ${nothing}.`);
    }
    for (const secret of secretsOf(theirs)) {
      const found = text.replaceAll('secret-of-Ours', '').includes(secret);
      expect([id, secret, found]).toEqual([id, secret, false]);
    }
  }
  expect(seen.length).toBeGreaterThan(25);
  // Nor is there a difference between what is somebody else's and what does not exist.
  const foreign = await ours.owner.call('GET', `/projects/${theirs.id}/tokens`);
  const none = await ours.owner.call('GET', `/projects/${NOBODY}/tokens`);
  expect({ ...foreign.body, instance: '' }).toEqual({ ...none.body, instance: '' });
  // Ids of theirs do not open anything under a project of ours.
  for (const [method, path] of [
    ['GET', `tokens/${theirs.tokenId}`],
    ['DELETE', `tokens/${theirs.tokenId}`],
    ['GET', `rules-versions/${theirs.versionId}`],
    ['DELETE', `invitations/${theirs.invitationId}`],
    ['DELETE', `members/${theirs.owner.id}`],
  ] as [Method, string][]) {
    expect([path, (await ours.owner.call(method, `/projects/${ours.id}/${path}`)).status]).toEqual([path, 404]);
  }
  expect((await theirs.owner.call('GET', `/projects/${theirs.id}`)).body.name).toBe('Theirs');
  expect((await theirs.owner.call('GET', `/projects/${theirs.id}/members`)).body).toMatchObject({
    members: [{ user_id: theirs.owner.id, role: 'owner' }],
    invitations: [{ id: theirs.invitationId }],
  });
});

it('lets a viewer read, and nothing else', async () => {
  const viewer = await newMember(ours.id, 'viewer');
  for await (const { id, status, text } of everyOperation(viewer, ours)) {
    const refused = ADMINS_ONLY.has(id) || MEMBERS_UP.has(id) || OWNERS_UP.has(id);
    if (refused) expect([id, status]).toEqual([id, 403]);
    else expect([id, status]).toEqual([id, id === 'changePassword' ? 422 : 200]);
    expect([id, text.includes(ours.tokenValue)]).toEqual([id, false]);
  }
  expect((await viewer.call('GET', `/projects/${ours.id}`)).body).toMatchObject({ name: 'Ours', role: 'viewer' });
});

it('lets a member change settings and make tokens, but neither revoke them nor invite', async () => {
  const project = await newProject('Membered');
  const member = await newMember(project.id, 'member');
  for await (const { id, status, text } of everyOperation(member, project)) {
    const refused = ADMINS_ONLY.has(id) || OWNERS_UP.has(id);
    if (refused) expect([id, status]).toEqual([id, 403]);
    else expect([id, status < 300 || id === 'changePassword']).toEqual([id, true]);
    if (id === 'revealToken') expect(text).toContain(project.tokenValue);
  }
  expect((await member.call('GET', `/projects/${project.id}`)).body).toMatchObject({
    name: 'Taken over',
    role: 'member',
  });
});

it('takes a credential for whatever is not for everybody', async () => {
  const nobody = new Person(app.nest);
  for await (const { id, status } of everyOperation(nobody, ours)) expect([id, status]).toEqual([id, 401]);
});

describe('members', () => {
  const rolesOf = async ({ id, owner }: Project): Promise<Json> =>
    Object.fromEntries(
      (await owner.call('GET', `/projects/${id}/members`)).body.members.map((member: Json) => [
        member.user_id,
        member.role,
      ]),
    );

  it('lose what they lose at once, streams included', async () => {
    const project = await newProject('Left');
    const member = await newMember(project.id, 'member', project.owner);
    const change = (role: string) =>
      project.owner.call('PATCH', `/projects/${project.id}/members/${member.id}`, { role });
    expect((await member.call('GET', `/projects/${project.id}/tokens/${project.tokenId}`)).status).toBe(200);
    const { status, body } = await change('viewer');
    expect([status, body]).toEqual([200, expect.objectContaining({ user_id: member.id, role: 'viewer' })]);
    expect((await member.call('GET', `/projects/${project.id}/tokens/${project.tokenId}`)).status).toBe(403);
    const stream = member.call('GET', `/projects/${project.id}/visits/stream`);
    await member.call('GET', `/projects/${project.id}`);
    await project.owner.call('DELETE', `/projects/${project.id}/members/${member.id}`);
    expect((await member.call('GET', `/projects/${project.id}`)).status).toBe(404);
    // It resolves once the stream has ended.
    expect((await stream).status).toBe(200);
    expect((await change('viewer')).status).toBe(404);
    expect(await rolesOf(project)).toEqual({ [project.owner.id]: 'owner' });
  });

  it('always leave an owner behind, also when two go at once', async () => {
    const project = await newProject('Owned');
    const url = (id: string) => `/projects/${project.id}/members/${id}`;
    const gone = await project.owner.call('DELETE', url(project.owner.id));
    expect([gone.status, gone.body.detail]).toEqual([409, expect.stringContaining('last owner')]);
    expect((await project.owner.call('PATCH', url(project.owner.id), { role: 'viewer' })).status).toBe(409);
    const second = await newMember(project.id, 'owner', project.owner);
    const both = await Promise.all([
      project.owner.call('DELETE', url(project.owner.id)),
      second.call('PATCH', url(second.id), { role: 'member' }),
    ]);
    expect(both.filter(({ status }) => status === 409)).toHaveLength(1);
    const { members } = (await admin.call('GET', `/projects/${project.id}/members`)).body;
    expect(members.filter(({ role }: Json) => role === 'owner')).toHaveLength(1);
  });

  it('can go by themselves', async () => {
    const project = await newProject('Gone');
    const viewer = await newMember(project.id, 'viewer');
    expect((await viewer.call('DELETE', `/projects/${project.id}/members/${viewer.id}`)).status).toBe(204);
    expect((await viewer.call('GET', '/projects')).body.projects).toEqual([]);
  });
});

describe('invitations', () => {
  const invite = async (project: Project, role: ProjectRole): Promise<{ id: string; path: string }> => {
    const { status, body } = await project.owner.call('POST', `/projects/${project.id}/invitations`, { role });
    expect([status, body.url]).toEqual([201, expect.stringMatching(/^http:\/\/127.0.0.1:3000\/invitations\/agi_\w+$/)]);
    return { id: body.id, path: new URL(body.url).pathname };
  };

  it('open once, of two at once too', async () => {
    const { path } = await invite(ours, 'member');
    const stranger = new Person(app.nest);
    const shown = await stranger.call('GET', path);
    const expected = { project_name: 'Ours', role: 'member', expires_at: expect.any(String) };
    expect([shown.status, shown.body]).toEqual([200, expected]);
    const accept = (email: string) =>
      new Person(app.nest).call('POST', path, { name: 'Both', email, password: PASSWORD });
    const answers = await Promise.all([accept('one@example.com'), accept('two@example.com')]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    expect((await stranger.call('GET', path)).status).toBe(404);
    expect((await accept('three@example.com')).status).toBe(404);
  });

  it('are for whoever is signed in, and never make a role less', async () => {
    const { path } = await invite(theirs, 'member');
    const { body } = await ours.owner.call('POST', path, {});
    expect(body).toMatchObject({ user: { id: ours.owner.id }, project_id: theirs.id });
    expect((await ours.owner.call('GET', `/projects/${theirs.id}`)).body.role).toBe('member');
    await ours.owner.call('POST', (await invite(theirs, 'viewer')).path, {});
    expect((await ours.owner.call('GET', `/projects/${theirs.id}`)).body.role).toBe('member');
    await theirs.owner.call('DELETE', `/projects/${theirs.id}/members/${ours.owner.id}`);
  });

  it('say what is missing, and keep what was not used', async () => {
    const { path } = await invite(ours, 'viewer');
    const person = new Person(app.nest);
    expect((await person.call('POST', path, {})).status).toBe(401);
    expect((await person.call('POST', path, { name: 'x' })).status).toBe(422);
    const known = { name: 'x', email: 'ROOT@example.com', password: PASSWORD };
    expect((await person.call('POST', path, known)).status).toBe(409);
    expect((await person.call('GET', path)).status).toBe(200);
    expect((await person.signIn('root@example.com', 'x')).status).toBe(401);
  });

  it('end when they are taken back, too old, or made by somebody who may not any more', async () => {
    const project = await newProject('Invited');
    const stranger = new Person(app.nest);
    const one = await invite(project, 'viewer');
    expect((await project.owner.call('DELETE', `/projects/${project.id}/invitations/${one.id}`)).status).toBe(204);
    expect((await stranger.call('GET', one.path)).status).toBe(404);
    const two = await invite(project, 'viewer');
    await app.database.dataSource.query(`UPDATE project_invitations SET expires_at = now() WHERE id = $1`, [two.id]);
    expect((await stranger.call('GET', two.path)).status).toBe(404);
    const second = await newMember(project.id, 'owner', project.owner);
    const three = await invite({ ...project, owner: second }, 'owner');
    await project.owner.call('PATCH', `/projects/${project.id}/members/${second.id}`, { role: 'member' });
    expect((await stranger.call('GET', three.path)).status).toBe(404);
    expect((await stranger.call('GET', '/invitations/agi_unknown')).status).toBe(404);
  });
});
