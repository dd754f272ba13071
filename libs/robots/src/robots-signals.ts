import { MAX_ROBOTS_BYTES, recordsOf, type RobotsLine } from './robots-file.js';

/** Lines that contain more than crawling rules, in lower case. */
const SIGNAL_KINDS = ['content-signal', 'content-usage', 'license', 'sitemap', 'crawl-delay'] as const;
type SignalKind = (typeof SIGNAL_KINDS)[number];

/** Preference about how fetched content may be used. */
interface UsagePreference {
  /** Name in lower case, such as `ai-train` (Content Signals) or `train-ai` (AIPREF). */
  name: string;
  /** Null if the value is neither yes nor no. */
  value: 'yes' | 'no' | null;
}

/** A line of a robots.txt that is not part of its crawling rules. */
interface RobotsSignal extends RobotsLine {
  kind: SignalKind;
  /** User agents of the line's group, 10 at most. Empty before the first group, and for License and Sitemap. */
  userAgents: string[];
  /** Path that the preferences apply to, or null for all paths. */
  path: string | null;
  /** Preferences of a Content-Signal or Content-Usage line. If a name is repeated, the last one counts. */
  preferences: UsagePreference[];
  /** URL of a License or Sitemap line, or null if it is not an absolute http(s) URL. */
  url: string | null;
  /** Value of a Crawl-delay line, or null if it is not a number. */
  seconds: number | null;
}

/** Limits on the signals read from a file, because files are untrusted. */
export const MAX_SIGNALS = 1_000;
const MAX_SIGNAL_LENGTH = 2_048;
const MAX_USER_AGENTS = 10;
const MAX_USER_AGENT_LENGTH = 100;
const MAX_PREFERENCES = 20;
const MAX_PREFERENCE_LENGTH = 50;

/** Signals that apply to the entire file instead of a group. */
const OF_THE_FILE: ReadonlySet<SignalKind> = new Set(['license', 'sitemap']);
const NOTHING = { path: null, preferences: [], url: null, seconds: null };

/**
 * Parses Content-Signal (contentsignals.org), Content-Usage (draft-ietf-aipref-attach), License (RSL 1.0), Sitemap and
 * Crawl-delay. RFC 9309 defines the groups, but none of these lines.
 *
 * @returns Signals in the order of their lines, {@link MAX_SIGNALS} at most.
 */
export function readRobotsSignals(bytes: Uint8Array, most = MAX_ROBOTS_BYTES): RobotsSignal[] {
  const signals: RobotsSignal[] = [];
  // Shared by all signals of a group, because user agents may follow a signal.
  let userAgents: string[] = [];
  for (const { line, text, kind: name, value, startsGroup } of recordsOf(bytes, most)) {
    if (startsGroup) userAgents = [];
    if (name === 'user-agent' && userAgents.length < MAX_USER_AGENTS) {
      userAgents.push(value.slice(0, MAX_USER_AGENT_LENGTH));
    }
    const kind = SIGNAL_KINDS.find((each) => each === name);
    if (kind === undefined || signals.length === MAX_SIGNALS || value.length > MAX_SIGNAL_LENGTH) continue;
    signals.push({ kind, line, text, userAgents: OF_THE_FILE.has(kind) ? [] : userAgents, ...saidBy(kind, value) });
  }
  return signals;
}

type Said = Pick<RobotsSignal, 'path' | 'preferences' | 'url' | 'seconds'>;

function saidBy(kind: SignalKind, value: string): Said {
  switch (kind) {
    case 'content-signal':
    case 'content-usage':
      return { ...NOTHING, ...usageOf(value) };
    case 'license':
    case 'sitemap':
      return { ...NOTHING, url: /^https?:\/\//i.test(value) && URL.canParse(value) ? value : null };
    case 'crawl-delay':
      return { ...NOTHING, seconds: /^\d{1,9}(?:\.\d{1,9})?$/.test(value) ? Number(value) : null };
  }
}

/** Parses `[path ]name=value, name=value`, the syntax of both Content-Signal and Content-Usage. */
function usageOf(text: string): Pick<Said, 'path' | 'preferences'> {
  const space = text.indexOf(' ');
  const path = text.startsWith('/') ? (space === -1 ? text : text.slice(0, space)) : null;
  const preferences = new Map<string, UsagePreference['value']>();
  for (const pair of text.slice(path?.length ?? 0).split(',')) {
    // Drops parameters of structured fields, which have no meaning yet.
    const [name = '', value = ''] = pair
      .split(';', 1)[0]!
      .split('=', 2)
      .map((part) => part.trim().toLowerCase());
    if (name === '' || name.length > MAX_PREFERENCE_LENGTH) continue;
    if (!preferences.has(name) && preferences.size === MAX_PREFERENCES) continue;
    preferences.set(name, VALUES.get(value) ?? null);
  }
  return { path, preferences: [...preferences].map(([name, value]) => ({ name, value })) };
}

const VALUES = new Map<string, 'yes' | 'no'>([
  ['yes', 'yes'],
  ['no', 'no'],
  ['y', 'yes'],
  ['n', 'no'],
]);
