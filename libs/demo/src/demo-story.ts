import type { DemoAgent } from './demo-visitors.js';

/**
 * Time range, in hours before the end of the story. `to` is exclusive: `{ from: 9, to: 8 }` covers the single hour that
 * starts 9 hours before the end.
 */
interface HourRange {
  from: number;
  to: number;
}

const isWithin = ({ from, to }: HourRange, hoursBefore: number): boolean => hoursBefore <= from && hoursBefore > to;

/**
 * Timeline of events in the demo shop. The most visible ones fall within the last 24 hours, the dashboard's default
 * range.
 */
export const STORY = {
  /** An agent that first appears `since` hours before the end. */
  newcomer: { token: 'Google-Agent', since: 20 },
  /** An agent whose traffic grows steadily to `times` its usual level. */
  riser: { token: 'PerplexityBot', since: 48, times: 8 },
  /** An agent whose traffic drops to `share` of its usual level after robots.txt disallows it. */
  leaver: { token: 'Bytespider', since: 8 * 24, share: 0.05 },
  /**
   * Agents that the new robots.txt disallows entirely. `blocked` is the share of their visits that the firewall
   * rejects. Scrapy ignores the new rules.
   */
  disallowed: { tokens: ['Bytespider', 'Scrapy'], since: 8 * 24, blocked: 0.6 },
  /** A scraper that poses as well-known agents from a few machines in one network. */
  wave: {
    hours: { from: 16, to: 11 },
    perHour: 110,
    network: '203.0.113',
    machines: 12,
    claims: [
      { token: 'Googlebot', share: 0.4 },
      { token: 'GPTBot', share: 0.3 },
      { token: 'ClaudeBot', share: 0.2 },
      { token: 'ChatGPT Agent', share: 0.1 },
    ],
  },
  /** An outage: the shop first responds with errors, then receives no visits at all. */
  outage: { errors: { from: 11, to: 8 }, silence: { from: 8, to: 6 } },
} as const;

/** Returns a factor for how often an agent visits, relative to its usual frequency. */
export function getFrequency({ token }: Pick<DemoAgent, 'token'>, hoursBefore: number): number {
  const { newcomer, riser, leaver } = STORY;
  if (token === newcomer.token) return hoursBefore <= newcomer.since ? 1 : 0;
  if (token === riser.token) return 1 + (riser.times - 1) * Math.min(1, Math.max(0, 1 - hoursBefore / riser.since));
  if (token === leaver.token) return hoursBefore <= leaver.since ? leaver.share : 1;
  return 1;
}

export const isSometimesBlocked = ({ token }: Pick<DemoAgent, 'token'>, hoursBefore: number): boolean =>
  hoursBefore <= STORY.disallowed.since && (STORY.disallowed.tokens as readonly string[]).includes(token);
export const isDuringWave = (hoursBefore: number): boolean => isWithin(STORY.wave.hours, hoursBefore);
export const isDuringErrors = (hoursBefore: number): boolean => isWithin(STORY.outage.errors, hoursBefore);
export const isDuringSilence = (hoursBefore: number): boolean => isWithin(STORY.outage.silence, hoursBefore);
