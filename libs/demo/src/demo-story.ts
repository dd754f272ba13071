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
 * range. Hours after the end have negative numbers.
 */
export const STORY = {
  /** The sitemap lists new pages, which no agent fetches. */
  guidesSince: 5 * 24,
  /** Last hour in which agents fetch the old section. */
  oldSectionUntil: 16 * 24,
  /** An agent that first appears `since` hours before the end. */
  newcomer: { token: 'Google-Agent', since: 20 },
  /**
   * An agent whose traffic grows steadily to `times` its usual level. After the end of the story, it takes `calm` hours
   * to return to that level.
   */
  riser: { token: 'PerplexityBot', since: 48, times: 8, calm: 10 * 24 },
  /** An agent whose traffic drops to `share` of its usual level after robots.txt disallows it. */
  leaver: { token: 'Bytespider', since: 8 * 24, share: 0.05 },
  /** Agents that the new robots.txt disallows entirely. Scrapy ignores the new rules, so the policy blocks it later. */
  disallowed: { tokens: ['Bytespider', 'Scrapy'], since: 8 * 24 },
  /**
   * Start of the addresses of the disallowed agents, in the documentation network for IPv6. After some of the refusals,
   * they come back from there with the name of a browser.
   */
  scrapers: { addresses: '2001:db8:99::', machines: 20, disguised: 0.25 },
  /** The policy is first tried in dry run. Then some of its rules go live. */
  policy: { triedSince: 40 * 24, liveSince: 5 * 24 },
  /** Number of people per day whose browser claims to be another one, as some extensions do. */
  disguisedPeople: { daily: 2 },
  /**
   * Scrapers that pose as well-known agents from a few machines in one network. Each range that the dashboard offers has
   * a wave in its first and in its second half. Visits older than a week only fail verification if they're signed, so
   * the earlier waves pose as agents that sign their requests.
   */
  waves: [
    {
      hours: { from: 16, to: 11 },
      perHour: 110,
      addresses: '203.0.113.',
      machines: 12,
      claims: [
        { token: 'Googlebot', share: 0.4 },
        { token: 'GPTBot', share: 0.3 },
        { token: 'ClaudeBot', share: 0.2 },
        { token: 'ChatGPT Agent', share: 0.1 },
      ],
    },
    {
      hours: { from: 34, to: 32 },
      perHour: 40,
      addresses: '2001:db8:7::',
      machines: 4,
      claims: [
        { token: 'Googlebot', share: 0.5 },
        { token: 'DuckDuckBot', share: 0.5 },
      ],
    },
    {
      hours: { from: 10 * 24 + 5, to: 10 * 24 },
      perHour: 45,
      addresses: '2001:db8:7::',
      machines: 6,
      claims: [
        { token: 'AhrefsBot', share: 0.5 },
        { token: 'DuckDuckBot', share: 0.5 },
      ],
    },
    {
      hours: { from: 41 * 24 + 3, to: 41 * 24 - 3 },
      perHour: 25,
      addresses: '2001:db8:64::',
      machines: 8,
      claims: [
        { token: 'ChatGPT Agent', share: 0.6 },
        { token: 'DuckDuckBot', share: 0.4 },
      ],
    },
  ],
  /** The first of the waves comes back after the end of the story, for `length` of every `every` hours. */
  comeback: { every: 44, length: 3, share: 0.5 },
  /** An outage: the shop first responds with errors, then receives no visits at all. */
  outage: { errors: { from: 11, to: 8 }, silence: { from: 8, to: 6 } },
} as const;

/** Returns a factor for how often an agent visits, relative to its usual frequency. */
export function getFrequency({ token }: Pick<DemoAgent, 'token'>, hoursBefore: number): number {
  const { newcomer, riser, leaver } = STORY;
  if (token === newcomer.token) return hoursBefore <= newcomer.since ? 1 : 0;
  if (token === riser.token) {
    const level = hoursBefore > 0 ? 1 - hoursBefore / riser.since : 1 + hoursBefore / riser.calm;
    return 1 + (riser.times - 1) * Math.max(0, level);
  }
  if (token === leaver.token) return hoursBefore <= leaver.since ? leaver.share : 1;
  return 1;
}

export const isDuringErrors = (hoursBefore: number): boolean => isWithin(STORY.outage.errors, hoursBefore);
export const isDuringSilence = (hoursBefore: number): boolean => isWithin(STORY.outage.silence, hoursBefore);

interface Wave {
  perHour: number;
  /** Start of the addresses. */
  addresses: string;
  machines: number;
  /** Agents that the impostors pose as, and their shares of the visits. */
  claims: readonly { token: string; share: number }[];
}

/** Returns the wave of impostors in an hour, or null if there is none. */
export function findWave(hoursBefore: number): Wave | null {
  const { waves, comeback } = STORY;
  if (hoursBefore > 0) return waves.find(({ hours }) => isWithin(hours, hoursBefore)) ?? null;
  const isBack = -hoursBefore % comeback.every >= comeback.every - comeback.length;
  return isBack ? { ...waves[0], perHour: waves[0].perHour * comeback.share } : null;
}
