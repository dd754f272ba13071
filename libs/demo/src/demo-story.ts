import type { DemoAgent } from './demo-visitors.js';

/**
 * Range in hours before the end of the story. `to` is exclusive: `{ from: 9, to: 8 }` is the hour that starts 9 hours
 * before the end.
 */
interface Hours {
  from: number;
  to: number;
}

const isIn = ({ from, to }: Hours, hoursBefore: number): boolean => hoursBefore <= from && hoursBefore > to;

/**
 * Timeline of events in the demo shop. The most visible ones happen within 24 hours, the default range of the
 * dashboard.
 */
export const STORY = {
  /** A new agent. `since` is in hours before the end. */
  newcomer: { token: 'Google-Agent', since: 20 },
  /** Grows steadily to `times` its usual traffic. */
  riser: { token: 'PerplexityBot', since: 48, times: 8 },
  /** Drops to `share` of its usual traffic after robots.txt disallows it. */
  leaver: { token: 'Bytespider', since: 8 * 24, share: 0.05 },
  /**
   * Agents that a new robots.txt disallows entirely. `blocked` is the share of their visits that the firewall rejects.
   * Scrapy carries on as usual.
   */
  disallowed: { tokens: ['Bytespider', 'Scrapy'], since: 8 * 24, blocked: 0.6 },
  /** A scraper on a few machines in one network that poses as well-known agents. */
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
  /** The shop responds with errors, then receives no visits at all. */
  outage: { errors: { from: 11, to: 8 }, silence: { from: 8, to: 6 } },
} as const;

/** Factor by which an agent visits more or less often than usual. */
export function frequency({ token }: Pick<DemoAgent, 'token'>, hoursBefore: number): number {
  const { newcomer, riser, leaver } = STORY;
  if (token === newcomer.token) return hoursBefore <= newcomer.since ? 1 : 0;
  if (token === riser.token) return 1 + (riser.times - 1) * Math.min(1, Math.max(0, 1 - hoursBefore / riser.since));
  if (token === leaver.token) return hoursBefore <= leaver.since ? leaver.share : 1;
  return 1;
}

export const isBlockedAtTimes = ({ token }: Pick<DemoAgent, 'token'>, hoursBefore: number): boolean =>
  hoursBefore <= STORY.disallowed.since && (STORY.disallowed.tokens as readonly string[]).includes(token);
export const isWave = (hoursBefore: number): boolean => isIn(STORY.wave.hours, hoursBefore);
export const hasErrors = (hoursBefore: number): boolean => isIn(STORY.outage.errors, hoursBefore);
export const isSilent = (hoursBefore: number): boolean => isIn(STORY.outage.silence, hoursBefore);
