import type { AgentType } from '#libs/contracts';
import {
  firstObjectMatches,
  isObject,
  deriveName,
  toPortablePattern,
  toStrings,
  normalizeUrl,
  type FeedEntry,
  type FormatReader,
} from './format-reader.js';

/** Agent types by tag. The first tag listed here wins. */
const TYPES_BY_TAG: readonly [tag: string, type: AgentType][] = [
  ['ai-crawler', 'AI Data Scraper'],
  ['search-engine', 'Search Engine Crawler'],
  ['seo', 'SEO Crawler'],
  ['scanner', 'Security Scanner'],
  ['archiver', 'Archiver'],
  ['feed-reader', 'Fetcher'],
  ['social-preview', 'Fetcher'],
  ['monitoring', 'Developer Helper'],
  ['advertising', 'Intelligence Gatherer'],
  ['academic', 'Scraper'],
  ['http-library', 'Automated Agent'],
  ['browser-automation', 'Automated Agent'],
];
/** Tags for generic software that other agents are built on. */
const GENERIC_TAGS = ['http-library', 'browser-automation'];

/** The crawler-user-agents project's list: `[{ pattern, url?, instances?, tags? }]`. */
export const crawlerUserAgents: FormatReader = {
  format: 'crawler-user-agents',
  recognizes: (document) => firstObjectMatches(document, ({ pattern }) => typeof pattern === 'string'),
  entries: (document) => (document as unknown[]).values().map(toEntry),
};

function toEntry(value: unknown): FeedEntry {
  if (!isObject(value) || typeof value['pattern'] !== 'string')
    return { name: '', refusal: 'The entry has no pattern.' };
  const pattern = toPortablePattern(value['pattern']);
  const derived = deriveName(pattern, toStrings(value['instances']));
  if ('refusal' in derived) return { name: value['pattern'], refusal: derived.refusal };
  const tags = toStrings(value['tags']);
  return {
    name: derived.name,
    record: {
      token: derived.name,
      type: TYPES_BY_TAG.find(([tag]) => tags.includes(tag))?.[1] ?? 'Uncategorized',
      operator: null,
      url: normalizeUrl(value['url']),
      user_agent_patterns: [pattern],
      sample_user_agents: [derived.sample],
      robots_token: null,
      verification: {},
      ...(GENERIC_TAGS.some((tag) => tags.includes(tag)) && { generic: true }),
    },
  };
}
