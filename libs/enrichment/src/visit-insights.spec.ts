import { agentId, getBundledCatalog, compileCatalog, type CurrentCatalog } from '#libs/catalog';
import { type RobotsJudgment, type Visit } from '#libs/contracts';
import { BundledCatalog } from '../../../test/kit/identifier.js';
import type { ProjectSettings } from './project-settings.repository.js';
import type { RobotsRequest, RobotsService } from './robots.service.js';
import { VisitInsights, type InsightsRequest } from './visit-insights.js';

const AT = Date.parse('2026-11-21T08:00:00Z');
const project: ProjectSettings = {
  trustedProxies: {},
  hostNames: ['shop.example'],
  unknownVisitors: 'kept',
  siteHosts: ['shop.example'],
  robotsRevision: '1',
};
/** Fake service that returns each request's path as its version. */
const robots = {
  judgeAll: async (requests: readonly RobotsRequest[]): Promise<RobotsJudgment[]> =>
    requests.map(({ visit }) => ({ verdict: 'allowed', version: visit.request_path, line: null })),
} as unknown as RobotsService;
const insights = new VisitInsights(new BundledCatalog(), robots);

const request = (token: string | null, path: string, headers: Visit['request_headers'] = {}): InsightsRequest => ({
  clientAddress: null,
  projectId: '019a0000-0000-7000-8000-000000000000',
  project,
  agentId: token === null ? null : agentId(token),
  visit: { request_path: path, request_method: 'GET', request_headers: headers },
  at: AT,
});

it('judges agents by robots.txt and detects referrals and automation in other visits', async () => {
  const judgments = await insights.judgeAll([
    request('GPTBot', '/a?utm_source=chatgpt.com'),
    request(null, '/b?utm_source=chatgpt.com', { 'User-Agent': 'Quillwright-Harvester/0.9' }),
    request('GPTBot', '/c'),
    request(null, '/d', { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0' }),
  ]);
  const allowed = { verdict: 'allowed', line: null };
  expect(judgments).toEqual([
    { robots: { ...allowed, version: '/a?utm_source=chatgpt.com' } },
    {
      automation: expect.objectContaining({ verdict: 'likely', user_agent_group: 'Quillwright-Harvester/*' }),
      referral: expect.objectContaining({ assistant: 'ChatGPT', source: 'utm_source' }),
    },
    { robots: { ...allowed, version: '/c' } },
    { automation: { verdict: 'unlikely', signs: [] } },
  ]);
});

it('ignores referrals to redirects and files', async () => {
  const referredRequest = request(null, '/a?utm_source=chatgpt.com');
  const of = (visit: Partial<Visit>): InsightsRequest => ({
    ...referredRequest,
    visit: { ...referredRequest.visit, ...visit },
  });
  const judgments = await insights.judgeAll([
    of({ response_status_code: 200 }),
    of({ response_status_code: 302 }),
    of({ request_path: '/logo.png?utm_source=chatgpt.com' }),
  ]);
  expect(judgments.map(({ referral }) => referral?.assistant)).toEqual(['ChatGPT', undefined, undefined]);
});

it('detects data centers from the client address', async () => {
  const catalog = compileCatalog({ ...getBundledCatalog(), dataCenterRanges: ['11.1.0.0/16', '2600:1::/32'] });
  const insightsWithRanges = new VisitInsights({ current: catalog } as CurrentCatalog, robots);
  const browser = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0' };
  const requestFrom = (clientAddress: string | null) => ({ ...request(null, '/', browser), clientAddress });
  const visits = [requestFrom('11.1.2.3'), requestFrom('2600:1::7'), requestFrom('11.2.0.0'), requestFrom(null)];
  const signs = async (of: VisitInsights) => (await of.judgeAll(visits)).map(({ automation }) => automation?.signs);
  expect(await signs(insightsWithRanges)).toEqual([['data_center'], ['data_center'], [], []]);
  expect(await signs(insights)).toEqual([[], [], [], []]);
});
