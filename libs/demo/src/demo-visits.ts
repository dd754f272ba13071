import type { Agent } from '#libs/catalog';
import type { Visit } from '#libs/contracts';
import { checkoutSteps, MAX_CHECKOUT_MS, mcpCall } from './demo-commerce.js';
import { DEMO_PROJECT, REQUESTS, type Way } from './demo-shop.js';
import { frequency, hasErrors, isBlockedAtTimes, isSilent, isWave, STORY } from './demo-story.js';
import { DEMO_AGENTS, PEOPLE, swing, UNLISTED, type DemoAgent } from './demo-visitors.js';
import { SeededRandom } from './seeded-random.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HOST = DEMO_PROJECT.host_names[0];
/**
 * Documentation networks (RFC 5737) of people, impostors and agents without published addresses. The third one,
 * 203.0.113, belongs to the wave and is new to the shop.
 */
const NETWORKS = ['192.0.2', '198.51.100'];
const VISITS_PER_CHECKOUT = 10;

/** Sender of a request: the parts of a visit that don't depend on the page. */
interface Guest {
  time: number;
  address: string;
  headers: Record<string, string>;
}

interface DemoOptions {
  seed: number;
  /** Catalog agents. Demo agents that are missing here generate no visits. */
  agents: readonly Agent[];
  /** End of the story, in milliseconds since the epoch. Later hours have no wave or outage. */
  end: number;
}

/** Generates a shop's visits, hour by hour. An hour always has the same visits for the same seed, catalog and end. */
export class DemoVisits {
  private readonly agents: ReadonlyMap<string, Agent>;
  private readonly seed: number;
  /** Hours since the epoch. */
  private readonly end: number;

  constructor({ seed, agents, end }: DemoOptions) {
    this.seed = seed;
    this.agents = new Map(agents.map((agent) => [agent.token, agent]));
    this.end = Math.floor(end / HOUR_MS);
  }

  /** Returns the visits of the hour that starts at `start`, oldest first. */
  ofHour(start: number): Visit[] {
    const hour = start / HOUR_MS;
    const hoursBefore = this.end - hour;
    if (isSilent(hoursBefore)) return [];
    const random = new SeededRandom(this.seed, hour);
    const visits = DEMO_AGENTS.flatMap((demo, index) => {
      const agent = this.agents.get(demo.token);
      const count = random.count(demo.daily * swing(demo.rhythm, start, index) * frequency(demo, hoursBefore));
      if (agent === undefined) return [];
      const isBlocked = (): boolean => isBlockedAtTimes(demo, hoursBefore) && random.chance(STORY.disallowed.blocked);
      return Array.from({ length: count }, () => {
        const visit = agentVisit(random, demo, agent, start);
        return isBlocked() ? { ...visit, response_status_code: 403, response_duration_in_milliseconds: 1 } : visit;
      });
    });
    visits.push(...this.checkouts(start, hoursBefore));
    const people = random.count(PEOPLE.daily * swing('people', start, 0));
    visits.push(...Array.from({ length: people }, () => personVisit(random, start)));
    visits.push(...this.unlisted(start));
    if (isWave(hoursBefore)) visits.push(...this.wave(random, start));
    const sorted = visits.toSorted((one, other) => (one.created! < other.created! ? -1 : 1));
    return hasErrors(hoursBefore) ? sorted.map((visit) => withError(random, visit)) : sorted;
  }

  /** Returns the checkouts that start in this hour. They also end in it. */
  private checkouts(start: number, hoursBefore: number): Visit[] {
    const random = new SeededRandom(this.seed, start / HOUR_MS, 1);
    return DEMO_AGENTS.flatMap((demo, index) => {
      const agent = this.agents.get(demo.token);
      if (agent === undefined || demo.buys === undefined) return [];
      const { buys } = demo;
      const visits = demo.daily * swing(demo.rhythm, start, index) * frequency(demo, hoursBefore);
      return Array.from({ length: random.count(visits / VISITS_PER_CHECKOUT) }).flatMap(() => {
        const time = start + random.below(HOUR_MS - MAX_CHECKOUT_MS);
        const address = publishedAddress(random, agent) ?? foreignAddress(random);
        const headers = agentHeaders(agent.sample_user_agents?.[0] ?? agent.token);
        return checkoutSteps(random, buys).map(({ after, extra, ...request }) =>
          visitOf({ time: time + after, address, headers }, request, extra),
        );
      });
    });
  }

  /**
   * Returns visits of agents that are missing from the catalog. They use a separate random sequence, so they don't
   * affect the other visits.
   */
  private unlisted(start: number): Visit[] {
    const random = new SeededRandom(this.seed + 1, start / HOUR_MS);
    return UNLISTED.flatMap(({ userAgent, daily, rhythm, way, network }, index) =>
      Array.from({ length: random.count(daily * swing(rhythm, start, index)) }, () => {
        const address = `${network}.${1 + random.below(20)}`;
        const time = start + random.below(HOUR_MS);
        return shopVisit(random, { time, address, headers: agentHeaders(userAgent) }, way);
      }),
    );
  }

