import { LRUCache } from 'lru-cache';
import { parseCidr } from './address-block.js';
import { compileProxyRanges, type ProxyRanges } from './address-ranges.js';

/**
 * Proxies in front of a project's site. Every member is optional.
 *
 * By default, the site has one proxy that appends to or overwrites `X-Forwarded-For` or `Forwarded`, and any known
 * network may be in front of it.
 */
export interface ProjectProxies {
  /** `none` means that visitors reach the site directly, so headers are ignored. */
  mode?: 'default' | 'none';
  /** Operators of the proxy networks in front of the site. Empty if all proxies belong to the site. */
  networks?: string[];
  /** Number of proxies that append to the list, 1–10. The client is this many entries from the right. */
  hops?: number;
  ranges?: string[];
  /** The only header to trust, such as `cf-connecting-ip`. Case-insensitive. */
  header?: string;
}

/** Problem in a settings document: an RFC 6901 pointer and a description. */
export interface SettingFault {
  pointer: string;
  detail: string;
}

/**
 * Returns whether the project configures how visitors reach its site. `ranges` doesn't count, because it doesn't say
 * what else is in front of the site.
 */
export const isStatedPath = ({ mode, networks, hops, header }: ProjectProxies): boolean =>
  mode === 'none' || networks !== undefined || hops !== undefined || header !== undefined;

const MAX_HOPS = 10;
const MAX_NETWORKS = 50;
const MAX_RANGES = 1_000;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;

/** Returns every problem in a project's proxy setting. If there are none, the value is a {@link ProjectProxies}. */
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

/** Rejects wide blocks, because they would include visitors, whose headers must never be trusted. */
function rangeFault(range: unknown): string | null {
  const block = typeof range === 'string' ? parseCidr(range) : null;
  if (block === null) return 'must be a CIDR block such as 192.0.2.0/24 or 2001:db8::/32';
  const shortest = block.family === 4 ? 8 : 16;
  return block.prefixLength < shortest ? `is too wide: the prefix must be /${shortest} or longer` : null;
}

const compiled = new LRUCache<string, ProxyRanges>({ max: 1_000 });

/** Returns the project's own ranges, or null if it has none. Ignores blocks that can't be parsed. */
export function projectRanges(proxies: ProjectProxies): ProxyRanges | null {
  if (!proxies.ranges?.length) return null;
  // Settings arrive as fresh JSON with each visit, so the cache key is the text instead of the object.
  const key = proxies.ranges.join(' ');
  let ranges = compiled.get(key);
  if (ranges === undefined) {
    ranges = compileProxyRanges(proxies.ranges.filter((range) => parseCidr(range) !== null));
    compiled.set(key, ranges);
  }
  return ranges;
}
