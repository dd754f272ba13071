import { LRUCache } from 'lru-cache';
import { parseCidr } from './address-block.js';
import { compileProxyRanges, type ProxyRanges } from './proxy-ranges.js';

/**
 * Proxies in front of a project's site.
 *
 * By default, the site has one proxy that appends to or overwrites `X-Forwarded-For` or `Forwarded`, and any known proxy
 * network may be in front of it.
 */
export interface ProjectProxies {
  /** `none` if visitors reach the site directly. All headers are then ignored. */
  mode?: 'default' | 'none';
  /** Operators of the proxy networks in front of the site. Empty if the site only has proxies of its own. */
  networks?: string[];
  /** Number of proxies that append to the list, 1–10. The visitor is this many entries from the right. */
  hops?: number;
  /** CIDR blocks of additional trusted proxies. */
  ranges?: string[];
  /** Name of the only header to trust, such as `cf-connecting-ip`. Case-insensitive. */
  header?: string;
}

/** Validation error in a settings document. `pointer` is a JSON pointer (RFC 6901). */
export interface SettingFault {
  pointer: string;
  detail: string;
}

/**
 * Returns true if the project configures how visitors reach its site. `ranges` isn't sufficient, because there may be
 * other proxies in front of the site.
 */
export const hasConfiguredPath = ({ mode, networks, hops, header }: ProjectProxies): boolean =>
  mode === 'none' || networks !== undefined || hops !== undefined || header !== undefined;

const MAX_HOPS = 10;
const MAX_NETWORKS = 50;
const MAX_RANGES = 1_000;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;

/** Returns all validation errors in a project's proxy settings. If there are none, `value` is a {@link ProjectProxies}. */
export function validateProjectProxies(value: unknown): SettingFault[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [{ pointer: '', detail: 'must be an object' }];
  }
  return Object.entries(value).flatMap(([name, member]) => validateMember(name, member));
}

function validateMember(name: string, value: unknown): SettingFault[] {
  const toFaults = (detail: string, index = '') => [{ pointer: `/${escapePointerToken(name)}${index}`, detail }];
  if (value === undefined) return [];
  switch (name) {
    case 'mode':
      return value === 'default' || value === 'none' ? [] : toFaults("must be 'default' or 'none'");
    case 'hops':
      return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_HOPS
        ? []
        : toFaults(`must be an integer from 1 to ${MAX_HOPS}`);
    case 'header':
      return typeof value === 'string' && HEADER_NAME.test(value) ? [] : toFaults('must be the name of an HTTP header');
    case 'networks':
      return Array.isArray(value) && value.length <= MAX_NETWORKS && value.every((name) => typeof name === 'string')
        ? []
        : toFaults(`must be an array of at most ${MAX_NETWORKS} network names`);
    case 'ranges':
      if (!Array.isArray(value) || value.length > MAX_RANGES)
        return toFaults(`must be an array of at most ${MAX_RANGES} CIDR blocks`);
      return value.flatMap((range, index) => {
        const detail = validateRange(range);
        return detail === null ? [] : toFaults(detail, `/${index}`);
      });
    default:
      return toFaults('is not a supported setting');
  }
}

function escapePointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Rejects wide blocks, because they would include visitors, and visitors' headers must never be trusted. */
function validateRange(range: unknown): string | null {
  const block = typeof range === 'string' ? parseCidr(range) : null;
  if (block === null) return 'must be a CIDR block such as 192.0.2.0/24 or 2001:db8::/32';
  const minPrefixLength = block.family === 4 ? 8 : 16;
  return block.prefixLength < minPrefixLength ? `is too wide: the prefix must be /${minPrefixLength} or longer` : null;
}

const rangesCache = new LRUCache<string, ProxyRanges>({ max: 1_000 });

/** Returns the project's compiled proxy ranges, or null if it has none. Ignores invalid blocks. */
export function getProjectRanges(proxies: ProjectProxies): ProxyRanges | null {
  if (!proxies.ranges?.length) return null;
  // Settings are parsed from JSON for each visit, so the cache key is the text rather than the object.
  const key = proxies.ranges.join(' ');
  let ranges = rangesCache.get(key);
  if (ranges === undefined) {
    ranges = compileProxyRanges(proxies.ranges.filter((range) => parseCidr(range) !== null));
    rangesCache.set(key, ranges);
  }
  return ranges;
}
