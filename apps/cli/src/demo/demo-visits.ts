import type { Agent } from '#libs/catalog';
import type { Visit } from '#libs/contracts';
import { acpAnswer, DEMO_PROJECT, mcpCall, REQUESTS, type Way } from './demo-shop.js';
import { DEMO_AGENTS, PEOPLE, swing, type DemoAgent } from './demo-visitors.js';
import { SeededRandom } from './seeded-random.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HOST = DEMO_PROJECT.host_names[0];
/** Networks for documentation (RFC 5737): people, and those who only say that they are an agent, come from there. */
const NETWORKS = ['192.0.2', '198.51.100', '203.0.113'];

/** A visitor's request before it is one of the shop's. */
interface Guest {
  time: number;
  address: string;
  headers: Record<string, string>;
}

/** Visits of a month in the life of a shop: the same for the same seed, whenever and for how long they are made. */
export class DemoVisits {
  private readonly agents: ReadonlyMap<string, Agent>;

  /** @param agents of the catalog; those it does not have don't come. */
  constructor(
    private readonly seed: number,
    agents: readonly Agent[],
  ) {
    this.agents = new Map(agents.map((agent) => [agent.token, agent]));
  }

  /** Everything in the hour that starts at this time, oldest first. */
  ofHour(start: number): Visit[] {
    const random = new SeededRandom(this.seed, start / HOUR_MS);
    const visits = DEMO_AGENTS.flatMap((demo, index) => {
      const agent = this.agents.get(demo.token);
      const count = random.count(demo.daily * swing(demo.rhythm, start, index));
      return agent === undefined ? [] : Array.from({ length: count }, () => agentVisit(random, demo, agent, start));
    });
    const people = random.count(PEOPLE.daily * swing('people', start, 0));
    visits.push(...Array.from({ length: people }, () => personVisit(random, start)));
    return visits.toSorted((one, other) => (one.created! < other.created! ? -1 : 1));
  }
}

function agentVisit(random: SeededRandom, demo: DemoAgent, agent: Agent, start: number): Visit {
  const time = start + random.below(HOUR_MS);
  const isSpoofed = random.chance(demo.spoofed ?? 0);
  const userAgent = agent.sample_user_agents?.[0] ?? agent.token;
  const own = isSpoofed ? null : publishedAddress(random, agent);
  const [signer] = agent.verification.signature_agents ?? [];
  const guest: Guest = {
    time,
    address: own ?? foreignAddress(random),
    headers: {
      'user-agent': userAgent,
      accept: '*/*',
      'accept-encoding': 'gzip, deflate, br',
      ...(isSpoofed && signer !== undefined && replayedSignature(random, signer, time)),
    },
  };
  if (demo.mcpClient !== undefined && random.chance(0.4)) {
    return visitOf(guest, { path: '/mcp', status: 200, duration: 60, method: 'POST' }, mcpCall(random, demo.mcpClient));
  }
  if (demo.buys && !isSpoofed && random.chance(0.3)) {
    return visitOf(
      guest,
      { path: '/checkout_sessions', status: 201, duration: 140, method: 'POST' },
      acpAnswer(random),
    );
  }
  return shopVisit(random, guest, demo.way);
}

function personVisit(random: SeededRandom, start: number): Visit {
  const isSentByAssistant = random.chance(0.08);
  const referer = isSentByAssistant ? random.pickEarly(PEOPLE.assistants) : personReferer(random);
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
  const visit = shopVisit(random, guest, 'shop');
  if (!isSentByAssistant || referer !== 'https://chatgpt.com/') return visit;
  return { ...visit, request_path: `${visit.request_path}?utm_source=chatgpt.com` };
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
    request_headers: { host: HOST, ...headers, 'x-forwarded-for': address },
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
