import { MAX_ROBOTS_BYTES, recordsOf, type RobotsLine } from './robots-file.js';

/** Lines that say more than which paths may be fetched, in lower case. */
const SIGNAL_KINDS = ['content-signal', 'content-usage', 'license', 'sitemap', 'crawl-delay'] as const;
type SignalKind = (typeof SIGNAL_KINDS)[number];

/** Whether something may be done with what was fetched. */
interface UsagePreference {
  /** Such as `ai-train` (Content Signals) or `train-ai` (AIPREF), in lower case. */
  name: string;
  /** Null for what is neither yes nor no. */
  value: 'yes' | 'no' | null;
}

/** What a line of a robots.txt says beside its rules. */
interface RobotsSignal extends RobotsLine {
  kind: SignalKind;
  /** Of the line's group, the first ten. Empty for what belongs to no group: before the first one, and license and sitemap. */
  userAgents: string[];
  /** What the preferences are about; null for everything. */
  path: string | null;
  /** Of Content-Signal and Content-Usage; of several with one name the last. */
  preferences: UsagePreference[];
  /** Of License and Sitemap; null where it is not an absolute one of http or https. */
  url: string | null;
  /** Of Crawl-delay; null where it is not a number. */
  seconds: number | null;
}

/** Somebody else wrote the file: bounds of what is taken from it. */
export const MAX_SIGNALS = 1_000;
const MAX_SIGNAL_LENGTH = 2_048;
const MAX_USER_AGENTS = 10;
const MAX_USER_AGENT_LENGTH = 100;
const MAX_PREFERENCES = 20;
const MAX_PREFERENCE_LENGTH = 50;

/** Belong to no group. */
const OF_THE_FILE: ReadonlySet<SignalKind> = new Set(['license', 'sitemap']);
const NOTHING = { path: null, preferences: [], url: null, seconds: null };

/**
 * Reads Content-Signal (contentsignals.org), Content-Usage (draft-ietf-aipref-attach), License (RSL 1.0), Sitemap and
 * Crawl-delay. None of them is part of RFC 9309; groups are as it has them.
 *
 * @returns in the order of the lines, {@link MAX_SIGNALS} at most.
 */
export function readRobotsSignals(bytes: Uint8Array, most = MAX_ROBOTS_BYTES): RobotsSignal[] {
  const signals: RobotsSignal[] = [];
  // Shared by the signals of a group: its list may go on behind them.
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

/** `[path ]name=value, name=value`, as both have it. */
function usageOf(text: string): Pick<Said, 'path' | 'preferences'> {
  const space = text.indexOf(' ');
  const path = text.startsWith('/') ? (space === -1 ? text : text.slice(0, space)) : null;
  const preferences = new Map<string, UsagePreference['value']>();
  for (const pair of text.slice(path?.length ?? 0).split(',')) {
    // Parameters of a structured field say nothing yet.
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
