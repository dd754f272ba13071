import { identify, type Dns, type Identification } from '#libs/agents';
import { bundledCatalog, catalogOf, compileCatalog } from '#libs/catalog';
import { validator, visitKinds, VisitSchema, type Visit } from '#libs/contracts';
import { DEMO_PROJECT } from './demo-shop.js';
import { STORY } from './demo-story.js';
import { DEMO_AGENTS } from './demo-visitors.js';
import { decide, readRobotsFile } from '#libs/robots';
import { demoRobots, type DemoRobots } from './demo-robots.js';
import { DemoVisits } from './demo-visits.js';

const HOUR_MS = 3_600_000;
const START = Date.parse('2026-11-01T00:00:00Z');
const { agents, proxies } = bundledCatalog();
/** Generates ordinary days only, because the story ends before them. */
const demo = new DemoVisits({ seed: 7, agents, end: START - 60 * 24 * HOUR_MS });
const week: Visit[] = Array.from({ length: 168 }, (_, hour) => demo.ofHour(START + hour * HOUR_MS)).flat();
const among = (form: RegExp): Visit[] => week.filter((visit) => form.test(String(visit.request_headers['user-agent'])));

describe('DemoVisits', () => {
  it('are valid, sorted by time and within their hour', () => {
    const schema = validator(VisitSchema);
    expect(week.flatMap((visit) => schema.faults(visit))).toEqual([]);
    const times = week.map(({ created }) => created!);
    expect(times).toEqual(times.toSorted());
    const hour = demo.ofHour(START + 5 * HOUR_MS).map(({ created }) => created!.slice(0, 13));
    expect(new Set(hour)).toEqual(new Set(['2026-11-01T05']));
  });

  it('are reproducible for a seed and differ between seeds', () => {
    const of = (seed: number, end: number): Visit[] => new DemoVisits({ seed, agents, end }).ofHour(START);
    expect(of(7, START - 60 * 24 * HOUR_MS)).toEqual(demo.ofHour(START));
    expect(of(8, START - 60 * 24 * HOUR_MS)).not.toEqual(demo.ofHour(START));
    expect(of(7, START + 10 * 24 * HOUR_MS + 1)).toEqual(of(7, START + 10 * 24 * HOUR_MS));
  });

  it('number 20,000 to 50,000 per month', () => {
    expect((week.length / 7) * 30).toBeGreaterThan(20_000);
    expect((week.length / 7) * 30).toBeLessThan(50_000);
  });

  it('come only from agents in the catalog', () => {
    const known = new Set(agents.map(({ token }) => token));
    expect(DEMO_AGENTS.filter(({ token }) => !known.has(token))).toEqual([]);
  });

  it('cover every kind of visit that the dashboard shows', () => {
    const kinds = new Set(week.flatMap((visit) => visitKinds(visit)));
    expect(kinds).toEqual(new Set(['page', 'mcp', 'acp', 'ucp']));
    expect(
      week.filter(({ request_headers: headers }) => headers['referer'] === 'https://chatgpt.com/').length,
    ).toBeGreaterThan(20);
    expect(week.filter(({ request_headers: headers }) => headers['signature'] !== undefined).length).toBeGreaterThan(
      20,
    );
    expect(among(/GPTBot/).length).toBeGreaterThan(300);
    expect(new Set(week.map((visit) => visit.response_status_code))).toEqual(
      new Set([200, 201, 302, 304, 403, 404, 500]),
    );
  });

  it('include multi-step checkouts and all kinds of failed tool calls', () => {
    const bodies = week.flatMap(({ acp_response_body: acp, ucp_response_body: ucp }) => acp ?? ucp ?? []) as {
      id: string;
      status: string;
    }[];
    const checkouts = [...Map.groupBy(bodies, ({ id }) => id).values()].map((steps) =>
      steps.map((step) => step.status),
    );
    expect(checkouts.length).toBeGreaterThan(20);
    const ends = new Set(checkouts.map((states) => states.at(-1)));
    expect(ends.isSupersetOf(new Set(['completed', 'ready_for_payment', 'canceled']))).toBe(true);
    expect(checkouts.every((states) => !states.slice(0, -1).includes('completed'))).toBe(true);
    const codes = new Set(week.map((visit) => visit.mcp_response_error_code));
    expect(codes).toEqual(new Set([undefined, -32_602, -32_603]));
    expect(week.some((visit) => visit.mcp_response_result_is_error)).toBe(true);
  });

  it('have a daily rhythm', () => {
    const perHour = (visits: Visit[], hour: string): number =>
      visits.filter(({ created }) => created!.slice(11, 13) === hour).length;
    const people = week.filter(({ request_headers: headers }) => headers['sec-fetch-mode'] === 'navigate');
    expect(perHour(people, '19')).toBeGreaterThan(3 * perHour(people, '03'));
    expect(perHour(among(/GPTBot/), '03')).toBeGreaterThan(3 * perHour(among(/GPTBot/), '10'));
  });
});

