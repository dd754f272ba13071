import crawlers from 'crawler-user-agents';
import { formatCidr, parseCidr, type HeaderMap } from '#libs/agents';
import { getBundledCatalog, getBrowserUserAgents } from '#libs/catalog';
import { PODCAST_PLAYERS } from './app-user-agents.js';
import { COSTLY_HEADERS } from '../hostile/headers.js';

/** Request in the format of the public operations. */
export interface CorpusRequest {
  request_path: string;
  request_headers: Record<string, unknown>;
  client_address?: string;
}

const ADDRESSES = ['203.0.113.7', '10.0.0.1', '2001:db8::7', '::ffff:66.249.66.1'];
const FORWARDING: HeaderMap[] = [
  {},
  { 'x-forwarded-for': '198.51.100.4, 10.0.0.1' },
  { forwarded: 'for="[2001:db8::1]:80";proto=https' },
  { 'cf-connecting-ip': '192.0.2.9', 'cf-ray': 'a' },
  { 'x-real-ip': '66.249.66.1' },
];

/** Returns the addresses of an agent's ranges to test: the first one, its neighbor, and an edge of each family. */
function listAddresses(ranges: readonly string[] = []): string[] {
  const blocks = [ranges[0], ranges.at(-1)].flatMap((range) => (range === undefined ? [] : (parseCidr(range) ?? [])));
  return blocks.map((block) => formatCidr({ ...block, prefixLength: block.family === 4 ? 32 : 128 }).split('/')[0]!);
}

/**
 * Returns unsigned requests: every sample and published User-Agent with addresses in and outside of the agent's ranges,
 * forwarded in different ways, and hostile headers.
 */
export function createCorpus(): CorpusRequest[] {
  const requests: CorpusRequest[] = [];
  const add = (userAgent: string, client_address: string, forwarding: HeaderMap): void => {
    const request_headers = { host: 'site.example', 'user-agent': userAgent, ...forwarding };
    requests.push({ request_path: `/page/${requests.length}`, request_headers, client_address });
  };
  for (const { sample_user_agents: samples = [], verification } of getBundledCatalog().agents) {
    for (const [index, sample] of samples.entries()) {
      for (const address of listAddresses(verification.ip_ranges)) {
        add(sample, address, {});
        add(sample, '10.0.0.1', { 'x-forwarded-for': address });
      }
      add(sample, ADDRESSES[index % ADDRESSES.length]!, FORWARDING[requests.length % FORWARDING.length]!);
    }
  }
  const userAgents = [...crawlers.flatMap(({ instances }) => instances), ...getBrowserUserAgents(), ...PODCAST_PLAYERS];
  for (const [index, userAgent] of userAgents.entries()) {
    add(userAgent, ADDRESSES[index % ADDRESSES.length]!, FORWARDING[index % FORWARDING.length]!);
  }
  for (const { headers } of COSTLY_HEADERS) requests.push({ request_path: '/', request_headers: headers });
  return requests;
}
