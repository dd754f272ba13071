import { buildReport } from './report.js';
import type { ReportData } from './report-data.js';

const NETWORK = '203.0.113.0/24';
const agent = (token: string | null) => ({ agent_id: token ?? '7d4f', agent_token: token });
const impersonation = (...tokens: (string | null)[]) => ({
  kind: 'impersonation',
  network: NETWORK,
  visits: 80,
  spoofed: 80,
  previous_visits: 0,
  agents: tokens.map(agent),
});

/** Builds the report on a week whose agent visits rose from 100 to 200. @param failed Visits that failed verification. */
function build({ failed, item }: { failed: [now: number, before: number]; item: object }) {
  const totals = (visits: number, spoofed: number) => ({
    visits,
    agent_visits: visits,
    agents: 2,
    verified: 0,
    verification_failed: spoofed,
  });
  const data = {
    overview: {
      from: '2026-11-16T00:00:00.000Z',
      to: '2026-11-23T00:00:00.000Z',
      time_zone: 'UTC',
      current: totals(200, failed[0]),
      previous: totals(100, failed[1]),
      series: [],
      top_agents: [],
      top_pages: [],
    },
    isCompared: true,
    news: { items: [item] },
    referrals: null,
    compliance: null,
    previousCompliance: null,
    costly: null,
  };
  const { summary, changes } = buildReport(data as unknown as ReportData, {
    project: { id: 'p', name: 'Shop' },
    publicUrl: 'https://traffic.example',
    reported: { name: 'Weekly report', comparedWith: 'the week before' },
    days: [],
  });
  const [cause] = changes!.items;
  return { summary, text: cause!.text, search: new URL(cause!.url!).searchParams };
}

it('explains a rise in failed verification by the network that posed as agents', () => {
  expect(build({ failed: [100, 20], item: impersonation('Googlebot', 'GPTBot') }).summary).toBe(
    `100 visits failed verification (+400%), mostly because ${NETWORK} posed as Googlebot and GPTBot. Agents made 200 visits (+100%), 80 of them from this network.`,
  );
});

it("doesn't explain a fall in failed verification by a network that posed as agents", () => {
  expect(build({ failed: [20, 100], item: { ...impersonation('Googlebot'), spoofed: 15 } }).summary).toBe(
    `20 visits failed verification (−80%). Agents made 200 visits (+100%), mostly because ${NETWORK} made 80 visits posing as Googlebot.`,
  );
});

it('leaves agents that are no longer in the catalog out of the sentence, and links to their visits by ID', () => {
  const { text, search } = build({ failed: [0, 0], item: impersonation('Googlebot', null) });
  expect(text).toBe(`${NETWORK} made 80 visits posing as Googlebot.`);
  expect(search.getAll('agent')).toEqual(['Googlebot', '7d4f']);
  expect(build({ failed: [0, 0], item: impersonation(null) }).text).toBe(`${NETWORK} made 80 visits posing as agents.`);
});

it('links to the visits of all agents that a network posed as', () => {
  const tokens = Array.from({ length: 15 }, (_, index) => `Bot${index}`);
  const { text, search } = build({ failed: [0, 0], item: { ...impersonation(...tokens), spoofed: 20 } });
  expect(text).toBe(`${NETWORK} made 80 visits posing as Bot0, Bot1, and 13 others.`);
  expect(search.getAll('agent')).toEqual(tokens);
  expect(search.getAll('result')).toEqual(['verification_failed', 'not_verifiable']);
});
