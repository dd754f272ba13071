import type { IconName } from '../ui/icon.js';

export interface Entry {
  id: string;
  /** Heading under which the entry is listed. */
  section: string;
  label: string;
  description?: string;
  /** Additional search terms. */
  keywords?: string;
  icon: IconName;
  /** Path in the dashboard. */
  to: string;
  search?: object;
  hash?: string;
  /** Set for paths outside the dashboard, which require a full page load. */
  isElsewhere?: true;
}

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Returns how well an entry matches, from 0 (best) to 3, or null unless it contains all words. */
function rank({ section, label, description = '', keywords = '' }: Entry, words: readonly string[]): number | null {
  const name = label.toLowerCase();
  const all = `${name} ${section} ${description} ${keywords}`.toLowerCase();
  if (!words.every((word) => all.includes(word))) return null;
  const [first = ''] = words;
  if (name.startsWith(first)) return 0;
  if (wordsOf(name).some((word) => word.startsWith(first))) return 1;
  return name.includes(first) ? 2 : 3;
}

/** Returns the entries that contain all words of a query, best matches first. */
export function findEntries(entries: readonly Entry[], query: string): Entry[] {
  const words = wordsOf(query);
  const ranked = entries.map((entry) => ({ entry, rank: rank(entry, words) }));
  return ranked
    .filter(({ rank }) => rank !== null)
    .toSorted((one, other) => one.rank! - other.rank!)
    .map(({ entry }) => entry);
}

/** Groups entries by section, in the order of the first entry of each section. */
export const bySection = (entries: readonly Entry[]): [section: string, entries: Entry[]][] => [
  ...Map.groupBy(entries, ({ section }) => section),
];

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** Returns the text as a visit ID, or null if it is not a UUID. */
export function visitId(text: string): string | null {
  const id = text.trim();
  return UUID.test(id) ? id.toLowerCase() : null;
}

const IPV4 = /^(?:\d{1,3}\.){3}\d{1,3}(?:\/\d{1,2})?$/;
const IPV6 = /^[\da-f.]*:[\da-f.]*:[\da-f:.]*(?:\/\d{1,3})?$/i;

/** Returns the text as a client address or network, or null if it looks like neither. The server validates it. */
export function addressIn(text: string): string | null {
  const address = text.trim();
  return IPV4.test(address) || IPV6.test(address) ? address : null;
}