describe('demo story', () => {
  const NOW = START + 30 * 24 * HOUR_MS;
  const told = new DemoVisits({ seed: 7, agents, end: NOW });
  const hoursBefore = (from: number, to: number): Visit[] =>
    Array.from({ length: from - to }, (_, index) => told.ofHour(NOW - (from - index) * HOUR_MS)).flat();
  const by = (visits: Visit[], form: RegExp): Visit[] =>
    visits.filter(({ request_headers: headers }) => form.test(String(headers['user-agent'])));
  const daysOf = (form: RegExp): number[] =>
    Array.from({ length: 10 }, (_, day) => by(hoursBefore((10 - day) * 24, (9 - day) * 24), form).length);

  it('contains 20,000 to 60,000 visits', () => {
    const month = hoursBefore(30 * 24, 0);
    expect(month.length).toBeGreaterThan(20_000);
    expect(month.length).toBeLessThan(60_000);
  });

  it('contains an agent that first appears on the last day', () => {
    const { since } = STORY.newcomer;
    expect(by(hoursBefore(30 * 24, since), /Google-Agent/)).toEqual([]);
    const [first] = by(hoursBefore(since, 0), /Google-Agent/);
    expect(NOW - Date.parse(first!.created!)).toBeGreaterThan((since - 2) * HOUR_MS);
    expect(since).toBeLessThan(22);
    expect(by(hoursBefore(since, 0), /Google-Agent/).length).toBeGreaterThan(60);
  });

  it('contains a growing and a disappearing agent', () => {
    const riser = daysOf(/PerplexityBot/);
    expect(riser.at(-1)!).toBeGreaterThan(3 * riser[0]!);
    expect(riser.at(-1)!).toBeGreaterThan(1.5 * riser.at(-2)!);
    const leaver = daysOf(/Bytespider/);
    expect(leaver.at(-1)!).toBeLessThan(leaver[0]! / 3);
  });

  it('contains referrals from assistants by header, query and app', () => {
    const { referrals } = compileCatalog(bundledCatalog());
    const found = hoursBefore(30 * 24, 0).flatMap(({ request_path: path, request_headers: headers }) => {
      const referral = referrals.find({ path, headers }, DEMO_PROJECT.host_names);
      return referral === null ? [] : `${referral.assistant} by ${referral.value}`;
    });
    expect(new Set(found)).toEqual(
      new Set([
        'ChatGPT by chatgpt.com',
        'ChatGPT by com.openai.chatgpt',
        'Perplexity by perplexity.ai',
        'Perplexity by perplexity',
        'Claude by claude.ai',
        'Gemini by gemini.google.com',
        'Copilot by copilot.microsoft.com',
      ]),
    );
    expect(found.length).toBeGreaterThan(500);
  });

  it('contains an agent that ignores robots.txt and is sometimes blocked', () => {
    const [first, second] = demoRobots(NOW - 30 * 24 * HOUR_MS, NOW);
    expect(first!.from).toBe(NOW - 30 * 24 * HOUR_MS);
    const isAllowed = ({ text }: DemoRobots, token: string) =>
      decide(readRobotsFile(Buffer.from(text)), token, '/chairs').isAllowed;
    expect(isAllowed(first!, 'Scrapy')).toBe(true);
    expect(isAllowed(second!, 'Scrapy')).toBe(false);
    expect(isAllowed(second!, 'Googlebot')).toBe(true);
    const statuses = by(hoursBefore((NOW - second!.from) / HOUR_MS, 0), /Scrapy/).map(
      ({ response_status_code: status }) => status,
    );
    expect(statuses.filter((status) => status === 403).length).toBeGreaterThan(20);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(10);
  });

  it('contains hours of errors followed by silence', () => {
    const { errors, silence } = STORY.outage;
    const failed = (visits: Visit[]): number => visits.filter((visit) => visit.response_status_code! >= 500).length;
    const hours = hoursBefore(errors.from, errors.to);
    expect(failed(hours) / hours.length).toBeGreaterThan(0.8);
    expect(hoursBefore(silence.from, silence.to)).toEqual([]);
    const before = hoursBefore(errors.from + 24, errors.from);
    expect(failed(before) / before.length).toBeLessThan(0.02);
  });

  it('contains a wave of impostors that IP ranges and reverse DNS detect', () => {
    // The catalog of an instance that has fetched the operators' lists.
    const ranges = new Map(
      agents.flatMap(({ verification: { ip_list_urls: urls = [], ip_ranges: own = [] } }) =>
        urls.map(({ url }) => [url, own] as const),
      ),
    );
    const lists = [...ranges].map(([url, own]) => ({ url, ranges: own, fetchedAt: NOW }));
    const catalog = compileCatalog(catalogOf({ agents, proxies, lists }));
    const dns: Dns = { hostNames: () => ({ values: [] }), addresses: () => ({ values: [] }) };
    const sources = { dns, directories: { find: () => ({ fault: 'key_not_in_directory' as const }) } };
    const { hours, network } = STORY.wave;
    const wave = hoursBefore(hours.from, hours.to).filter(({ client_address: address }) =>
      address?.startsWith(`${network}.`),
    );
    const failed = wave
      .map((visit) => {
        const at = Date.parse(visit.created!);
        const request = {
          method: visit.request_method,
          path: visit.request_path,
          headers: visit.request_headers as Record<string, string>,
          at,
          receivedAt: NOW,
        };
        const clientAddress = { address: visit.client_address!, source: 'connection', reason: null } as never;
        const context = { catalog, clientAddress, sources, hostNames: [], allowTestKeys: false, now: NOW };
        return identify(request as never, context) as Identification;
      })
      .filter(({ result }) => result === 'verification_failed');
    const before = hoursBefore(7 * 24, hours.from).map(({ client_address: address }) => address);
    expect(before.filter((address) => address?.startsWith(`${network}.`))).toEqual([]);
    expect(failed.length).toBeGreaterThan(400);
    const reasons = Map.groupBy(failed, ({ method }) => method);
    expect(reasons.get('ip_range')!.length).toBeGreaterThan(150);
    expect(reasons.get('reverse_dns')!.length).toBeGreaterThan(100);
    expect(new Set(wave.map(({ client_address: address }) => address)).size).toBeGreaterThan(10);
    expect(new Set(failed.map(({ agent_token: token }) => token)).size).toBeGreaterThan(2);
  });
});
