import type { Agent } from '#libs/catalog';
import type { Visit } from '#libs/contracts';
import { DemoDecisions } from './demo-decisions.js';
import { generateCheckoutSteps, MAX_CHECKOUT_MS, generateMcpCall } from './demo-commerce.js';
import { ASKED_AGENTS, generatePaymentSteps, MAX_PAYMENT_MS } from './demo-payments.js';
import { DEMO_PROJECT, getContentType, getResponseSize, REQUEST_GENERATORS, type RequestKind } from './demo-shop.js';
import { findWave, getFrequency, isDuringErrors, isDuringSilence, STORY } from './demo-story.js';
import {
  DEMO_AGENTS,
  FILE_READERS,
  getHourlyShare,
  OLD_SECTION_READERS,
  PEOPLE,
  UNLISTED_AGENTS,
  type DemoAgent,
} from './demo-visitors.js';
import { SeededRandom } from './seeded-random.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HOST = DEMO_PROJECT.host_names[0];
/**
 * Documentation networks (RFC 5737) for people, impostors and agents without published addresses. The third one,
 * 203.0.113, is reserved for the last wave of impostors, so it is new to the shop.
 */
const NETWORKS = ['192.0.2', '198.51.100'];
const VISITS_PER_CHECKOUT = 10;

const byTime = (one: Visit, other: Visit): number => (one.created! < other.created! ? -1 : 1);

/** Sender of a request: the part of a visit that doesn't depend on the page. */
interface RequestSender {
  time: number;
  address: string;
  headers: Record<string, string>;
}

interface DemoOptions {
  seed: number;
  /** Catalog agents. Demo agents that aren't in this list generate no visits. */
  agents: readonly Agent[];
  /**
   * End of the story, in milliseconds since the epoch. Visits generated for later hours don't include the outage, and
   * impostors come back from time to time.
   */
  end: number;
}

/** Generates a shop's visits, one hour at a time. The same seed, catalog and end always produce the same visits. */
export class DemoVisits {
  private readonly agents: ReadonlyMap<string, Agent>;
  private readonly decisions: DemoDecisions;
  private readonly seed: number;
  /** End of the story, in hours since the epoch. */
  private readonly end: number;

  constructor({ seed, agents, end }: DemoOptions) {
    this.seed = seed;
    this.agents = new Map(agents.map((agent) => [agent.token, agent]));
    this.decisions = new DemoDecisions(agents, end);
    this.end = Math.floor(end / HOUR_MS);
  }

  /** Generates the visits of the hour that starts at `start` (milliseconds since the epoch), oldest first. */
  generateHour(start: number): Visit[] {
    const hour = start / HOUR_MS;
    const hoursBefore = this.end - hour;
    if (isDuringSilence(hoursBefore)) return [];
    const random = new SeededRandom(this.seed, hour);
    const visits = DEMO_AGENTS.flatMap((demoAgent, index) => {
      const agent = this.agents.get(demoAgent.token);
      const count = random.nextCount(
        demoAgent.daily * getHourlyShare(demoAgent.rhythm, start, index) * getFrequency(demoAgent, hoursBefore),
      );
      if (agent === undefined) return [];
      return Array.from({ length: count }, () =>
        moveScraper(generateAgentVisit(random, demoAgent, agent, start), demoAgent),
      );
    });
    visits.push(...this.generateCheckouts(start, hoursBefore));
    const people = random.nextCount(PEOPLE.daily * getHourlyShare('people', start, 0));
    visits.push(...Array.from({ length: people }, () => generatePersonVisit(random, start)));
    visits.push(...this.generateUnlisted(start));
    visits.push(...this.generateReaders(FILE_READERS, start, 2), ...this.generatePayments(start));
    if (hoursBefore >= STORY.oldSectionUntil) visits.push(...this.generateReaders(OLD_SECTION_READERS, start, 4));
    visits.push(...this.generateWave(random, start, hoursBefore));
    const respond = (requests: readonly Visit[]): Visit[] => {
      const sorted = requests.toSorted(byTime);
      const responses = isDuringErrors(hoursBefore) ? sorted.map((visit) => simulateError(random, visit)) : sorted;
      return this.decisions.record(responses.map(addResponseFacts));
    };
    const decided = respond(visits);
    return [...decided, ...respond(this.generateDisguises(decided, start))].toSorted(byTime);
  }

