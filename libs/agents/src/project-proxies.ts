import { LRUCache } from 'lru-cache';
import { parseCidr } from './address-block.js';
import { compileProxyRanges, type ProxyRanges } from './address-ranges.js';

/**
 * How visitors reach a project's site; every member is optional.
 * Without any: one proxy that appends to, or overwrites, `X-Forwarded-For` or `Forwarded`, and any known network in front
 * of it.
 */
export interface ProjectProxies {
  /** `none`: the site is reached directly, so no header is believed. */
  mode?: 'default' | 'none';
  /** Operators of the proxy networks in front of the site; empty if there are only proxies of its own. */
  networks?: string[];
  /** How many proxies append to the list; the client is that many entries from its right end. 1 to 10. */
  hops?: number;
  /** CIDR blocks of further trusted proxies. */
  ranges?: string[];
  /** The one header to believe, e.g. `cf-connecting-ip`; any case. */
  header?: string;
}

/** A fault in a settings document: an RFC 6901 pointer into it, and a sentence for its author. */
export interface SettingFault {
  pointer: string;
  detail: string;
}

/** Returns whether a project says how visitors reach its site. Its own ranges don't say what else is in front of it. */
export const isStatedPath = ({ mode, networks, hops, header }: ProjectProxies): boolean =>
  mode === 'none' || networks !== undefined || hops !== undefined || header !== undefined;

const MAX_HOPS = 10;
const MAX_NETWORKS = 50;
const MAX_RANGES = 1_000;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;

/** Lists every fault of a project's proxy setting; empty when it can be used as {@link ProjectProxies}. */
export function projectProxiesFaults(value: unknown): SettingFault[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [{ pointer: '', detail: 'must be an object' }];
  }
  return Object.entries(value).flatMap(([name, member]) => memberFaults(name, member));
}

function memberFaults(name: string, value: unknown): SettingFault[] {
  const fault = (detail: string, index = '') => [{ pointer: `/${escaped(name)}${index}`, detail }];
  if (value === undefined) return [];
  switch (name) {
    case 'mode':
      return value === 'default' || value === 'none' ? [] : fault("must be 'default' or 'none'");
    case 'hops':
      return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_HOPS
        ? []
        : fault(`must be a whole number between 1 and ${MAX_HOPS}`);
    case 'header':
      return typeof value === 'string' && HEADER_NAME.test(value) ? [] : fault('must be the name of an HTTP header');
    case 'networks':
      return Array.isArray(value) && value.length <= MAX_NETWORKS && value.every((name) => typeof name === 'string')
        ? []
        : fault(`must be a list of at most ${MAX_NETWORKS} names`);
    case 'ranges':
      if (!Array.isArray(value) || value.length > MAX_RANGES) return fault(`must be a list of at most ${MAX_RANGES}`);
      return value.flatMap((range, index) => {
        const detail = rangeFault(range);
        return detail === null ? [] : fault(detail, `/${index}`);
      });
    default:
      return fault('is not a known setting');
  }
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Wide blocks are refused: they would hold visitors too, and what a visitor writes must never be believed. */
function rangeFault(range: unknown): string | null {
  const block = typeof range === 'string' ? parseCidr(range) : null;
  if (block === null) return 'must be a CIDR block such as 192.0.2.0/24 or 2001:db8::/32';
  const shortest = block.family === 4 ? 8 : 16;
  return block.prefixLength < shortest ? `is too wide: the prefix must be /${shortest} or longer` : null;
}

const compiled = new LRUCache<string, ProxyRanges>({ max: 1_000 });

/** The project's own ranges, or `null` when it has none. Blocks that can't be read trust nobody. */
export function projectRanges(proxies: ProjectProxies): ProxyRanges | null {
  if (!proxies.ranges?.length) return null;
  // Settings arrive as fresh JSON with the visits, so the text is the key, not the object.
  const key = proxies.ranges.join(' ');
  let ranges = compiled.get(key);
  if (ranges === undefined) {
    ranges = compileProxyRanges(proxies.ranges.filter((range) => parseCidr(range) !== null));
    compiled.set(key, ranges);
  }
  return ranges;
}
