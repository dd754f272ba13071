import { InMemoryPubSub } from '#libs/cache';
import { ACCESS_CHANNEL, type PolicyRule } from '#libs/contracts';
import type { PolicyVersion, ProjectPoliciesRepository } from './project-policies.repository.js';
import { ProjectPoliciesService } from './project-policies.service.js';

const RULES: PolicyRule[] = [{ id: 'rule', name: 'Rule', mode: 'live', action: { kind: 'refuse' } }];

let saved: { project_id: string; id: string }[] | Error;
let loads = 0;
const repository = {
  findNewest: async (_: string[], knownIds: string[]): Promise<PolicyVersion[]> => {
    if (saved instanceof Error) throw saved;
    return saved.map((version) => {
      if (knownIds.includes(version.id)) return { ...version, rules: null };
      loads += 1;
      return { ...version, rules: RULES };
    });
  },
} as unknown as ProjectPoliciesRepository;

let pubSub: InMemoryPubSub;
let service: ProjectPoliciesService;
beforeEach(() => {
  loads = 0;
  pubSub = new InMemoryPubSub();
  service = new ProjectPoliciesService(repository, pubSub);
});
afterEach(() => service.onApplicationShutdown());

async function announceChange(): Promise<void> {
  await pubSub.publish(ACCESS_CHANNEL, '');
  await new Promise(setImmediate);
}

it('compiles a version only once, and loads the next one when it is announced', async () => {
  saved = [{ project_id: 'shop', id: '1' }];
  const first = await service.find('shop');
  await announceChange();
  expect([await service.find('shop'), loads]).toEqual([first, 1]);
  saved = [{ project_id: 'shop', id: '2' }];
  await announceChange();
  expect(await service.find('shop')).not.toBe(first);
  expect(loads).toBe(2);
  expect((await service.find('other')).isEmpty).toBe(true);
});

it("uses cached policies while the database is down, and throws a 503 error if a policy isn't cached", async () => {
  saved = [{ project_id: 'shop', id: '1' }];
  await service.find('shop');
  saved = new Error('connection lost');
  await announceChange();
  expect((await service.find('shop')).isEmpty).toBe(false);
  await expect(service.find('other')).rejects.toMatchObject({ statusCode: 503 });
});