  /** Generates the visits of all checkouts in this hour. Each checkout starts and ends within the hour. */
  private generateCheckouts(start: number, hoursBefore: number): Visit[] {
    const random = new SeededRandom(this.seed, start / HOUR_MS, 1);
    return DEMO_AGENTS.flatMap((demoAgent, index) => {
      const agent = this.agents.get(demoAgent.token);
      if (agent === undefined || demoAgent.buys === undefined) return [];
      const { buys } = demoAgent;
      const visits =
        demoAgent.daily * getHourlyShare(demoAgent.rhythm, start, index) * getFrequency(demoAgent, hoursBefore);
      return Array.from({ length: random.nextCount(visits / VISITS_PER_CHECKOUT) }).flatMap(() => {
        const time = start + random.nextBelow(HOUR_MS - MAX_CHECKOUT_MS);
        const address = pickPublishedAddress(random, agent) ?? pickUnpublishedAddress(random);
        const headers = createAgentHeaders(agent.sample_user_agents?.[0] ?? agent.token);
        return generateCheckoutSteps(random, buys).map(({ after, extra, ...request }) =>
          createVisit({ time: time + after, address, headers }, request, extra),
        );
      });
    });
  }

  /**
   * Generates visits by agents that aren't in the catalog. A separate random sequence keeps the other visits unchanged.
   */
  private generateUnlisted(start: number): Visit[] {
    const random = new SeededRandom(this.seed + 1, start / HOUR_MS);
    return UNLISTED_AGENTS.flatMap(({ userAgent, daily, rhythm, way, network }, index) =>
      Array.from({ length: random.nextCount(daily * getHourlyShare(rhythm, start, index)) }, () => {
        const address = `${network}.${1 + random.nextBelow(20)}`;
        const time = start + random.nextBelow(HOUR_MS);
        return generateShopVisit(random, { time, address, headers: createAgentHeaders(userAgent) }, way);
      }),
    );
  }

  /** Generates requests for certain pages or files, with a random sequence of their own. */
  private generateReaders(readers: typeof FILE_READERS, start: number, sequence: number): Visit[] {
    const random = new SeededRandom(this.seed + sequence, start / HOUR_MS);
    return readers.flatMap(({ token, daily, way, rhythm }, index) => {
      const agent = this.agents.get(token);
      if (agent === undefined) return [];
      const headers = {
        ...createAgentHeaders(agent.sample_user_agents?.[0] ?? agent.token),
        ...(way === 'read' && { accept: 'text/markdown, text/html;q=0.9, */*;q=0.1' }),
      };
      return Array.from({ length: random.nextCount(daily * getHourlyShare(rhythm, start, index)) }, () => {
        const address = pickPublishedAddress(random, agent) ?? pickUnpublishedAddress(random);
        return generateShopVisit(random, { time: start + random.nextBelow(HOUR_MS), address, headers }, way);
      });
    });
  }

  /** Generates payments for articles, with a random sequence of their own. */
  private generatePayments(start: number): Visit[] {
    const random = new SeededRandom(this.seed + 3, start / HOUR_MS);
    return ASKED_AGENTS.flatMap(({ token, daily, reaction }) => {
      const agent = this.agents.get(token);
      if (agent === undefined) return [];
      const agentHeaders = createAgentHeaders(agent.sample_user_agents?.[0] ?? agent.token);
      return Array.from({ length: random.nextCount(daily / 24) }).flatMap(() => {
        const time = start + random.nextBelow(HOUR_MS - MAX_PAYMENT_MS);
        const address = pickPublishedAddress(random, agent) ?? pickUnpublishedAddress(random);
        return generatePaymentSteps(random, reaction).map(({ after, headers, extra, ...request }) =>
          createVisit({ time: time + after, address, headers: { ...agentHeaders, ...headers } }, request, extra),
        );
      });
    });
  }

