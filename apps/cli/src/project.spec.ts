import type { AccessToken, Project } from '#libs/contracts';
import type { InstanceClient } from './client.js';
import type { RequestInput } from './operation-types.js';
import { getProjectAccess, selectProject } from './project.js';

const project = (id: string, name: string): Project => ({ id, name }) as Project;
const SITE = project('11111111-1111-4111-8111-111111111111', 'My site');
const SHOP = project('22222222-2222-4222-8222-222222222222', 'Shop');

it('selects the only project, or one by ID or name', () => {
  expect(selectProject([SITE], undefined)).toBe(SITE);
  expect(selectProject([SITE, SHOP], SHOP.id.toUpperCase())).toBe(SHOP);
  expect(selectProject([SITE, SHOP], 'my SITE')).toBe(SITE);
  expect(selectProject([SITE, project('3', 'my site')], 'my site')).toMatchObject({ id: '3' });
});

it('lists all projects if the choice is ambiguous or nothing matches', () => {
  expect(() => selectProject([SITE, SHOP], undefined)).toThrow(/There are 2 projects[^]*My site[^]*Shop/);
  expect(() => selectProject([SITE, SHOP], 'blog')).toThrow(/No project is named "blog":[^]*Shop/);
  expect(() => selectProject([SITE, project('3', 'MY SITE')], 'my site')).toThrow('Several projects');
  expect(() => selectProject([], undefined)).toThrow('No projects exist yet');
});

const token = (id: string, created_at: string, extra: Partial<AccessToken> = {}) => ({
  id,
  project_id: SITE.id,
  created_at,
  revoked_at: null,
  expires_at: null,
  purposes: ['report', 'ask'],
  ...extra,
});

function client(tokens: object[]): InstanceClient {
  const get = async (path: string, input?: RequestInput): Promise<unknown> => {
    if (path === '/api/projects') return { projects: [SITE] };
    const { id, tokenId } = input!.params!.path!;
    expect(id).toBe(SITE.id);
    return tokenId === undefined ? { tokens } : { token: `agt_${tokenId}` };
  };
  return { get } as unknown as InstanceClient;
}

it("reveals the project's oldest active token with the purpose", async () => {
  const tokens = [
    token('new', '2026-02'),
    token('revoked', '2025-01', { revoked_at: '2025-02-01T00:00:00.000Z' }),
    token('expired', '2025-01', { expires_at: '2025-02-01T00:00:00.000Z' }),
    token('other-purpose', '2025-01', { purposes: ['report'] }),
    token('old', '2026-01', { expires_at: '2999-01-01T00:00:00.000Z' }),
  ];
  const instance = { client: client(tokens), token: undefined };
  expect(await getProjectAccess(instance, undefined, 'ask')).toEqual({ token: 'agt_old', project: SITE });
  await expect(getProjectAccess({ ...instance, client: client([]) }, undefined, 'ask')).rejects.toMatchObject({
    hint: expect.stringContaining('tokens create'),
  });
});

it('prefers the token from the environment if no project is requested', async () => {
  const instance = { client: client([token('old', '2026-01')]), token: 'agt_env' };
  expect(await getProjectAccess(instance, undefined, 'ask')).toEqual({ token: 'agt_env', project: undefined });
  expect(await getProjectAccess(instance, 'My site', 'ask')).toMatchObject({ token: 'agt_old' });
});
