import type { Protocol } from './demo-commerce.js';
import type { RequestKind } from './demo-shop.js';

/** Distribution of visits over the day (UTC): waking hours, nights, constant, or short bursts. */
export type Rhythm = 'people' | 'night' | 'steady' | 'bursts';

export interface DemoAgent {
  token: string;
  daily: number;
  way: RequestKind;
  rhythm: Rhythm;
  /** Share of this agent's visits that come from impostors. Default: 0. */
  spoofed?: number;
  /** Client name sent to MCP servers. If set, some of the agent's visits are MCP calls. */
  mcpClient?: string;
  /** Commerce protocol for purchases. Default: the agent never buys anything. */
  buys?: Protocol;
}

export const DEMO_AGENTS: readonly DemoAgent[] = [
  { token: 'Googlebot', daily: 150, way: 'crawl', rhythm: 'steady', spoofed: 0.08 },
  { token: 'bingbot', daily: 90, way: 'crawl', rhythm: 'steady', spoofed: 0.03 },
  { token: 'GPTBot', daily: 110, way: 'crawl', rhythm: 'bursts', spoofed: 0.1 },
  { token: 'ClaudeBot', daily: 80, way: 'crawl', rhythm: 'bursts', spoofed: 0.05 },
  { token: 'OAI-SearchBot', daily: 45, way: 'crawl', rhythm: 'steady' },
  { token: 'ChatGPT-User', daily: 55, way: 'look', rhythm: 'people', mcpClient: 'openai-mcp' },
  { token: 'Claude-User', daily: 40, way: 'look', rhythm: 'people', mcpClient: 'claude-ai' },
  { token: 'ChatGPT Agent', daily: 12, way: 'shop', rhythm: 'people', spoofed: 0.5, buys: 'acp' },
  { token: 'PerplexityBot', daily: 25, way: 'crawl', rhythm: 'steady', spoofed: 0.06 },
  { token: 'Google-Agent', daily: 84, way: 'look', rhythm: 'steady', buys: 'ucp' },
  { token: 'Perplexity-User', daily: 18, way: 'look', rhythm: 'people' },
  { token: 'Applebot', daily: 25, way: 'crawl', rhythm: 'steady' },
  { token: 'Meta-ExternalAgent', daily: 100, way: 'search', rhythm: 'bursts' },
  { token: 'Amazonbot', daily: 20, way: 'crawl', rhythm: 'steady' },
  { token: 'Bytespider', daily: 30, way: 'crawl', rhythm: 'night' },
  { token: 'CCBot', daily: 15, way: 'crawl', rhythm: 'bursts' },
  { token: 'AhrefsBot', daily: 35, way: 'crawl', rhythm: 'night', spoofed: 0.15 },
  { token: 'SemrushBot', daily: 30, way: 'crawl', rhythm: 'night' },
  { token: 'DuckDuckBot', daily: 14, way: 'crawl', rhythm: 'steady', spoofed: 0.1 },
  { token: 'facebookexternalhit', daily: 12, way: 'share', rhythm: 'people' },
  { token: 'Slackbot', daily: 8, way: 'share', rhythm: 'people' },
  { token: 'UptimeRobot', daily: 48, way: 'watch', rhythm: 'steady' },
  { token: 'CensysInspect', daily: 6, way: 'probe', rhythm: 'night' },
  { token: 'python-requests', daily: 14, way: 'probe', rhythm: 'bursts' },
  { token: 'Scrapy', daily: 10, way: 'crawl', rhythm: 'night' },
  { token: 'HeadlessChrome', daily: 8, way: 'look', rhythm: 'bursts' },
];

/**
 * Requests of today's agents for other things than HTML: coding agents read Markdown, assistants look for discovery
 * files, and the firewall doesn't let one crawler read robots.txt.
 */
export const FILE_READERS: readonly Pick<DemoAgent, 'token' | 'daily' | 'way' | 'rhythm'>[] = [
  { token: 'Claude-Code', daily: 16, way: 'read', rhythm: 'people' },
  { token: 'Cursor', daily: 9, way: 'read', rhythm: 'people' },
  { token: 'Codex CLI', daily: 5, way: 'read', rhythm: 'people' },
  { token: 'Perplexity-User', daily: 4, way: 'discover', rhythm: 'steady' },
  { token: 'Claude-User', daily: 3, way: 'discover', rhythm: 'people' },
  { token: 'ChatGPT-User', daily: 3, way: 'discover', rhythm: 'people' },
  { token: 'Amazonbot', daily: 4, way: 'ask', rhythm: 'steady' },
];