  /**
   * Generates visits by refused scrapers that come back as browsers, and by people whose browser claims to be another
   * one, with a random sequence of their own.
   */
  private generateDisguises(visits: readonly Visit[], start: number): Visit[] {
    const random = new SeededRandom(this.seed + 4, start / HOUR_MS);
    const { addresses, disguised } = STORY.scrapers;
    const refused = visits.filter(
      ({ client_address: address, response_status_code: status }) =>
        status === 403 && address!.startsWith(addresses) && random.chance(disguised),
    );
    const scrapers = refused.map(({ client_address: address, created }) => {
      const time = Math.min(Date.parse(created!) + 30_000 + random.nextBelow(600_000), start + HOUR_MS - 1);
      const headers = { 'user-agent': PEOPLE.userAgents[0], accept: '*/*' };
      return generateShopVisit(random, { time, address: address!, headers }, 'crawl');
    });
    const people = Array.from({ length: random.nextCount(STORY.disguisedPeople.daily / 24) }, () => {
      const time = start + random.nextBelow(HOUR_MS);
      return generateShopVisit(
        random,
        { time, address: pickUnpublishedAddress(random), headers: DISGUISED_BROWSER },
        'shop',
      );
    });
    return [...scrapers, ...people];
  }

  private generateWave(random: SeededRandom, start: number, hoursBefore: number): Visit[] {
    const wave = findWave(hoursBefore);
    if (wave === null) return [];
    const { perHour, addresses, machines, claims } = wave;
    return claims.flatMap(({ token, share }) => {
      const agent = this.agents.get(token);
      if (agent === undefined) return [];
      return Array.from({ length: Math.round(perHour * share) }, () => {
        const address = `${addresses}${20 + random.nextBelow(machines)}`;
        return generateShopVisit(
          random,
          createImpostor(random, agent, { time: start + random.nextBelow(HOUR_MS), address }),
          'crawl',
        );
      });
    });
  }
}

/** Headers of a browser whose extension replaces the name, but not the client hints. */
const DISGUISED_BROWSER = {
  'user-agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  accept: 'text/html,application/xhtml+xml',
  'accept-language': 'en-US,en;q=0.9',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'sec-fetch-mode': 'navigate',
  'sec-ch-ua': '"Chromium";v="142", "Google Chrome";v="142", "Not_A Brand";v="99"',
  'sec-ch-ua-platform': '"Linux"',
};

/** Moves visits of disallowed agents to their own network. */
function moveScraper(visit: Visit, { token }: DemoAgent): Visit {
  if (!(STORY.disallowed.tokens as readonly string[]).includes(token)) return visit;
  const { addresses, machines } = STORY.scrapers;
  const host = 1 + (Number(visit.client_address!.split('.')[3]) % machines);
  return { ...visit, client_address: `${addresses}${host}` };
}

function generateAgentVisit(random: SeededRandom, demoAgent: DemoAgent, agent: Agent, start: number): Visit {
  const time = start + random.nextBelow(HOUR_MS);
  const isSpoofed = random.chance(demoAgent.spoofed ?? 0);
  const address = (isSpoofed ? null : pickPublishedAddress(random, agent)) ?? pickUnpublishedAddress(random);
  const sender = isSpoofed
    ? createImpostor(random, agent, { time, address })
    : { time, address, headers: createAgentHeaders(agent.sample_user_agents?.[0] ?? agent.token) };
  if (demoAgent.mcpClient !== undefined && random.chance(0.4)) {
    return createVisit(
      sender,
      { path: '/mcp', status: 200, duration: 60, method: 'POST' },
      generateMcpCall(random, demoAgent.mcpClient),
    );
  }
  return generateShopVisit(random, sender, demoAgent.way);
}

const createAgentHeaders = (userAgent: string): Record<string, string> => ({
  'user-agent': userAgent,
  accept: '*/*',
  'accept-encoding': 'gzip, deflate, br',
});

/**
 * Creates a sender that poses as an agent. It uses one of the agent's user agents and, if the agent signs its requests,
 * a replayed signature.
 */
function createImpostor(
  random: SeededRandom,
  agent: Agent,
  { time, address }: Omit<RequestSender, 'headers'>,
): RequestSender {
  const { sample_user_agents: userAgents = [agent.token], verification } = agent;
  const [signer] = verification.signature_agents ?? [];
  const signature = signer === undefined ? {} : createReplayedSignature(random, signer, time);
  return { time, address, headers: { ...createAgentHeaders(random.pick(userAgents)), ...signature } };
}

