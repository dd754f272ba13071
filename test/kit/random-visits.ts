import { AUTOMATION_VERDICTS, createStableVisitId, ROBOTS_VERDICTS, type EnrichedVisit } from '#libs/contracts';
import type { VisitRow } from '#libs/visit-store';
import { SeededRandom } from '../../libs/demo/src/seeded-random.js';
import { createVisitRow, type StoredVisit } from './stored-visits.js';

const QUARTER_MS = 900_000;
const DAY_MS = 86_400_000;

const AGENTS = [
  { agent: 'GPTBot', type: 'AI Data Scraper', operator: 'OpenAI' },
  { agent: 'ClaudeBot', type: 'AI Data Scraper', operator: 'Anthropic' },
  { agent: 'PerplexityBot', type: 'AI Search Crawler', operator: 'Perplexity' },
  { agent: 'Googlebot', type: 'Search Engine Crawler', operator: 'Google' },
  { agent: 'Nobody', type: 'Uncategorized' },
];
const RESULTS = ['verified', 'verified', 'verification_failed', 'not_verifiable'] as const;
const PATHS = [
  '/',
  '/?',
  '/a',
  '/a?x=1',
  '/a?x=1?y=2',
  '/a/b',
  '/a.md',
  '/b/index.html?x=1',
  '/c.md',
  '/A',
  '/ä',
  '/%3F',
  '?only',
  '//',
  '/robots.txt',
  '/robots.txt?1',
  '/\u{1F600}?ü',
  `/${'long/'.repeat(100)}`,
];
const ADDRESSES = [
  '192.0.2.1',
  '192.0.2.77',
  '192.0.3.1',
  '198.51.100.200',
  '2001:db8::1',
  '2001:db8:0:1::2',
  '2001:db8:ffff::1',
];
const STATUSES = [200, 200, 301, 404, 404, 500, 503, 99, 200.5];
const USER_AGENTS = ['curl/8.5.0', 'python-requests/2.31', 'Mozilla/5.0 (X11)', '', 'ünï/1'];
export const USER_AGENT_GROUPS = ['curl', 'python-requests', 'Go-http-client'];

/**
 * Returns visits with varied values, sorted by time of receipt. Many occurred at the same time.
 *
 * @param days Number of days before `now` on which the visits were received.
 */
export function createRandomVisits(
  seed: number,
  count: number,
  { projectIds, now, days }: { projectIds: readonly string[]; now: number; days: number },
): VisitRow[] {
  const random = new SeededRandom(seed);
  return Array.from({ length: count }, () => Math.floor(now - random.next() * days * DAY_MS))
    .sort((one, other) => one - other)
    .map((receivedAt) => {
      const id = createStableVisitId(receivedAt, random.nextBytes(9).toString('hex'));
      return createVisitRow(random.pick(projectIds), id, receivedAt, createVisit(random, receivedAt));
    });
}

function createVisit(random: SeededRandom, receivedAt: number): StoredVisit {
  const isAgent = random.chance(0.6);
  const address = random.chance(0.9) ? random.pick(ADDRESSES) : null;
  const userAgent = random.pick(USER_AGENTS);
  return {
    at: new Date(random.chance(0.5) ? Math.floor(receivedAt / QUARTER_MS) * QUARTER_MS : receivedAt).toISOString(),
    ...(isAgent && { ...random.pick(AGENTS), result: random.pick(RESULTS) }),
    ...(address !== null && { address }),
    path: random.pick(PATHS),
    method: random.pick(['GET', 'HEAD', 'POST']),
    headers: random.pick<Record<string, string | string[]>>([
      { 'user-agent': userAgent },
      { 'User-Agent': userAgent },
      { 'USER-AGENT': [userAgent, 'second'] },
      { accept: '*/*' },
      {},
    ]),
    extra: {
      response_status_code: random.chance(0.9) ? random.pick(STATUSES) : null,
      response_size_in_bytes: random.chance(0.8) ? Math.floor(random.next() ** 8 * 1e11) : null,
      response_size_type: random.pick(['body', 'sent', null]),
      response_duration_in_milliseconds: random.chance(0.8) ? random.next() ** 4 * 1e4 : null,
      response_cache: random.pick(['hit', 'miss', null]),
      ...(random.chance(0.2) && {
        mcp_request_tool_name: random.pick(['search', 'cart\u0000', 'ä']),
        mcp_request_protocol_version: '2026-07-28',
      }),
    },
    ...(random.chance(0.3) && { reason: random.pick(['no_match', 'wrong_network']) }),
    ...(random.chance(0.3) && {
      evidence: { steps: [{ host_names: ['a.example', 'b.example'] }, { kind: 'other' }, { host_names: [] }] },
    }),
    ...(!isAgent && random.chance(0.1) && { keptAs: 'counted' }),
    insights: isAgent
      ? random.chance(0.8)
        ? { robots: { verdict: random.pick(ROBOTS_VERDICTS), version: null, line: null } }
        : {}
      : createUnknownInsights(random),
  };
}

function createUnknownInsights(random: SeededRandom): Pick<EnrichedVisit, 'automation' | 'referral'> {
  const verdict = random.pick(AUTOMATION_VERDICTS);
  const group = random.pick(USER_AGENT_GROUPS);
  return {
    ...(random.chance(0.8) && {
      automation: { verdict, signs: [], ...(verdict !== 'unlikely' && { user_agent_group: group }) },
    }),
    ...(random.chance(0.2) && {
      referral: { assistant: random.pick(['ChatGPT', 'Claude']), operator: 'Any', source: 'referer', value: 'any' },
    }),
  };
}
