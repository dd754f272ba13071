import { jest } from '@jest/globals';
import type { InstanceClient } from '../client.js';
import type { RequestInput } from '../operation-types.js';
import { replayCommand } from './replay.command.js';

const PROJECT = { id: '019a0000-0000-7000-8000-000000000001', name: 'Shop' };
const OTHER = { id: '019a0000-0000-7000-8000-000000000002', name: 'Blog' };
const FROM = '2026-11-21T10:00:00Z';
const TO = '2026-11-21T12:00:00Z';
const LETTERS = [
  { id: 'at the end', failed_at: TO, replayed_at: null },
  { id: 'last', failed_at: '2026-11-21T11:59:59.999Z', replayed_at: null },
  { id: 'replayed before', failed_at: '2026-11-21T11:00:00.000Z', replayed_at: '2026-11-21T13:00:00.000Z' },
  { id: 'first', failed_at: FROM, replayed_at: null },
  { id: 'too early', failed_at: '2026-11-21T09:59:59.999Z', replayed_at: null },
];

const variables = { ...process.env };
let requests: unknown[];
let projects: object[];
let output: string;

beforeEach(() => {
  [requests, projects, output] = [[], [PROJECT], ''];
  delete process.env['KAFKA_BROKERS'];
  for (const name of ['log', 'error'] as const) {
    jest.spyOn(console, name).mockImplementation((text: string) => void (output += `${text}\n`));
  }
});
afterEach(() => {
  process.env = { ...variables };
  jest.restoreAllMocks();
});

async function run(...args: string[]): Promise<string> {
  const client = {
    get: async (path: string, input?: RequestInput) => {
      if (path === '/api/projects') return { projects };
      requests.push(input?.params?.query);
      return { dead_letters: LETTERS, next_cursor: null };
    },
    post: async (path: string, { body }: { body: { ids: string[] } }) => {
      requests.push({ path, ...body });
      return { replayed: body.ids.length };
    },
  } as unknown as InstanceClient;
  await replayCommand(async () => ({ client, token: undefined })).parseAsync(args, { from: 'user' });
  return output;
}

it('replays the remaining dead letters in the range and reports that replaying requests needs Kafka', async () => {
  expect(await run('--from', FROM, '--to', TO)).toBe(
    [
      'Only dead letters were replayed: replaying requests requires Kafka, and KAFKA_BROKERS is not set.',
      'To identify stored visits again without Kafka: agent-traffic visits reidentify --help',
      'Replayed 2 dead letters.',
      '',
    ].join('\n'),
  );
  expect(requests).toEqual([
    expect.objectContaining({ project: PROJECT.id }),
    { path: '/api/dead-letters/replay', ids: ['last', 'first'] },
  ]);
});

it('replays dead letters from every project by default', async () => {
  projects.push(OTHER);
  expect(JSON.parse(await run('--from', FROM, '--to', TO, '--json'))).toEqual({ dead_letters: 4, requests: null });
  expect(requests).toEqual([
    expect.objectContaining({ project: PROJECT.id }),
    { path: '/api/dead-letters/replay', ids: ['last', 'first'] },
    expect.objectContaining({ project: OTHER.id }),
    { path: '/api/dead-letters/replay', ids: ['last', 'first'] },
  ]);
  requests = [];
  await run('--from', FROM, '--to', TO, '--json', '--project', 'blog');
  expect(requests).toEqual([expect.objectContaining({ project: OTHER.id }), expect.anything()]);
});

it('prints the counts as JSON', async () => {
  expect(JSON.parse(await run('--from', FROM, '--to', TO, '--json'))).toEqual({ dead_letters: 2, requests: null });
});

it.each([
  [TO, FROM],
  [FROM, FROM],
])('rejects the range from %s to %s and replays nothing', async (from, to) => {
  await expect(run('--from', from, '--to', to)).rejects.toThrow('--from must be before --to.');
  expect(requests).toEqual([]);
});
