import { identify, type Dns, type Identification } from '#libs/agents';
import { getBundledCatalog, createCatalog, compileCatalog } from '#libs/catalog';
import { validator, getVisitKinds, VisitSchema, type Visit } from '#libs/contracts';
import { DEMO_PROJECT } from './demo-shop.js';
import { STORY } from './demo-story.js';
import { DEMO_AGENTS } from './demo-visitors.js';
import { readPayment } from '#libs/payments';
import { decideRobotsAccess, parseRobotsFile } from '#libs/robots';
import { demoRobotsVersions, type DemoRobotsVersion } from './demo-robots.js';
import { DemoVisits } from './demo-visits.js';

const HOUR_MS = 3_600_000;
const START = Date.parse('2026-11-01T00:00:00Z');
const { agents, proxies } = getBundledCatalog();
/** The story ends before START, so only ordinary days are generated. */
const demo = new DemoVisits({ seed: 7, agents, end: START - 60 * 24 * HOUR_MS });
const visitsOfWeek: Visit[] = Array.from({ length: 168 }, (_, hour) =>
  demo.generateHour(START + hour * HOUR_MS),
).flat();
const filterWeekByUserAgent = (pattern: RegExp): Visit[] =>
  visitsOfWeek.filter((visit) => pattern.test(String(visit.request_headers['user-agent'])));

