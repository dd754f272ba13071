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
 * Networks for documentation (RFC 5737): people, and those who only say that they are an agent, come from there. The
 * third is the wave's, which is new to the shop.
 */
const NETWORKS = ['192.0.2', '198.51.100'];
/** Of an agent that buys. */
const VISITS_PER_CHECKOUT = 10;

/** A visitor's request before it is one of the shop's. */
interface Guest {
  time: number;
  address: string;
  headers: Record<string, string>;
}

interface DemoOptions {
  seed: number;
  /** Of the catalog; those it does not have don't come. */
  agents: readonly Agent[];
  /** When the story has been told, in milliseconds since the epoch. After it the shop has ordinary days. */
  end: number;
}

/** Visits of a month in the life of a shop: the same for the same seed and end, whenever and for how long they are made. */
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

  /** Everything in the hour that starts at this time, oldest first. */
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

  /** What agents that buy do; each checkout ends in the hour in which it begins. */
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

  /** Programs that nobody has listed yet; with chances of their own, so that all others stay as they are. */
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

  /** One scraper that says by turns that it is each of several agents. */
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

/** Somebody with an agent's name: any of those it has used, and, where it signs, with a signature that was overheard. */
function impostor(random: SeededRandom, agent: Agent, { time, address }: Omit<Guest, 'headers'>): Guest {
  const { sample_user_agents: names = [agent.token], verification } = agent;
  const [signer] = verification.signature_agents ?? [];
  const signature = signer === undefined ? {} : replayedSignature(random, signer, time);
  return { time, address, headers: { ...agentHeaders(random.pick(names)), ...signature } };
}

/** The shop's database is away: what was asked for is not answered, or late. */
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

/** An address that the operator publishes; `null` where it publishes none. */
function publishedAddress(random: SeededRandom, { verification }: Agent): string | null {
  const blocks = (verification.ip_ranges ?? []).filter((block) => block.includes('.'));
  if (blocks.length === 0) return null;
  const [base, bits] = random.pickEarly(blocks).split('/') as [string, string];
  const start = base.split('.').reduce((value, part) => value * 256 + Number(part), 0);
  const address = start + random.below(Math.min(2 ** (32 - Number(bits)), 64));
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');
}

/** A few networks send most of it. */
const foreignAddress = (random: SeededRandom): string => `${random.pickEarly(NETWORKS)}.${1 + random.below(254)}`;

/** A signature that was good for somebody else, days ago: what is sent again that was overheard. */
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
