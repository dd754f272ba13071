import type { Compliance } from '../../api/compliance.js';
import { fileFilters, groupFiles } from './file-fetches.js';

const NO_ANSWERS = { file: 0, html: 0, redirect: 0, challenge: 0, not_found: 0, refused: 0, error: 0 };

const createFetches = (path: string, last: string, answers: Partial<typeof NO_ANSWERS>) => ({
  path,
  purpose: null,
  visits: Object.values(answers).reduce((sum, visits) => sum + visits, 0),
  answers: { ...NO_ANSWERS, ...answers },
  last_at: last,
});
const createFile = (agent: string, fetches: ReturnType<typeof createFetches>): Compliance['files'][number] => ({
  agent_id: agent,
  agent_token: agent,
  agent_type_name: null,
  operator_name: null,
  is_user_triggered: false,
  served: 0,
  failed: 0,
  ...fetches,
});

it('groups fetches by file, most fetches first', () => {
  const files = [
    createFile('GPTBot', createFetches('/llms.txt', '2026-11-21T08:00:00Z', { not_found: 2 })),
    createFile('GPTBot', createFetches('/robots.txt', '2026-11-21T08:15:00Z', { file: 5 })),
    createFile('CCBot', createFetches('/robots.txt', '2026-11-21T07:00:00Z', { html: 1 })),
  ];
  const unknown = [createFetches('/robots.txt', '2026-11-21T09:00:00Z', { file: 1, refused: 1 })];
  const groups = groupFiles(files, unknown);
  expect(groups.map(({ path, visits }) => [path, visits])).toEqual([
    ['/robots.txt', 8],
    ['/llms.txt', 2],
  ]);
  expect(groups[0]).toMatchObject({
    answers: { ...NO_ANSWERS, file: 6, html: 1, refused: 1 },
    last_at: '2026-11-21T09:00:00Z',
    unknownVisits: 2,
  });
  expect(groups[0]!.agents.map(({ agent_token: token }) => token)).toEqual(['GPTBot', 'CCBot']);
  expect(groupFiles([], [])).toEqual([]);
});

it('filters visits by file', () => {
  expect(fileFilters('/robots.txt')).toEqual({ page: ['/robots.txt'] });
  expect(fileFilters('/.well-known/mcp/*')).toEqual({ path: ['/.well-known/mcp/'] });
});
