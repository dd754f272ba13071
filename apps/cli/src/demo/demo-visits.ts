import type { Agent } from '#libs/catalog';
import type { Visit } from '#libs/contracts';
import { acpAnswer, DEMO_PROJECT, mcpCall, REQUESTS, type Way } from './demo-shop.js';
import { DEMO_AGENTS, PEOPLE, swing, type DemoAgent } from './demo-visitors.js';
import { Dice } from './dice.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
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
    const dice = new Dice(this.seed, start / HOUR);
    const visits = DEMO_AGENTS.flatMap((demo, index) => {
      const agent = this.agents.get(demo.token);
      const count = dice.count(demo.daily * swing(demo.rhythm, start, index));
      return agent === undefined ? [] : Array.from({ length: count }, () => agentVisit(dice, demo, agent, start));
    });
    const people = dice.count(PEOPLE.daily * swing('people', start, 0));
    visits.push(...Array.from({ length: people }, () => personVisit(dice, start)));
    return visits.toSorted((one, other) => (one.created! < other.created! ? -1 : 1));
  }
}

function agentVisit(dice: Dice, demo: DemoAgent, agent: Agent, start: number): Visit {
  const time = start + dice.below(HOUR);
  const isSpoofed = dice.chance(demo.spoofed ?? 0);
  const userAgent = agent.sample_user_agents?.[0] ?? agent.token;
  const own = isSpoofed ? null : publishedAddress(dice, agent);
  const [signer] = agent.verification.signature_agents ?? [];
  const guest: Guest = {
    time,
    address: own ?? foreignAddress(dice),
    headers: {
      'user-agent': userAgent,
      accept: '*/*',
      'accept-encoding': 'gzip, deflate, br',
      ...(isSpoofed && signer !== undefined && replayedSignature(dice, signer, time)),
    },
  };
  if (demo.mcpClient !== undefined && dice.chance(0.4)) {
    return visitOf(guest, { path: '/mcp', status: 200, duration: 60, method: 'POST' }, mcpCall(dice, demo.mcpClient));
  }
  if (demo.buys && !isSpoofed && dice.chance(0.3)) {
    return visitOf(guest, { path: '/checkout_sessions', status: 201, duration: 140, method: 'POST' }, acpAnswer(dice));
  }
  return shopVisit(dice, guest, demo.way);
}

function personVisit(dice: Dice, start: number): Visit {
  const isSentByAssistant = dice.chance(0.08);
  const referer = isSentByAssistant ? dice.pickEarly(PEOPLE.assistants) : personReferer(dice);
  const guest: Guest = {
    time: start + dice.below(HOUR),
    address: foreignAddress(dice),
    headers: {
      'user-agent': dice.pickEarly(PEOPLE.userAgents),
      accept: 'text/html,application/xhtml+xml',
      'accept-language': dice.pick(['en-US,en;q=0.9', 'de-DE,de;q=0.9,en;q=0.7', 'fr-FR,fr;q=0.9']),
      'sec-fetch-mode': 'navigate',
      ...(referer !== null && { referer }),
    },
  };
  const visit = shopVisit(dice, guest, 'shop');
  if (!isSentByAssistant || referer !== 'https://chatgpt.com/') return visit;
  return { ...visit, request_path: `${visit.request_path}?utm_source=chatgpt.com` };
}

function personReferer(dice: Dice): string | null {
  if (dice.chance(0.5)) return `${DEMO_PROJECT.site_address}/`;
  return dice.chance(0.5) ? dice.pickEarly(PEOPLE.searchEngines) : null;
}

const shopVisit = (dice: Dice, guest: Guest, way: Way): Visit => visitOf(guest, REQUESTS[way](dice));

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
function publishedAddress(dice: Dice, { verification }: Agent): string | null {
  const blocks = (verification.ip_ranges ?? []).filter((block) => block.includes('.'));
  if (blocks.length === 0) return null;
  const [base, bits] = dice.pickEarly(blocks).split('/') as [string, string];
  const start = base.split('.').reduce((value, part) => value * 256 + Number(part), 0);
  const address = start + dice.below(Math.min(2 ** (32 - Number(bits)), 64));
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');
}

/** A few networks send most of it. */
const foreignAddress = (dice: Dice): string => `${dice.pickEarly(NETWORKS)}.${1 + dice.below(254)}`;

/** A signature that was good for somebody else, days ago: what is sent again that was overheard. */
function replayedSignature(dice: Dice, signer: string, time: number): Record<string, string> {
  const created = Math.floor((time - 3 * DAY) / 1_000);
  const keyId = dice.bytes(32).toString('base64url');
  const parameters = `created=${created};expires=${created + 3_600};keyid="${keyId}";tag="web-bot-auth"`;
  return {
    'signature-agent': `"https://${signer}"`,
    'signature-input': `sig1=("@authority" "signature-agent");${parameters}`,
    signature: `sig1=:${dice.bytes(64).toString('base64')}:`,
  };
}