describe('DemoVisits', () => {
  it('generates valid visits, sorted by time and within the requested hour', () => {
    const schema = validator(VisitSchema);
    expect(visitsOfWeek.flatMap((visit) => schema.faults(visit))).toEqual([]);
    const times = visitsOfWeek.map(({ created }) => created!);
    expect(times).toEqual(times.toSorted());
    const hour = demo.generateHour(START + 5 * HOUR_MS).map(({ created }) => created!.slice(0, 13));
    expect(new Set(hour)).toEqual(new Set(['2026-11-01T05']));
  });

  it('generates the same visits for the same seed and different visits for other seeds', () => {
    const generate = (seed: number, end: number): Visit[] => new DemoVisits({ seed, agents, end }).generateHour(START);
    expect(generate(7, START - 60 * 24 * HOUR_MS)).toEqual(demo.generateHour(START));
    expect(generate(8, START - 60 * 24 * HOUR_MS)).not.toEqual(demo.generateHour(START));
    expect(generate(7, START + 10 * 24 * HOUR_MS + 1)).toEqual(generate(7, START + 10 * 24 * HOUR_MS));
  });

  it('generates 20,000 to 50,000 visits per month', () => {
    expect((visitsOfWeek.length / 7) * 30).toBeGreaterThan(20_000);
    expect((visitsOfWeek.length / 7) * 30).toBeLessThan(50_000);
  });

  it('uses only agents from the catalog', () => {
    const catalogTokens = new Set(agents.map(({ token }) => token));
    expect(DEMO_AGENTS.filter(({ token }) => !catalogTokens.has(token))).toEqual([]);
  });

  it('covers every kind of visit in the dashboard', () => {
    const kinds = new Set(visitsOfWeek.flatMap((visit) => getVisitKinds(visit)));
    expect(kinds).toEqual(new Set(['page', 'mcp', 'acp', 'ucp']));
    expect(
      visitsOfWeek.filter(({ request_headers: headers }) => headers['referer'] === 'https://chatgpt.com/').length,
    ).toBeGreaterThan(20);
    expect(
      visitsOfWeek.filter(({ request_headers: headers }) => headers['signature'] !== undefined).length,
    ).toBeGreaterThan(20);
    expect(filterWeekByUserAgent(/GPTBot/).length).toBeGreaterThan(300);
    expect(new Set(visitsOfWeek.map((visit) => visit.response_status_code))).toEqual(
      new Set([200, 201, 302, 304, 402, 403, 404, 500]),
    );
  });

  it('includes paid articles, declined payments and agents that walk away', () => {
    const payments = visitsOfWeek
      .map(({ response_status_code, request_headers, response_headers }) =>
        readPayment(
          { status: response_status_code ?? null, requestHeaders: request_headers, responseHeaders: response_headers },
          new Set(),
        ),
      )
      .filter((payment) => payment !== null);
    const outcomes = new Set(payments.map(({ scheme, outcome }) => `${scheme} ${outcome}`));
    expect(outcomes.isSupersetOf(new Set(['crawler asked', 'crawler paid', 'crawler failed', 'x402 paid']))).toBe(true);
  });

  it('includes multi-step checkouts and all kinds of failed tool calls', () => {
    const bodies = visitsOfWeek.flatMap(({ acp_response_body: acp, ucp_response_body: ucp }) => acp ?? ucp ?? []) as {
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
    const codes = new Set(visitsOfWeek.map((visit) => visit.mcp_response_error_code));
    expect(codes).toEqual(new Set([undefined, -32_602, -32_603]));
    expect(visitsOfWeek.some((visit) => visit.mcp_response_result_is_error)).toBe(true);
  });

  it('contains a crawler that costs more than all other visitors together', () => {
    const sum = (visits: Visit[]) => ({
      bytes: visits.reduce((bytes, visit) => bytes + visit.response_size_in_bytes!, 0),
      hours: visits.reduce((hours, visit) => hours + visit.response_duration_in_milliseconds! / HOUR_MS, 0),
    });
    const [one, all] = [sum(filterWeekByUserAgent(/meta-externalagent/i)), sum(visitsOfWeek)];
    expect(one.bytes).toBeGreaterThan(all.bytes / 2);
    expect(one.hours).toBeGreaterThan(all.hours / 2);
  });

  it('varies traffic by time of day', () => {
    const perHour = (visits: Visit[], hour: string): number =>
      visits.filter(({ created }) => created!.slice(11, 13) === hour).length;
    const people = visitsOfWeek.filter(({ request_headers: headers }) => headers['sec-fetch-mode'] === 'navigate');
    expect(perHour(people, '19')).toBeGreaterThan(3 * perHour(people, '03'));
    expect(perHour(filterWeekByUserAgent(/GPTBot/), '03')).toBeGreaterThan(
      3 * perHour(filterWeekByUserAgent(/GPTBot/), '10'),
    );
  });
});

describe('demo story', () => {
  const NOW = START + 30 * 24 * HOUR_MS;
  const storyVisits = new DemoVisits({ seed: 7, agents, end: NOW });
  const hoursBefore = (from: number, to: number): Visit[] =>
    Array.from({ length: from - to }, (_, index) => storyVisits.generateHour(NOW - (from - index) * HOUR_MS)).flat();
  const filterByUserAgent = (visits: Visit[], pattern: RegExp): Visit[] =>
    visits.filter(({ request_headers: headers }) => pattern.test(String(headers['user-agent'])));
  const countPerDay = (pattern: RegExp): number[] =>
    Array.from(
      { length: 10 },
      (_, day) => filterByUserAgent(hoursBefore((10 - day) * 24, (9 - day) * 24), pattern).length,
    );

  it('contains 20,000 to 60,000 visits', () => {
    const month = hoursBefore(30 * 24, 0);
    expect(month.length).toBeGreaterThan(20_000);
    expect(month.length).toBeLessThan(60_000);
  });

  it('contains an agent that first appears on the last day', () => {
    const { since } = STORY.newcomer;
    expect(filterByUserAgent(hoursBefore(30 * 24, since), /Google-Agent/)).toEqual([]);
    const [first] = filterByUserAgent(hoursBefore(since, 0), /Google-Agent/);
    expect(NOW - Date.parse(first!.created!)).toBeGreaterThan((since - 2) * HOUR_MS);
    expect(since).toBeLessThan(22);
    expect(filterByUserAgent(hoursBefore(since, 0), /Google-Agent/).length).toBeGreaterThan(60);
  });

  it('contains agents that ask for Markdown and sometimes get HTML', () => {
    const asked = hoursBefore(7 * 24, 0).filter(({ request_headers: { accept } }) =>
      String(accept).startsWith('text/markdown'),
    );
    const types = asked.map(({ response_headers: headers }) => String(headers?.['content-type']).split(';')[0]);
    expect(new Set(types)).toEqual(new Set(['text/markdown', 'text/html', 'text/plain']));
    expect(types.filter((type) => type === 'text/html').length).toBeGreaterThan(20);
  });

  it('contains an agent whose traffic grows and one whose traffic drops', () => {
    const riser = countPerDay(/PerplexityBot/);
    expect(riser.at(-1)!).toBeGreaterThan(3 * riser[0]!);
    expect(riser.at(-1)!).toBeGreaterThan(1.5 * riser.at(-2)!);
    const leaver = countPerDay(/Bytespider/);
    expect(leaver.at(-1)!).toBeLessThan(leaver[0]! / 3);
  });

  it('contains assistant referrals identified by header, query and app', () => {
    const { referrals } = compileCatalog(getBundledCatalog());
    const referralLabels = hoursBefore(30 * 24, 0).flatMap(({ request_path: path, request_headers: headers }) => {
      const referral = referrals.find({ path, headers }, DEMO_PROJECT.host_names);
      return referral === null ? [] : `${referral.assistant} by ${referral.value}`;
    });
    expect(new Set(referralLabels)).toEqual(
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
    expect(referralLabels.length).toBeGreaterThan(500);
  });

  it('contains an agent that ignores robots.txt until the policy blocks it', () => {
    const [first, second] = demoRobotsVersions(NOW - 30 * 24 * HOUR_MS, NOW);
    expect(first!.from).toBe(NOW - 30 * 24 * HOUR_MS);
    const isAllowed = ({ text }: DemoRobotsVersion, token: string) =>
      decideRobotsAccess(parseRobotsFile(Buffer.from(text)), token, '/chairs').isAllowed;
    expect(isAllowed(first!, 'Scrapy')).toBe(true);
    expect(isAllowed(second!, 'Scrapy')).toBe(false);
    expect(isAllowed(second!, 'Googlebot')).toBe(true);
    const { liveSince } = STORY.policy;
    const scrapy = (from: number, to: number) =>
      filterByUserAgent(hoursBefore(from, to), /Scrapy/).filter(({ request_path: path }) => path !== '/robots.txt');
    const ignoring = scrapy((NOW - second!.from) / HOUR_MS, liveSince);
    expect(ignoring.filter(({ response_status_code: status }) => status === 200).length).toBeGreaterThan(10);
    const blocked = scrapy(liveSince, 0);
    expect(blocked.length).toBeGreaterThan(20);
    expect(new Set(blocked.map(({ response_status_code: status }) => status))).toEqual(new Set([403]));
  });

  it('contains hours of errors followed by hours without visits', () => {
    const { errors, silence } = STORY.outage;
    const failed = (visits: Visit[]): number => visits.filter((visit) => visit.response_status_code! >= 500).length;
    const hours = hoursBefore(errors.from, errors.to);
    expect(failed(hours) / hours.length).toBeGreaterThan(0.8);
    expect(hoursBefore(silence.from, silence.to)).toEqual([]);
    const before = hoursBefore(errors.from + 24, errors.from);
    expect(failed(before) / before.length).toBeLessThan(0.02);
  });

  it('contains a wave of impostors that fail IP range and reverse DNS checks', () => {
    // Catalog of an instance that has fetched the operators' address lists.
    const ranges = new Map(
      agents.flatMap(({ verification: { ip_list_urls: urls = [], ip_ranges: ipRanges = [] } }) =>
        urls.map(({ url }) => [url, ipRanges] as const),
      ),
    );
    const lists = [...ranges].map(([url, ipRanges]) => ({ url, ranges: ipRanges, fetchedAt: NOW, changedAt: NOW }));
    const catalog = compileCatalog(createCatalog({ agents, proxies, lists }));
    const dns: Dns = { hostNames: () => ({ values: [] }), addresses: () => ({ values: [] }) };
    const sources = { dns, directories: { find: () => ({ fault: 'key_not_in_directory' as const }) } };
    const { hours, addresses } = STORY.waves[0];
    const wave = hoursBefore(hours.from, hours.to).filter(({ client_address: address }) =>
      address?.startsWith(addresses),
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
    expect(before.filter((address) => address?.startsWith(addresses))).toEqual([]);
    expect(failed.length).toBeGreaterThan(400);
    const reasons = Map.groupBy(failed, ({ method }) => method);
    expect(reasons.get('ip_range')!.length).toBeGreaterThan(150);
    expect(reasons.get('reverse_dns')!.length).toBeGreaterThan(100);
    expect(new Set(wave.map(({ client_address: address }) => address)).size).toBeGreaterThan(10);
    expect(new Set(failed.map(({ agent_token: token }) => token)).size).toBeGreaterThan(2);
  });
});