/** Simulates a database outage, in which most requests fail or time out. */
function simulateError(random: SeededRandom, visit: Visit): Visit {
  if (random.chance(0.1)) return visit;
  const status = random.pickEarly([503, 500, 504]);
  const duration = status === 504 ? 30_000 : 900 + random.nextBelow(4_000);
  const { response_headers: headers, ...request } = visit;
  const contentType = headers?.['content-type'];
  return {
    ...request,
    response_status_code: status,
    // An error response states no price.
    ...(contentType !== undefined && { response_headers: { 'content-type': contentType } }),
    response_duration_in_milliseconds: duration,
  };
}

/** Adds the size of the response, and whether the shop's cache had it. Search pages are never cached. */
function addResponseFacts(visit: Visit): Visit {
  const { request_path: path, request_method: method, response_status_code: status } = visit;
  const isCached = method === 'GET' && status! < 400 && !path.startsWith('/search?');
  return {
    ...visit,
    response_size_in_bytes: getResponseSize({ path, method, status: status! }),
    response_cache: isCached ? 'hit' : 'miss',
  };
}

function generatePersonVisit(random: SeededRandom, start: number): Visit {
  const assistant = random.chance(0.08) ? random.pickEarly(PEOPLE.assistants) : null;
  const referer = assistant === null ? pickReferer(random) : assistant.referer;
  const sender: RequestSender = {
    time: start + random.nextBelow(HOUR_MS),
    address: pickUnpublishedAddress(random),
    headers: {
      'user-agent': random.pickEarly(PEOPLE.userAgents),
      accept: 'text/html,application/xhtml+xml',
      'accept-language': random.pick(['en-US,en;q=0.9', 'de-DE,de;q=0.9,en;q=0.7', 'fr-FR,fr;q=0.9']),
      'sec-fetch-mode': 'navigate',
      ...(referer !== null && { referer }),
    },
  };
  if (assistant === null) return generateShopVisit(random, sender, 'shop');
  const visit = generateShopVisit(random, sender, 'look');
  return { ...visit, request_path: visit.request_path + assistant.query };
}

function pickReferer(random: SeededRandom): string | null {
  if (random.chance(0.5)) return `${DEMO_PROJECT.site_address}/`;
  return random.chance(0.5) ? random.pickEarly(PEOPLE.searchEngines) : null;
}

const generateShopVisit = (random: SeededRandom, sender: RequestSender, way: RequestKind): Visit =>
  createVisit(sender, REQUEST_GENERATORS[way](random));

function createVisit(
  { time, address, headers }: RequestSender,
  { path, status, duration, method = 'GET', contentType: type }: ReturnType<(typeof REQUEST_GENERATORS)[RequestKind]>,
  extra: object = {},
): Visit {
  const contentType = type ?? (method === 'GET' && status === 200 ? getContentType(path) : undefined);
  return {
    request_path: path,
    request_method: method,
    request_headers: { host: HOST, ...headers },
    client_address: address,
    response_status_code: status,
    ...(contentType !== undefined && { response_headers: { 'content-type': contentType } }),
    response_duration_in_milliseconds: duration,
    created: new Date(time).toISOString(),
    ...extra,
  };
}

/** Returns an IPv4 address from the operator's published ranges, or null if there are none. */
function pickPublishedAddress(random: SeededRandom, { verification }: Agent): string | null {
  const blocks = (verification.ip_ranges ?? []).filter((block) => block.includes('.'));
  if (blocks.length === 0) return null;
  const [base, bits] = random.pickEarly(blocks).split('/') as [string, string];
  const start = base.split('.').reduce((value, part) => value * 256 + Number(part), 0);
  const address = start + random.nextBelow(Math.min(2 ** (32 - Number(bits)), 64));
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');
}

const pickUnpublishedAddress = (random: SeededRandom): string =>
  `${random.pickEarly(NETWORKS)}.${1 + random.nextBelow(254)}`;

/** Returns headers with a signature that expired days ago, as in a replay attack. */
function createReplayedSignature(random: SeededRandom, signer: string, time: number): Record<string, string> {
  const created = Math.floor((time - 3 * DAY_MS) / 1_000);
  const keyId = random.nextBytes(32).toString('base64url');
  const parameters = `created=${created};expires=${created + 3_600};keyid="${keyId}";tag="web-bot-auth"`;
  return {
    'signature-agent': `"https://${signer}"`,
    'signature-input': `sig1=("@authority" "signature-agent");${parameters}`,
    signature: `sig1=:${random.nextBytes(64).toString('base64')}:`,
  };
}
