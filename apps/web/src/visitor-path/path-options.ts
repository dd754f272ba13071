import type { Project } from '../api/client.js';

type TrustedProxies = Project['trusted_proxies'];

/** Choice for all other settings. Only the settings page can change them. */
export const OTHER = 'other';
const NOT_SURE = 'not sure';
const DIRECT = 'direct';
const OWN = 'own';
const NETWORK = 'network:';

interface PathOption {
  value: string;
  label: string;
}

export const pathOptions = (networks: readonly string[], setting: TrustedProxies): PathOption[] => [
  { value: NOT_SURE, label: 'Not sure: detect it from the first visits' },
  { value: DIRECT, label: 'Directly, without a proxy' },
  { value: OWN, label: 'Through proxies of my own only' },
  ...networks.map((operator) => ({ value: NETWORK + operator, label: `Through ${operator}` })),
  ...(pathChoice(setting) === OTHER ? [{ value: OTHER, label: capitalizedPath(setting) }] : []),
];

export function pathChoice({ mode, networks, hops, header }: TrustedProxies): string {
  if (mode === 'none') return DIRECT;
  if (hops !== undefined || header !== undefined || (networks?.length ?? 0) > 1) return OTHER;
  if (networks === undefined) return NOT_SURE;
  return networks.length === 0 ? OWN : NETWORK + networks[0]!;
}

/** Returns the setting for a choice. Keeps the current ranges, except for sites without a proxy. */
export function settingOfChoice(choice: string, { ranges }: TrustedProxies): TrustedProxies {
  if (choice === DIRECT) return { mode: 'none' };
  const kept = ranges === undefined ? {} : { ranges };
  if (choice === NOT_SURE) return kept;
  return { ...kept, networks: choice === OWN ? [] : [choice.slice(NETWORK.length)] };
}

/** Returns a setting as part of a sentence, such as "through Cloudflare". */
export function pathText({ mode, networks, hops, header }: TrustedProxies): string {
  if (mode === 'none') return 'directly, without a proxy';
  if (header !== undefined) return `through a proxy that sets ${header}`;
  if (hops !== undefined) return hops === 1 ? 'through one proxy' : `through ${hops} proxies`;
  if (networks === undefined) return 'through any known network';
  if (networks.length === 0) return 'through proxies of your own only';
  return `through ${new Intl.ListFormat('en').format(networks)}`;
}

function capitalizedPath(setting: TrustedProxies): string {
  const text = pathText(setting);
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
