import { parseCidr } from '#libs/agents';
import type { AgentType } from '#libs/contracts';
import { isIP } from 'node:net';
import {
  isListOf,
  isObject,
  nameBy,
  portablePattern,
  textsOf,
  webAddress,
  type FeedEntry,
  type FormatReader,
  type JsonObject,
} from './format.js';

/** Agent types by category. The first match wins. */
const TYPES: readonly [category: string, type: AgentType][] = [
  ['ai', 'AI Data Scraper'],
  ['search-engine', 'Search Engine Crawler'],
  ['archive', 'Archiver'],
  ['feedfetcher', 'Fetcher'],
  ['preview', 'Fetcher'],
  ['social', 'Fetcher'],
  ['webhook', 'Fetcher'],
  ['monitor', 'Developer Helper'],
  ['optimizer', 'SEO Crawler'],
  ['advertising', 'Intelligence Gatherer'],
  ['academic', 'Scraper'],
  ['programmatic', 'Automated Agent'],
  ['tool', 'Automated Agent'],
];
const OPERATORS: Record<string, string> = {
  amazon: 'Amazon',
  apple: 'Apple',
  google: 'Google',
  meta: 'Meta',
  microsoft: 'Microsoft',
  slack: 'Slack',
  vercel: 'Vercel',
  yahoo: 'Yahoo',
};
const LIST_FORMATS: Record<string, string> = { 'http-csv': 'csv-geofeed', 'http-text': 'text' };

/** Arcjet's well-known-bots: `[{ id, categories, pattern: { accepted, forbidden }, url?, instances?, verification }]`. */
export const wellKnownBots: FormatReader = {
  format: 'well-known-bots',
  recognizes: (document) => isListOf(document, ({ id, pattern }) => typeof id === 'string' && isObject(pattern)),
  entries: (document) => (document as unknown[]).values().map(entryOf),
};

function entryOf(value: unknown): FeedEntry {
  if (!isObject(value) || !isObject(value['pattern'])) return { name: '', refusal: 'It has no pattern.' };
  const id = typeof value['id'] === 'string' ? value['id'] : '';
  const accepted = textsOf(value['pattern']['accepted']);
  if (accepted.length !== 1 || textsOf(value['pattern']['forbidden']).length > 0) {
    const refusal = "Uses several patterns or an exclusion, which feeds can't express. Add the agent yourself.";
    return { name: id, refusal };
  }
  const pattern = portablePattern(accepted[0]!);
  const instances = isObject(value['instances']) ? value['instances']['accepted'] : value['instances'];
  const found = nameBy(pattern, textsOf(instances));
  if ('refusal' in found) return { name: id, refusal: found.refusal };
  const categories = textsOf(value['categories']);
  return {
    name: found.name,
    record: {
      token: found.name,
      type: TYPES.find(([category]) => categories.includes(category))?.[1] ?? 'Uncategorized',
      operator: categories.map((category) => OPERATORS[category]).find((name) => name !== undefined) ?? null,
      url: webAddress(value['url']),
      user_agent_patterns: [pattern],
      sample_user_agents: [found.sample],
      robots_token: null,
      verification: verificationOf(Array.isArray(value['verification']) ? value['verification'].filter(isObject) : []),
      ...(categories.includes('programmatic') && { generic: true }),
    },
  };
}

/**
 * Converts verification methods. Leaves out those without an exact equivalent: accepting more than the publisher
 * intended would be worse than no verification.
 */
function verificationOf(ways: readonly JsonObject[]): object {
  const suffixes = ways.flatMap(({ masks }) => textsOf(masks)).flatMap((mask) => suffixOf(mask) ?? []);
  const sources = ways.flatMap(({ sources: all }) => (Array.isArray(all) ? all.filter(isObject) : []));
  const lists = sources.flatMap((source) => listOf(source) ?? []);
  const ranges = ways.flatMap(({ ips }) => textsOf(ips)).flatMap((text) => rangeOf(text) ?? []);
  const byUrl = new Map(lists.map((list) => [list.url, list]));
  return {
    ...(suffixes.length > 0 && { reverse_dns_suffixes: [...new Set(suffixes)] }),
    ...(byUrl.size > 0 && { ip_list_urls: [...byUrl.values()] }),
    ...(ranges.length > 0 && { ip_ranges: [...new Set(ranges)] }),
  };
}

/**
 * Returns the suffix of a mask that matches any name below a domain. Null for narrower masks, which a suffix would
 * widen.
 */
function suffixOf(mask: string): string | null {
  const [first, ...rest] = mask.split('.');
  const isAny = first === '@' || first === '*';
  return isAny && rest.length >= 2 && !/[@*]/.test(rest.join('.')) ? rest.join('.') : null;
}

function listOf({ type, url, selector }: JsonObject): { url: string; format: string } | null {
  if (typeof url !== 'string' || typeof type !== 'string' || !url.startsWith('https:')) return null;
  // Quotes in selectors are escaped twice, so JSON parsing leaves a backslash.
  if (typeof selector === 'string') return { url, format: `json:${selector.replaceAll('\\"', '"')}` };
  const format = LIST_FORMATS[type];
  return format === undefined ? null : { url, format };
}

function rangeOf(text: string): string | null {
  const range = isIP(text) === 0 ? text : `${text}/${isIP(text) === 4 ? 32 : 128}`;
  return parseCidr(range) === null ? null : range;
}
