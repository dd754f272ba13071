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
  /** Agent or operator, whose mark replaces the icon. */
  mark?: { name: string; operator: string | null | undefined };
  to: string;
  search?: object;
  hash?: string;
  /** True if the path is outside the dashboard and requires a full page load. */
  isExternal?: true;
}

const splitWords = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Returns the match rank from 0 (best) to 3, or null if the entry doesn't contain every word. */
function rank({ section, label, description = '', keywords = '' }: Entry, words: readonly string[]): number | null {
  const name = label.toLowerCase();
  const all = `${name} ${section} ${description} ${keywords}`.toLowerCase();
  if (!words.every((word) => all.includes(word))) return null;
  const [first = ''] = words;
  if (name.startsWith(first)) return 0;
  if (splitWords(name).some((word) => word.startsWith(first))) return 1;
  return name.includes(first) ? 2 : 3;
}

/** Returns the entries that contain every word in the query, best matches first. */
export function findEntries(entries: readonly Entry[], query: string): Entry[] {
  const words = splitWords(query);
  const ranked = entries.map((entry) => ({ entry, rank: rank(entry, words) }));
  return ranked
    .filter(({ rank }) => rank !== null)
    .toSorted((first, other) => first.rank! - other.rank!)
    .map(({ entry }) => entry);
}

/** Groups entries by section, in order of first appearance. */
export const groupBySection = (entries: readonly Entry[]): [section: string, entries: Entry[]][] => [
  ...Map.groupBy(entries, ({ section }) => section),
];

const AGENT_ACTIONS = { block: 'block', slow: 'menu', alert: 'menu', copy: 'menu' } as const;

interface AgentCommand {
  /** Menu that the agent's page opens: the choice of a blocking rule, or all actions. */
  action: (typeof AGENT_ACTIONS)[keyof typeof AGENT_ACTIONS];
  /** First word, which names the action. */
  verb: string;
  /** Part of the agent's name. */
  name: string;
}

/** Parses an action for an agent, such as "block gptbot". Returns null for any other text. */
export function parseAgentCommand(text: string): AgentCommand | null {
  const [verb = '', ...words] = splitWords(text);
  const name = words.filter((word) => !FILLERS.has(word)).join(' ');
  const action = Object.entries(AGENT_ACTIONS).find(([key]) => key === verb)?.[1];
  return action === undefined || name === '' ? null : { action, verb, name };
}

/** Words between the action and the agent, as in "slow down gptbot" or "alert me about gptbot". */
const FILLERS: ReadonlySet<string> = new Set(['down', 'me', 'about', 'when', 'on', 'for']);

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** Returns the visit ID in lowercase, or null if the text isn't a UUID. */
export function parseVisitId(text: string): string | null {
  const id = text.trim();
  return UUID.test(id) ? id.toLowerCase() : null;
}

const IPV4 = /^(?:\d{1,3}\.){3}\d{1,3}(?:\/\d{1,2})?$/;
const IPV6 = /^[\da-f.]*:[\da-f.]*:[\da-f:.]*(?:\/\d{1,3})?$/i;

/** Returns the trimmed address or CIDR network, or null if the text looks like neither. The server validates it. */
export function parseAddress(text: string): string | null {
  const address = text.trim();
  return IPV4.test(address) || IPV6.test(address) ? address : null;
}
