import { jest } from '@jest/globals';
import type { Reidentification } from '#libs/contracts';
import { reidentifyCommand } from './reidentify.command.js';

const PROJECT = { id: '019a0000-0000-7000-8000-00000000000a', name: 'Shop' };
const applying: Reidentification = {
  id: '019a0000-0000-7000-8000-000000000001',
  from: '2026-11-01T00:00:00.000Z',
  to: '2026-12-01T00:00:00.000Z',
  agent: null,
  state: 'applying',
  is_paused: false,
  progress: 0.5,
  preview: null,
  result: null,
  error: null,
  created_at: '2026-11-21T08:30:00.000Z',
  created_by: null,
};

let printed: string[];

beforeEach(() => {
  printed = [];
  jest.spyOn(console, 'log').mockImplementation((text: string) => void printed.push(text));
  jest.spyOn(console, 'error').mockImplementation((text: string) => void printed.push(text));
});
afterEach(() => jest.restoreAllMocks());

/** Runs `--apply` while someone else changes the re-identification. */
async function apply(change: Partial<Reidentification>): Promise<unknown> {
  const client = {
    get: async (path: string) => (path === '/api/projects' ? { projects: [PROJECT] } : { ...applying, ...change }),
    patch: async () => applying,
  };
  return reidentifyCommand((async () => ({ client })) as never).parseAsync(['--apply', applying.id], { from: 'user' });
}

it('fails if the re-identification is canceled or an error pauses it', async () => {
  const canceled = apply({ state: 'canceled' });
  const failed = apply({ is_paused: true, error: 'no space left' });
  await expect(canceled).rejects.toThrow('The re-identification was canceled before it was complete.');
  await expect(failed).rejects.toThrow('The re-identification was paused because of an error.');
});

it('shows how to resume a re-identification that someone paused', async () => {
  await apply({ is_paused: true });
  expect(printed).toContain(
    `The re-identification is paused. To resume it: agent-traffic visits reidentify --project ${PROJECT.id} --resume ${applying.id}`,
  );
});
