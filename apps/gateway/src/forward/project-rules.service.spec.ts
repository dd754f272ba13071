import { InMemoryPubSub } from '#libs/cache';
import { ACCESS_CHANNEL } from '#libs/contracts';
import type { ProjectRulesRepository } from './project-rules.repository.js';
import { ProjectRulesService } from './project-rules.service.js';
import { BlockingRules } from './blocking-rules.js';

const RULES = new BlockingRules({ agent_types: ['Scraper'], format: 'text' }, []);
const SCRAPER = { result: 'not_verifiable', agent_token: 'AlphaBot', agent_type_name: 'Scraper' } as const;

let saved: Map<string, BlockingRules> | Error;
let reads = 0;
const repository = {
  find: async () => {
    reads += 1;
    if (saved instanceof Error) throw saved;
    return saved;
  },
} as unknown as ProjectRulesRepository;

let pubSub: InMemoryPubSub;
let service: ProjectRulesService;
beforeEach(() => {
  reads = 0;
  pubSub = new InMemoryPubSub();
  service = new ProjectRulesService(repository, pubSub);
});
afterEach(() => service.onApplicationShutdown());

const isBlocked = async (projectId: string): Promise<boolean> => (await service.find(projectId)).blocks(SCRAPER, '/');

it("loads a project's rules only once, even if none are saved", async () => {
  saved = new Map([['with', RULES]]);
  for (let count = 0; count < 100; count += 1) {
    expect([await isBlocked('with'), await isBlocked('without')]).toEqual([true, false]);
  }
  expect(reads).toBe(2);
});

it('reloads rules when a change is announced', async () => {
  saved = new Map();
  expect(await isBlocked('with')).toBe(false);
  saved = new Map([['with', RULES]]);
  await pubSub.publish(ACCESS_CHANNEL, '');
  await new Promise(setImmediate);
  expect(await isBlocked('with')).toBe(true);
});

it("uses cached rules while the database is down, and throws a 503 error if rules aren't cached", async () => {
  saved = new Map([['with', RULES]]);
  await service.find('with');
  saved = new Error('connection lost');
  await pubSub.publish(ACCESS_CHANNEL, '');
  await new Promise(setImmediate);
  expect(await isBlocked('with')).toBe(true);
  await expect(service.find('other')).rejects.toMatchObject({ statusCode: 503, headers: { 'retry-after': '2' } });
});
