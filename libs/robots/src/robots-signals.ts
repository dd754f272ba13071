import { MAX_ROBOTS_BYTES, parseRecords, type RobotsLine } from './robots-file.js';

/** Lowercase names of lines that express more than crawling rules. */
const SIGNAL_KINDS = ['content-signal', 'content-usage', 'license', 'sitemap', 'crawl-delay'] as const;
type SignalKind = (typeof SIGNAL_KINDS)[number];

/** Preference for how fetched content may be used. */
interface UsagePreference {
  /** Lowercase name, such as `ai-train` (Content Signals) or `train-ai` (AIPREF). */
  name: string;
  /** Null if the value is neither yes nor no. */
  value: 'yes' | 'no' | null;
}

/** A line in a robots.txt file that isn't part of its crawling rules. */
interface RobotsSignal extends RobotsLine {
  kind: SignalKind;
  /** Up to 10 user agents of the line's group. Empty before the first group and for License and Sitemap. */
  userAgents: string[];
  /** Path that the preferences apply to, or null for all paths. */
  path: string | null;
  /** Preferences in a Content-Signal or Content-Usage line. If a name is repeated, the last value applies. */
  preferences: UsagePreference[];
  /** URL in a License or Sitemap line, or null if it isn't an absolute http(s) URL. */
  url: string | null;
  /** Delay in a Crawl-delay line, or null if it isn't a number. */
  seconds: number | null;
}

/** Limits on signals per file, because files are untrusted. */
export const MAX_SIGNALS = 1_000;
const MAX_SIGNAL_LENGTH = 2_048;
const MAX_USER_AGENTS = 10;
const MAX_USER_AGENT_LENGTH = 100;
const MAX_PREFERENCES = 20;
const MAX_PREFERENCE_LENGTH = 50;

/** Signals that apply to the entire file instead of a group. */
const FILE_LEVEL_KINDS: ReadonlySet<SignalKind> = new Set(['license', 'sitemap']);
const EMPTY_VALUE = { path: null, preferences: [], url: null, seconds: null };

/**
 * Parses Content-Signal (contentsignals.org), Content-Usage (draft-ietf-aipref-attach), License (RSL 1.0), Sitemap and
 * Crawl-delay. RFC 9309 defines groups but none of these lines.
 *
 * @returns Up to {@link MAX_SIGNALS} signals, in line order.
 */
export function parseRobotsSignals(bytes: Uint8Array, maxBytes = MAX_ROBOTS_BYTES): RobotsSignal[] {
  const signals: RobotsSignal[] = [];
  // All signals in a group refer to the same array, because the group's list of user agents can continue after a
  // signal.
  let userAgents: string[] = [];
  for (const { line, text, kind: name, value, startsGroup } of parseRecords(bytes, maxBytes)) {
    if (startsGroup) userAgents = [];
    if (name === 'user-agent' && userAgents.length < MAX_USER_AGENTS) {
      userAgents.push(value.slice(0, MAX_USER_AGENT_LENGTH));
    }
    const kind = SIGNAL_KINDS.find((signalKind) => signalKind === name);
    if (kind === undefined || signals.length === MAX_SIGNALS || value.length > MAX_SIGNAL_LENGTH) continue;
    signals.push({
      kind,
      line,
      text,
      userAgents: FILE_LEVEL_KINDS.has(kind) ? [] : userAgents,
      ...parseSignalValue(kind, value),
    });
  }
  return signals;
}

type SignalValue = Pick<RobotsSignal, 'path' | 'preferences' | 'url' | 'seconds'>;

function parseSignalValue(kind: SignalKind, value: string): SignalValue {
  switch (kind) {
    case 'content-signal':
    case 'content-usage':
      return { ...EMPTY_VALUE, ...parseUsage(value) };
    case 'license':
    case 'sitemap':
      return { ...EMPTY_VALUE, url: /^https?:\/\//i.test(value) && URL.canParse(value) ? value : null };
    case 'crawl-delay':
      return { ...EMPTY_VALUE, seconds: /^\d{1,9}(?:\.\d{1,9})?$/.test(value) ? Number(value) : null };
  }
}

/** Parses `[path ]name=value, name=value`, the syntax of both Content-Signal and Content-Usage. */
function parseUsage(text: string): Pick<SignalValue, 'path' | 'preferences'> {
  const space = text.indexOf(' ');
  const path = text.startsWith('/') ? (space === -1 ? text : text.slice(0, space)) : null;
  const preferences = new Map<string, UsagePreference['value']>();
  for (const pair of text.slice(path?.length ?? 0).split(',')) {
    // Drops structured-field parameters, which have no meaning yet.
    const [name = '', value = ''] = pair
      .split(';', 1)[0]!
      .split('=', 2)
      .map((part) => part.trim().toLowerCase());
    if (name === '' || name.length > MAX_PREFERENCE_LENGTH) continue;
    if (!preferences.has(name) && preferences.size === MAX_PREFERENCES) continue;
    preferences.set(name, PREFERENCE_VALUES.get(value) ?? null);
  }
  return { path, preferences: [...preferences].map(([name, value]) => ({ name, value })) };
}

const PREFERENCE_VALUES = new Map<string, 'yes' | 'no'>([
  ['yes', 'yes'],
  ['no', 'no'],
  ['y', 'yes'],
  ['n', 'no'],
]);
