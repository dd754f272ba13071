import { CONSOLE_INTERFACE, type ProjectRole } from '#libs/contracts';
import { App, type Json } from '../kit/app.js';
import { Person, type Method } from '../kit/person.js';
import {
  createRequestBody,
  createMember,
  createTenant,
  UNKNOWN_ID,
  PASSWORD,
  createOperationUrl,
  type Tenant,
} from '../kit/tenant.js';

let app: App;
let admin: Person;
let ours: Tenant;
let theirs: Tenant;

beforeAll(async () => {
  app = await App.start();
  admin = await Person.administrator(app.nest, 'root@example.com', PASSWORD);
  ours = await newProject('Ours');
  theirs = await newProject('Theirs');
});
afterAll(() => app.dispose());

const newProject = (name: string): Promise<Tenant> => createTenant(app, admin, name);
const newMember = (projectId: string, role: ProjectRole, inviter = admin) => createMember(inviter, projectId, role);

/** Calls every operation that requires credentials as `person` on the tenant's resources. */
async function* everyOperation(person: Person, tenant: Tenant) {
  for (const { id, method, path, access } of CONSOLE_INTERFACE.operations) {
    // Shared links have their credential in the path. sharing.int.spec.ts covers them.
    if (access === 'public' || access === 'shared') continue;
    const body = method === 'get' || method === 'delete' ? undefined : createRequestBody(id, tenant);
    const response = await person.call(
      method.toUpperCase() as Method,
      createOperationUrl(path, tenant).replace('/api', ''),
      body,
    );
    yield { id, ...response, access };
  }
}

const listSecrets = ({ id, tokenId, tokenValue }: Tenant): string[] => [id, tokenId, tokenValue, 'secret-of-'];
const PROJECT_ACCESS_LEVELS = new Set(['viewer', 'member', 'owner']);

it('hides a project from members of other projects in every operation', async () => {
  const seen: Json[] = [];
  for await (const { id, status, body, text, access } of everyOperation(ours.owner, theirs)) {
    seen.push(id);
    if (PROJECT_ACCESS_LEVELS.has(access) || id === 'explainIdentification') {
      expect([id, status]).toEqual([id, 404]);
      const resourceName = id.includes('DeadLetter') ? 'dead letter' : 'project';
      expect(body.detail).toBe(`This ${resourceName} doesn't exist.`);
    }
    for (const secret of listSecrets(theirs)) {
      const found = text.replaceAll('secret-of-Ours', '').includes(secret);
      expect([id, secret, found]).toEqual([id, secret, false]);
    }
  }
  expect(seen.length).toBeGreaterThan(25);
  // Inaccessible and nonexistent projects must be indistinguishable.
  const foreign = await ours.owner.call('GET', `/projects/${theirs.id}/tokens`);
  const missing = await ours.owner.call('GET', `/projects/${UNKNOWN_ID}/tokens`);
  expect({ ...foreign.body, instance: '' }).toEqual({ ...missing.body, instance: '' });
  // IDs from another project aren't found under the caller's own project.
  for (const [method, path] of [
    ['GET', `tokens/${theirs.tokenId}`],
    ['DELETE', `tokens/${theirs.tokenId}`],
    ['GET', `rules-versions/${theirs.versionId}`],
    ['GET', `robots-versions/${theirs.robotsVersionId}`],
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

describe('members', () => {
  const getRoles = async ({ id, owner }: Tenant): Promise<Json> =>
    Object.fromEntries(
      (await owner.call('GET', `/projects/${id}/members`)).body.members.map((member: Json) => [
        member.user_id,
        member.role,
      ]),
    );

  it("removes a member's access immediately, even to open streams", async () => {
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
    // The request resolves when the stream ends.
    expect((await stream).status).toBe(200);
    expect((await change('viewer')).status).toBe(404);
    expect(await getRoles(project)).toEqual({ [project.owner.id]: 'owner' });
  });

  it('prevents the last owner from being removed or demoted, even concurrently', async () => {
    const project = await newProject('Owned');
    const url = (id: string) => `/projects/${project.id}/members/${id}`;
    const removal = await project.owner.call('DELETE', url(project.owner.id));
    expect([removal.status, removal.body.detail]).toEqual([409, expect.stringContaining('last owner')]);
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

  it('allows members to leave a project', async () => {
    const project = await newProject('Gone');
    const viewer = await newMember(project.id, 'viewer');
    expect((await viewer.call('DELETE', `/projects/${project.id}/members/${viewer.id}`)).status).toBe(204);
    expect((await viewer.call('GET', '/projects')).body.projects).toEqual([]);
  });
});

describe('invitations', () => {
  const invite = async (project: Tenant, role: ProjectRole): Promise<{ id: string; path: string }> => {
    const { status, body } = await project.owner.call('POST', `/projects/${project.id}/invitations`, { role });
    expect([status, body.url]).toEqual([201, expect.stringMatching(/^http:\/\/127.0.0.1:3000\/invitations\/agi_\w+$/)]);
    return { id: body.id, path: new URL(body.url).pathname };
  };

  it('accepts an invitation only once, even concurrently', async () => {
    const { path } = await invite(ours, 'member');
    const stranger = new Person(app.nest);
    const invitation = await stranger.call('GET', path);
    const expected = { project_name: 'Ours', role: 'member', expires_at: expect.any(String) };
    expect([invitation.status, invitation.body]).toEqual([200, expected]);
    const accept = (email: string) =>
      new Person(app.nest).call('POST', path, { name: 'Both', email, password: PASSWORD });
    const responses = await Promise.all([accept('one@example.com'), accept('two@example.com')]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    const again = await stranger.call('GET', path);
    const detail = 'This invitation has already been used or withdrawn, or it has expired.';
    expect([again.status, again.body.detail]).toEqual([404, detail]);
    expect(await accept('three@example.com')).toMatchObject({ status: 404, body: { detail } });
  });

  it('adds the signed-in person to the project but never lowers their role', async () => {
    const { path } = await invite(theirs, 'member');
    const { body } = await ours.owner.call('POST', path, {});
    expect(body).toMatchObject({ user: { id: ours.owner.id }, project_id: theirs.id });
    expect((await ours.owner.call('GET', `/projects/${theirs.id}`)).body.role).toBe('member');
    await ours.owner.call('POST', (await invite(theirs, 'viewer')).path, {});
    expect((await ours.owner.call('GET', `/projects/${theirs.id}`)).body.role).toBe('member');
    await theirs.owner.call('DELETE', `/projects/${theirs.id}/members/${ours.owner.id}`);
  });

  it('leaves an invitation open after rejected attempts', async () => {
    const { path } = await invite(ours, 'viewer');
    const person = new Person(app.nest);
    expect((await person.call('POST', path, {})).status).toBe(401);
    expect((await person.call('POST', path, { name: 'x' })).status).toBe(422);
    const existingAccount = { name: 'x', email: 'ROOT@example.com', password: PASSWORD };
    expect((await person.call('POST', path, existingAccount)).status).toBe(409);
    expect((await person.call('GET', path)).status).toBe(200);
    expect((await person.signIn('root@example.com', 'x')).status).toBe(401);
  });

  it("ends invitations when they're withdrawn, when they expire, or when their creator can't invite people anymore", async () => {
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
