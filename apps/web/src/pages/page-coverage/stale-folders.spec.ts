import type { CoverageAgent, CoverageFolder } from '../../api/coverage.js';
import { selectColumnAgents, sortStaleFirst } from './stale-folders.js';

const NOW = Date.parse('2026-11-30T12:00:00Z');
const agent = (id: string | null, fetched: number) => ({ agent_id: id, fetched }) as CoverageAgent;

describe('selectColumnAgents', () => {
  it('leaves out agents that fetched next to nothing from the sitemaps', () => {
    const [meta, gptBot, monitor, rest] = [agent('meta', 0), agent('gptbot', 70), agent('monitor', 1), agent(null, 9)];
    expect(selectColumnAgents([meta, gptBot, monitor, rest], 77)).toEqual({
      columnAgents: [gptBot],
      others: [meta, monitor],
      hasMore: false,
    });
    expect(selectColumnAgents([meta, gptBot, monitor], 6).columnAgents).toEqual([gptBot, monitor]);
  });

  it('selects the eight busiest agents', () => {
    const agents = Array.from({ length: 10 }, (_, index) => agent(`${index}`, index === 2 || index === 9 ? 0 : 50));
    const { columnAgents, others, hasMore } = selectColumnAgents(agents, 77);
    expect(columnAgents.map((one) => one.agent_id)).toEqual(['0', '1', '3', '4', '5', '6', '7', '8']);
    expect([others.map((one) => one.agent_id), hasMore]).toEqual([['2'], true]);
  });
});

it('sorts folders that nobody fetched first, then the oldest, and other folders last', () => {
  const folder = (name: string | null, ...days: number[]) =>
    ({
      folder: name,
      agents: days.map((day, index) => ({
        agent_id: `${index}`,
        last_fetch_at: new Date(NOW - day * 86_400_000).toISOString(),
      })),
    }) as CoverageFolder;
  const folders = [
    folder('/all/', 0, 0),
    folder(null),
    folder('/some/', 0),
    folder('/old/', 16, 20),
    folder('/never/'),
  ];
  expect(sortStaleFirst(folders, [agent('0', 5), agent('1', 5)], NOW).map((row) => row.folder)).toEqual([
    '/never/',
    '/old/',
    '/some/',
    '/all/',
    null,
  ]);
});
