import type { DemoAgent } from './demo-visitors.js';

/** Hours before the end of the story, the later one exclusive: `{ from: 9, to: 8 }` is the hour that starts 9 h before. */
interface Hours {
  from: number;
  to: number;
}

const isIn = ({ from, to }: Hours, hoursBefore: number): boolean => hoursBefore <= from && hoursBefore > to;

/**
 * What happens to the shop. What a glance should find is within the 24 hours that the dashboard shows first, and some hours from
 * where they start; the rest within 30 days.
 */
export const STORY = {
  /** An agent that nobody has seen before. */
  newcomer: { token: 'Google-Agent', since: 20 },
  /** One that comes more often from day to day, up to so many times as often. */
  riser: { token: 'PerplexityBot', since: 48, times: 8 },
  /** One that stays away but for a few visits, since the shop's robots.txt disallows it. */
  leaver: { token: 'Bytespider', since: 8 * 24, share: 0.05 },
  /** A new robots.txt disallows these altogether. One of them goes on; the shop's firewall stops it now and then. */
  disallowed: { tokens: ['Bytespider', 'Scrapy'], since: 8 * 24, blocked: 0.6 },
  /** A scraper with a few machines in one network, and the names of well-known agents. */
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
  /** The shop answers with errors, and then nothing reaches it. */
  outage: { errors: { from: 11, to: 8 }, silence: { from: 8, to: 6 } },
} as const;

/** How many times as often as usual an agent comes. */
export function frequency({ token }: Pick<DemoAgent, 'token'>, hoursBefore: number): number {
  const { newcomer, riser, leaver } = STORY;
  if (token === newcomer.token) return hoursBefore <= newcomer.since ? 1 : 0;
  if (token === riser.token) return 1 + (riser.times - 1) * Math.min(1, Math.max(0, 1 - hoursBefore / riser.since));
  if (token === leaver.token) return hoursBefore <= leaver.since ? leaver.share : 1;
  return 1;
}

/** Whether the shop's firewall refuses some visits of an agent. */
export const isBlockedAtTimes = ({ token }: Pick<DemoAgent, 'token'>, hoursBefore: number): boolean =>
  hoursBefore <= STORY.disallowed.since && (STORY.disallowed.tokens as readonly string[]).includes(token);
export const isWave = (hoursBefore: number): boolean => isIn(STORY.wave.hours, hoursBefore);
export const hasErrors = (hoursBefore: number): boolean => isIn(STORY.outage.errors, hoursBefore);
export const isSilent = (hoursBefore: number): boolean => isIn(STORY.outage.silence, hoursBefore);
