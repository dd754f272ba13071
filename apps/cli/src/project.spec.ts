import type { Project } from '#libs/contracts';
import type { InstanceClient } from './client.js';
import type { RequestInput } from './operation-types.js';
import { accessProject, chooseProject } from './project.js';

const project = (id: string, name: string): Project => ({ id, name }) as Project;
const SITE = project('11111111-1111-4111-8111-111111111111', 'My site');
const SHOP = project('22222222-2222-4222-8222-222222222222', 'Shop');

it('selects the only project, or one by ID or name', () => {
  expect(chooseProject([SITE], undefined)).toBe(SITE);
  expect(chooseProject([SITE, SHOP], SHOP.id.toUpperCase())).toBe(SHOP);
  expect(chooseProject([SITE, SHOP], 'my SITE')).toBe(SITE);
  expect(chooseProject([SITE, project('3', 'my site')], 'my site')).toMatchObject({ id: '3' });
});

it('lists the projects if the choice is ambiguous or none matches', () => {
  expect(() => chooseProject([SITE, SHOP], undefined)).toThrow(/There are 2 projects[^]*My site[^]*Shop/);
  expect(() => chooseProject([SITE, SHOP], 'blog')).toThrow(/No project is named "blog":[^]*Shop/);
  expect(() => chooseProject([SITE, project('3', 'MY SITE')], 'my site')).toThrow('Several projects');
  expect(() => chooseProject([], undefined)).toThrow('no projects yet');
});

const token = (id: string, created_at: string, revoked_at: string | null = null) => ({
  id,
  project_id: SITE.id,
  created_at,
  revoked_at,
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

it("reveals the project's oldest token that isn't revoked", async () => {
  const tokens = [token('new', '2026-02'), token('revoked', '2025-01', '2025-02'), token('old', '2026-01')];
  const instance = { client: client(tokens), token: undefined };
  expect(await accessProject(instance, undefined)).toEqual({ token: 'agt_old', project: SITE });
  await expect(accessProject({ ...instance, client: client([]) }, undefined)).rejects.toMatchObject({
    hint: expect.stringContaining('tokens create'),
  });
});

it('prefers the token of the environment unless a project is named', async () => {
  const instance = { client: client([token('old', '2026-01')]), token: 'agt_env' };
  expect(await accessProject(instance, undefined)).toEqual({ token: 'agt_env', project: undefined });
  expect(await accessProject(instance, 'My site')).toMatchObject({ token: 'agt_old' });
});
