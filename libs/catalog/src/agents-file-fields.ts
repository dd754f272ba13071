import { toDirectoryUrl, isHostName, parseCidr, findPatternFault } from '#libs/agents';
import { escapePointer, type Fault } from '#libs/contracts';
import { parseAddressPaths } from './address-paths.js';
import type { AgentRecord } from './catalog.js';

/**
 * Shortest allowed CIDR prefix, by IP version. No operator has larger blocks, and a single wrong digit could let half
 * of the internet pass as the agent.
 */
const SHORTEST_PREFIX_LENGTH = { 4: 8, 6: 16 };
const LIST_FORMATS = ['json-prefixes', 'json', 'text', 'csv-geofeed', 'unknown'];

type Check = (value: never) => string | null;

/** Checks by field path, with `*` for array indices. */
const CHECKS_BY_PATH: Record<string, Check> = {
  '/token': edgeFault,
  '/operator': edgeFault,
  '/robots_token': robotsTokenFault,
  '/url': (url: string) => (isUrl(url, /^https?:$/) ? null : 'must be an http or https URL'),
  '/user_agent_patterns/*': findPatternFault,
  '/excluded_prefixes/*': (text: string) =>
    /^[\x20-\x7e]*$/.test(text) ? null : 'must contain only printable ASCII characters',
  '/verification/reverse_dns_suffixes/*': (name: string) =>
    isQualified(name) ? null : 'must be a host name with at least two labels, such as bots.example.com',
  '/verification/ip_list_urls/*/url': (url: string) => (isUrl(url, /^https:$/) ? null : 'must be an https URL'),
  '/verification/ip_list_urls/*/format': formatFault,
  '/verification/ip_ranges/*': rangeFault,
  '/ended_on': (day: string) => (isDate(day) ? null : 'must be a valid date, such as 2026-11-21'),
  '/verification/ip_ranges_as_of': (day: string) => (isDate(day) ? null : 'must be a valid date, such as 2026-11-21'),
  '/verification/signature_agents/*': signatureAgentFault,
};

/**
 * Checks each field of a record for faults that a JSON schema can't detect.
 *
 * @param shapeFaults Faults that the schema detected. Those fields are skipped, because a list that is too long can
 *   have any number of items.
 * @returns Faults with pointers relative to the record.
 */
export function* fieldFaults(record: object, shapeFaults: readonly Fault[]): Generator<void, Fault[]> {
  const faultyPointers = new Set(shapeFaults.map(({ pointer }) => pointer));
  const faults: Fault[] = [];
  for (const { value, pointer, path } of walkStrings(record, '', '', faultyPointers)) {
    yield;
    const detail =
      unprintableFault(value) ?? (CHECKS_BY_PATH[path] as ((text: string) => string | null) | undefined)?.(value);
    if (detail != null) faults.push({ pointer, detail });
  }
  return faults;
}

/** Yields every string in a value. Skips fields with faults. */
function* walkStrings(
  value: unknown,
  pointer: string,
  path: string,
  faultyPointers: ReadonlySet<string>,
): Generator<{ value: string; pointer: string; path: string }> {
  if (pointer !== '' && faultyPointers.has(pointer)) return;
  if (typeof value === 'string') yield { value, pointer, path };
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const memberPath = `${path}/${Array.isArray(value) ? '*' : name}`;
    yield* walkStrings(member, `${pointer}/${escapePointer(name)}`, memberPath, faultyPointers);
  }
}

/**
 * Rejects control and bidi characters, line separators and unpaired surrogates, which can break robots.txt, terminals
 * or PostgreSQL. Some parsers treat U+2028 as a line break.
 */
function unprintableFault(text: string): string | null {
  return /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(text) ? 'must not contain control characters' : null;
}

/** Rejects `*`, which matches every agent in robots.txt, and `#`, which starts a comment. */
function robotsTokenFault(token: string): string | null {
  return edgeFault(token) ?? (/[*#]/.test(token) ? 'must not contain * or #' : null);
}

function edgeFault(text: string): string | null {
  return text.trim() === text ? null : 'must not start or end with a space';
}

function formatFault(format: string): string | null {
  if (!format.startsWith('json:')) {
    return LIST_FORMATS.includes(format) ? null : `must be one of: ${LIST_FORMATS.join(', ')}, json:<JSONPath>`;
  }
  try {
    parseAddressPaths(format.slice('json:'.length));
    return null;
  } catch (error) {
    return `must be json:<JSONPath>, but the path ${(error as Error).message}`;
  }
}

function rangeFault(range: string): string | null {
  const block = parseCidr(range);
  if (block === null) return 'must be a CIDR block such as 192.0.2.0/24 or 2001:db8::/32';
  const shortest = SHORTEST_PREFIX_LENGTH[block.family];
  return block.prefixLength < shortest ? `is too wide: the prefix must be /${shortest} or longer` : null;
}

function signatureAgentFault(text: string): string | null {
  const isAddress = text.includes('://');
  const result = toDirectoryUrl(isAddress ? text : `https://${text}`);
  if ('url' in result && (isAddress || isQualified(text.replace(/:\d{1,5}$/, '')))) return null;
  return 'must be a host name or an https URL';
}

/** Requires at least two labels: a suffix such as `com` would match almost everyone. */
const isQualified = (name: string): boolean => name.includes('.') && isHostName(name);

function isUrl(text: string, protocol: RegExp): boolean {
  const url = URL.parse(text);
  return url !== null && protocol.test(url.protocol) && url.username === '' && url.password === '';
}

function isDate(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Checks combinations of fields. Skips fields that already have a fault. */
export function recordFaults(record: AgentRecord, isValid: (pointer: string) => boolean): Fault[] {
  const faults: Fault[] = [];
  const patterns = record.user_agent_patterns;
  const patternlessFlag = record.robots_only ? 'robots_only' : record.signature_only ? 'signature_only' : null;
  if (isValid('/user_agent_patterns')) {
    const pointer = '/user_agent_patterns';
    if (patternlessFlag !== null && patterns.length > 0)
      faults.push({ pointer, detail: `must be empty when ${patternlessFlag} is true` });
    if (patternlessFlag === null && patterns.length === 0) {
      faults.push({ pointer, detail: 'must contain a pattern unless robots_only or signature_only is true' });
    }
    for (const field of ['fallback_patterns', 'loose_patterns'] as const) {
      record[field]?.forEach((subsetPattern, index) => {
        if (patterns.includes(subsetPattern)) return;
        faults.push({ pointer: `/${field}/${index}`, detail: 'must also be listed in user_agent_patterns' });
      });
    }
  }
  if (record.framework && !record.generic) {
    faults.push({ pointer: '/framework', detail: 'must be omitted unless generic is true' });
  }
  if (record.robots_only && record.robots_token === null) {
    faults.push({ pointer: '/robots_token', detail: 'is required when robots_only is true' });
  }
  if (record.signature_only && isValid('/verification') && !record.verification.signature_agents?.length) {
    const detail = 'is required when signature_only is true';
    faults.push({ pointer: '/verification/signature_agents', detail });
  }
  return faults;
}