  private wave(random: SeededRandom, start: number): Visit[] {
    const { perHour, network, machines, claims } = STORY.wave;
    return claims.flatMap(({ token, share }) => {
      const agent = this.agents.get(token);
      if (agent === undefined) return [];
      return Array.from({ length: Math.round(perHour * share) }, () => {
        const address = `${network}.${20 + random.below(machines)}`;
        return shopVisit(random, impostor(random, agent, { time: start + random.below(HOUR_MS), address }), 'crawl');
      });
    });
  }
}

function agentVisit(random: SeededRandom, demo: DemoAgent, agent: Agent, start: number): Visit {
  const time = start + random.below(HOUR_MS);
  const isSpoofed = random.chance(demo.spoofed ?? 0);
  const address = (isSpoofed ? null : publishedAddress(random, agent)) ?? foreignAddress(random);
  const guest = isSpoofed
    ? impostor(random, agent, { time, address })
    : { time, address, headers: agentHeaders(agent.sample_user_agents?.[0] ?? agent.token) };
  if (demo.mcpClient !== undefined && random.chance(0.4)) {
    return visitOf(guest, { path: '/mcp', status: 200, duration: 60, method: 'POST' }, mcpCall(random, demo.mcpClient));
  }
  return shopVisit(random, guest, demo.way);
}

const agentHeaders = (userAgent: string): Record<string, string> => ({
  'user-agent': userAgent,
  accept: '*/*',
  'accept-encoding': 'gzip, deflate, br',
});

/**
 * Returns a guest that poses as an agent. It uses any of the agent's user agents and, if the agent signs its requests,
 * a replayed signature.
 */
function impostor(random: SeededRandom, agent: Agent, { time, address }: Omit<Guest, 'headers'>): Guest {
  const { sample_user_agents: names = [agent.token], verification } = agent;
  const [signer] = verification.signature_agents ?? [];
  const signature = signer === undefined ? {} : replayedSignature(random, signer, time);
  return { time, address, headers: { ...agentHeaders(random.pick(names)), ...signature } };
}

/** Simulates a database outage: most requests fail or time out. */
function withError(random: SeededRandom, visit: Visit): Visit {
  if (random.chance(0.1)) return visit;
  const status = random.pickEarly([503, 500, 504]);
  const duration = status === 504 ? 30_000 : 900 + random.below(4_000);
  return { ...visit, response_status_code: status, response_duration_in_milliseconds: duration };
}

function personVisit(random: SeededRandom, start: number): Visit {
  const assistant = random.chance(0.08) ? random.pickEarly(PEOPLE.assistants) : null;
  const referer = assistant === null ? personReferer(random) : assistant.referer;
  const guest: Guest = {
    time: start + random.below(HOUR_MS),
    address: foreignAddress(random),
    headers: {
      'user-agent': random.pickEarly(PEOPLE.userAgents),
      accept: 'text/html,application/xhtml+xml',
      'accept-language': random.pick(['en-US,en;q=0.9', 'de-DE,de;q=0.9,en;q=0.7', 'fr-FR,fr;q=0.9']),
      'sec-fetch-mode': 'navigate',
      ...(referer !== null && { referer }),
    },
  };
  if (assistant === null) return shopVisit(random, guest, 'shop');
  const visit = shopVisit(random, guest, 'look');
  return { ...visit, request_path: visit.request_path + assistant.query };
}

function personReferer(random: SeededRandom): string | null {
  if (random.chance(0.5)) return `${DEMO_PROJECT.site_address}/`;
  return random.chance(0.5) ? random.pickEarly(PEOPLE.searchEngines) : null;
}

const shopVisit = (random: SeededRandom, guest: Guest, way: Way): Visit => visitOf(guest, REQUESTS[way](random));

function visitOf(
  { time, address, headers }: Guest,
  { path, status, duration, method = 'GET' }: ReturnType<(typeof REQUESTS)[Way]>,
  extra: object = {},
): Visit {
  return {
    request_path: path,
    request_method: method,
    request_headers: { host: HOST, ...headers },
    client_address: address,
    response_status_code: status,
    response_duration_in_milliseconds: duration,
    created: new Date(time).toISOString(),
    ...extra,
  };
}

/** Returns an IPv4 address from the operator's published ranges, or null if it publishes none. */
function publishedAddress(random: SeededRandom, { verification }: Agent): string | null {
  const blocks = (verification.ip_ranges ?? []).filter((block) => block.includes('.'));
  if (blocks.length === 0) return null;
  const [base, bits] = random.pickEarly(blocks).split('/') as [string, string];
  const start = base.split('.').reduce((value, part) => value * 256 + Number(part), 0);
  const address = start + random.below(Math.min(2 ** (32 - Number(bits)), 64));
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');
}

const foreignAddress = (random: SeededRandom): string => `${random.pickEarly(NETWORKS)}.${1 + random.below(254)}`;

/** Returns the headers of a signature that expired days ago, as in a replay attack. */
function replayedSignature(random: SeededRandom, signer: string, time: number): Record<string, string> {
  const created = Math.floor((time - 3 * DAY_MS) / 1_000);
  const keyId = random.bytes(32).toString('base64url');
  const parameters = `created=${created};expires=${created + 3_600};keyid="${keyId}";tag="web-bot-auth"`;
  return {
    'signature-agent': `"https://${signer}"`,
    'signature-input': `sig1=("@authority" "signature-agent");${parameters}`,
    signature: `sig1=:${random.bytes(64).toString('base64')}:`,
  };
}
