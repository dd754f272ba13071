import { parseCidr } from '#libs/agents';
import type { AgentType } from '#libs/contracts';
import { isIP } from 'node:net';
import {
  firstObjectMatches,
  isObject,
  deriveName,
  toPortablePattern,
  toStrings,
  normalizeUrl,
  type FeedEntry,
  type FormatReader,
  type JsonObject,
} from './format-reader.js';

/** Agent types by category. The first category listed here wins. */
const TYPES_BY_CATEGORY: readonly [category: string, type: AgentType][] = [
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
const OPERATORS_BY_CATEGORY: Record<string, string> = {
  amazon: 'Amazon',
  apple: 'Apple',
  google: 'Google',
  meta: 'Meta',
  microsoft: 'Microsoft',
  slack: 'Slack',
  vercel: 'Vercel',
  yahoo: 'Yahoo',
};
const LIST_FORMATS_BY_TYPE: Record<string, string> = { 'http-csv': 'csv-geofeed', 'http-text': 'text' };

/**
 * Arcjet's well-known-bots list:
 * `[{ id, categories, pattern: { accepted, forbidden }, url?, instances?, verification }]`.
 */
export const wellKnownBots: FormatReader = {
  format: 'well-known-bots',
  recognizes: (document) =>
    firstObjectMatches(document, ({ id, pattern }) => typeof id === 'string' && isObject(pattern)),
  entries: (document) => (document as unknown[]).values().map(toEntry),
};

function toEntry(value: unknown): FeedEntry {
  if (!isObject(value) || !isObject(value['pattern'])) return { name: '', refusal: 'The entry has no pattern.' };
  const id = typeof value['id'] === 'string' ? value['id'] : '';
  const accepted = toStrings(value['pattern']['accepted']);
  if (accepted.length !== 1 || toStrings(value['pattern']['forbidden']).length > 0) {
    const refusal =
      "The entry has several patterns or an exclusion, which feeds can't express. Add the agent yourself.";
    return { name: id, refusal };
  }
  const pattern = toPortablePattern(accepted[0]!);
  const instances = isObject(value['instances']) ? value['instances']['accepted'] : value['instances'];
  const derived = deriveName(pattern, toStrings(instances));
  if ('refusal' in derived) return { name: id, refusal: derived.refusal };
  const categories = toStrings(value['categories']);
  return {
    name: derived.name,
    record: {
      token: derived.name,
      type: TYPES_BY_CATEGORY.find(([category]) => categories.includes(category))?.[1] ?? 'Uncategorized',
      operator:
        categories.map((category) => OPERATORS_BY_CATEGORY[category]).find((name) => name !== undefined) ?? null,
      url: normalizeUrl(value['url']),
      user_agent_patterns: [pattern],
      sample_user_agents: [derived.sample],
      robots_token: null,
      verification: toVerification(Array.isArray(value['verification']) ? value['verification'].filter(isObject) : []),
      ...(categories.includes('programmatic') && { generic: true }),
    },
  };
}

/**
 * Converts verification methods, skipping those without an exact equivalent. Accepting more than the publisher intended
 * would be worse than not verifying at all.
 */
function toVerification(methods: readonly JsonObject[]): object {
  const suffixes = methods.flatMap(({ masks }) => toStrings(masks)).flatMap((mask) => toDnsSuffix(mask) ?? []);
  const sources = methods.flatMap(({ sources: all }) => (Array.isArray(all) ? all.filter(isObject) : []));
  const lists = sources.flatMap((source) => toAddressList(source) ?? []);
  const ranges = methods.flatMap(({ ips }) => toStrings(ips)).flatMap((text) => toCidr(text) ?? []);
  const byUrl = new Map(lists.map((list) => [list.url, list]));
  return {
    ...(suffixes.length > 0 && { reverse_dns_suffixes: [...new Set(suffixes)] }),
    ...(byUrl.size > 0 && { ip_list_urls: [...byUrl.values()] }),
    ...(ranges.length > 0 && { ip_ranges: [...new Set(ranges)] }),
  };
}

/**
 * Returns the domain in a host name mask if the mask matches every name below that domain. Returns null for any other
 * mask, because its domain would match more names than the mask does.
 */
function toDnsSuffix(mask: string): string | null {
  const [first, ...rest] = mask.split('.');
  const isAny = first === '@' || first === '*';
  return isAny && rest.length >= 2 && !/[@*]/.test(rest.join('.')) ? rest.join('.') : null;
}

function toAddressList({ type, url, selector }: JsonObject): { url: string; format: string } | null {
  if (typeof url !== 'string' || typeof type !== 'string' || !url.startsWith('https:')) return null;
  // The publisher escapes quotes in selectors twice, so JSON parsing leaves a backslash.
  if (typeof selector === 'string') return { url, format: `json:${selector.replaceAll('\\"', '"')}` };
  const format = LIST_FORMATS_BY_TYPE[type];
  return format === undefined ? null : { url, format };
}

function toCidr(text: string): string | null {
  const range = isIP(text) === 0 ? text : `${text}/${isIP(text) === 4 ? 32 : 128}`;
  return parseCidr(range) === null ? null : range;
}
