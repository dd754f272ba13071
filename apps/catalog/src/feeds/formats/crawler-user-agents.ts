import type { AgentType } from '#libs/contracts';
import {
  isListOf,
  isObject,
  nameBy,
  portablePattern,
  textsOf,
  webAddress,
  type FeedEntry,
  type FormatReader,
} from './format.js';

/** Agent types by tag. The first match wins. */
const TYPES: readonly [tag: string, type: AgentType][] = [
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
/** Tags of software that other agents build on. */
const GENERIC = ['http-library', 'browser-automation'];

/** List of the crawler-user-agents project: `[{ pattern, url?, instances?, tags? }]`. */
export const crawlerUserAgents: FormatReader = {
  format: 'crawler-user-agents',
  recognizes: (document) => isListOf(document, ({ pattern }) => typeof pattern === 'string'),
  entries: (document) => (document as unknown[]).values().map(entryOf),
};

function entryOf(value: unknown): FeedEntry {
  if (!isObject(value) || typeof value['pattern'] !== 'string') return { name: '', refusal: 'It has no pattern.' };
  const pattern = portablePattern(value['pattern']);
  const found = nameBy(pattern, textsOf(value['instances']));
  if ('refusal' in found) return { name: value['pattern'], refusal: found.refusal };
  const tags = textsOf(value['tags']);
  return {
    name: found.name,
    record: {
      token: found.name,
      type: TYPES.find(([tag]) => tags.includes(tag))?.[1] ?? 'Uncategorized',
      operator: null,
      url: webAddress(value['url']),
      user_agent_patterns: [pattern],
      sample_user_agents: [found.sample],
      robots_token: null,
      verification: {},
      ...(GENERIC.some((tag) => tags.includes(tag)) && { generic: true }),
    },
  };
}
