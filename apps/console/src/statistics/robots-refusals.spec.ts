import type { AgentFileCount } from './agent-files.service.js';
import { createAnswers, findRobotsRefusals } from './robots-refusals.js';

const createCount = (
  agent: string,
  answers: Partial<AgentFileCount['answers']>,
  { path = '/robots.txt', without = 0 } = {},
): AgentFileCount => ({
  agent_id: agent,
  path,
  purpose: null,
  visits: Object.values(answers).reduce((sum, visits) => sum + visits, without),
  served: 0,
  failed: 0,
  answers: { ...createAnswers(), ...answers },
  last_at: '',
});

it('finds agents that get something else than robots.txt', () => {
  const refused = findRobotsRefusals([
    createCount('a', { html: 1, challenge: 1, refused: 1, error: 1 }),
    createCount('b', { refused: 5, file: 5 }),
    createCount('mostly served', { refused: 5, file: 6 }),
    createCount('other file', { refused: 50 }, { path: '/llms.txt' }),
  ]);
  expect(refused).toMatchObject({ visits: 9, fetches: 14, answers: { refused: 6, file: 5, html: 1 } });
  expect(refused!.agents).toEqual([
    { agent_id: 'b', visits: 5 },
    { agent_id: 'a', visits: 4 },
  ]);
});

it('ignores HTML if the file has this content type', () => {
  expect(findRobotsRefusals([createCount('a', { html: 9 })], true)).toBeNull();
  expect(findRobotsRefusals([createCount('a', { html: 9, refused: 9 })], true)).toMatchObject({
    visits: 9,
    fetches: 18,
    answers: { file: 9, html: 0, refused: 9 },
  });
});

it.each<[string, AgentFileCount[]]>([
  ['no requests', []],
  ['the file', [createCount('a', { file: 100 })]],
  ['no robots.txt', [createCount('a', { not_found: 100 })]],
  ['redirects', [createCount('a', { redirect: 100 })]],
  ['unknown answers', [createCount('a', {}, { without: 100 })]],
  ['too few requests', [createCount('a', { refused: 2 }), createCount('b', { html: 2 })]],
  ['a short outage', [createCount('a', { error: 40, file: 60 })]],
])('ignores %s', (_, files) => expect(findRobotsRefusals(files)).toBeNull());
