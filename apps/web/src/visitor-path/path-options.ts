import type { Project } from '../api/client.js';

type TrustedProxies = Project['trusted_proxies'];

/** Option that represents all other settings, which can only be changed on the settings page. */
export const OTHER = 'other';
const NOT_SURE = 'not sure';
const DIRECT = 'direct';
const OWN_PROXIES = 'own';
const NETWORK_PREFIX = 'network:';

interface PathOption {
  value: string;
  label: string;
}

export const pathOptions = (networks: readonly string[], setting: TrustedProxies): PathOption[] => [
  { value: NOT_SURE, label: 'Not sure (detect it from the first visits)' },
  { value: DIRECT, label: 'Directly, without a proxy' },
  { value: OWN_PROXIES, label: 'Through my own proxies only' },
  ...networks.map((operator) => ({ value: NETWORK_PREFIX + operator, label: `Through ${operator}` })),
  ...(pathChoice(setting) === OTHER ? [{ value: OTHER, label: describePathCapitalized(setting) }] : []),
];

export function pathChoice({ mode, networks, hops, header }: TrustedProxies): string {
  if (mode === 'none') return DIRECT;
  if (hops !== undefined || header !== undefined || (networks?.length ?? 0) > 1) return OTHER;
  if (networks === undefined) return NOT_SURE;
  return networks.length === 0 ? OWN_PROXIES : NETWORK_PREFIX + networks[0]!;
}

/** Returns the setting for a choice. Preserves the current ranges, except for sites without a proxy. */
export function toTrustedProxies(choice: string, { ranges }: TrustedProxies): TrustedProxies {
  if (choice === DIRECT) return { mode: 'none' };
  const preserved = ranges === undefined ? {} : { ranges };
  if (choice === NOT_SURE) return preserved;
  return { ...preserved, networks: choice === OWN_PROXIES ? [] : [choice.slice(NETWORK_PREFIX.length)] };
}

/** Returns a setting as part of a sentence, such as "through Cloudflare". */
export function describePath({ mode, networks, hops, header }: TrustedProxies): string {
  if (mode === 'none') return 'directly, without another proxy in front';
  if (header !== undefined) return `through a proxy that sets ${header}`;
  if (hops !== undefined) return hops === 1 ? 'through one proxy' : `through ${hops} proxies`;
  if (networks === undefined) return 'through any known network';
  if (networks.length === 0) return 'through your own proxies only';
  return `through ${new Intl.ListFormat('en').format(networks)}`;
}

function describePathCapitalized(setting: TrustedProxies): string {
  const text = describePath(setting);
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