/** Agents that fetched the old section. */
export const OLD_SECTION_READERS: typeof FILE_READERS = [
  { token: 'Googlebot', daily: 6, way: 'revisit', rhythm: 'steady' },
  { token: 'bingbot', daily: 3, way: 'revisit', rhythm: 'steady' },
  { token: 'GPTBot', daily: 2, way: 'revisit', rhythm: 'night' },
];

export const UNLISTED_AGENTS: readonly {
  userAgent: string;
  daily: number;
  way: RequestKind;
  rhythm: Rhythm;
  network: string;
}[] = [
  {
    userAgent: 'Mozilla/5.0 (compatible; ShelfScout/2.3; +https://shelfscout.example/about)',
    daily: 22,
    way: 'crawl',
    rhythm: 'night',
    network: '192.0.2',
  },
  {
    userAgent: 'pricewatch-sync/4.1.7 (build 20261104)',
    daily: 16,
    way: 'look',
    rhythm: 'steady',
    network: '198.51.100',
  },
  { userAgent: 'acme-inventory-fetcher', daily: 6, way: 'probe', rhythm: 'bursts', network: '192.0.2' },
];

export const PEOPLE = {
  daily: 330,
  userAgents: [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15',
    'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  ],
  searchEngines: ['https://www.google.com/', 'https://www.bing.com/', 'https://duckduckgo.com/'],
  /** The Referer header sent after a click in an AI assistant, and the query string the assistant adds to links. */
  assistants: [
    { referer: 'https://chatgpt.com/', query: '?utm_source=chatgpt.com' },
    { referer: 'https://www.perplexity.ai/', query: '' },
    { referer: 'https://claude.ai/', query: '' },
    { referer: 'https://gemini.google.com/', query: '' },
    { referer: null, query: '?utm_source=perplexity' },
    { referer: 'https://copilot.microsoft.com/', query: '' },
    { referer: 'android-app://com.openai.chatgpt/', query: '' },
  ],
} as const;

/** Weight of each hour of the day (UTC). The weights add up to about 24. */
const HOURLY_WEIGHTS: Record<Rhythm, readonly number[]> = {
  people: [
    0.3, 0.2, 0.2, 0.2, 0.2, 0.4, 0.7, 1, 1.2, 1.3, 1.3, 1.3, 1.4, 1.3, 1.3, 1.2, 1.2, 1.4, 1.7, 1.9, 1.8, 1.3, 0.8,
    0.4,
  ],
  night: [
    2.2, 2.4, 2.4, 2.3, 2, 1.6, 1, 0.6, 0.4, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.4, 0.5, 0.6, 0.7, 0.9, 1.2, 1.5, 1.9,
  ],
  steady: [1.1, 1.1, 1.2, 1.2, 1.1, 1, 1, 1, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 1, 1, 1, 1, 1, 1, 1.1, 1.1],
  bursts: [
    0.4, 0.4, 3, 4.2, 3.6, 1, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 1.6, 2.2, 1.2, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.6, 0.4,
  ],
};

/**
 * Returns the share of a day's visits that fall in the hour of `time`. People visit less on weekends, and all traffic
 * rises and falls in a 45-day cycle.
 *
 * @param time Start of the hour, in milliseconds since the epoch.
 * @param phase Offset of the 45-day cycle, in radians.
 */
export function getHourlyShare(rhythm: Rhythm, time: number, phase: number): number {
  const date = new Date(time);
  const isWeekend = date.getUTCDay() % 6 === 0;
  const seasonalFactor = 1 + 0.25 * Math.sin((2 * Math.PI * time) / (45 * 86_400_000) + phase);
  return (
    (HOURLY_WEIGHTS[rhythm][date.getUTCHours()]! / 24) * seasonalFactor * (rhythm === 'people' && isWeekend ? 0.7 : 1)
  );
}
