import type { Project } from '../../api/client.js';
import { parseList, joinLines } from '../../format/lines.js';

type TrustedProxies = Project['trusted_proxies'];

const PROXY_KINDS = ['default', 'none', 'networks', 'hops', 'header'] as const;
export type ProxyKind = (typeof PROXY_KINDS)[number];

interface ProxyFields {
  kind: ProxyKind;
  networks: string[];
  /** Number of proxies as a string, for the select field. */
  hops: string;
  header: string;
  /** IP ranges, one per line. */
  ranges: string;
}

export const toProxyFields = ({ mode, networks, hops, header, ranges }: TrustedProxies): ProxyFields => ({
  kind:
    mode === 'none'
      ? 'none'
      : header !== undefined
        ? 'header'
        : hops !== undefined
          ? 'hops'
          : networks !== undefined
            ? 'networks'
            : 'default',
  networks: networks ?? [],
  hops: String(hops ?? 1),
  header: header ?? '',
  ranges: joinLines(ranges ?? []),
});

/**
 * Converts form values to the setting. Fields that belong to another kind of setting are ignored, and current values
 * that the form has no field for are preserved.
 */
export function toTrustedProxies(
  { kind, networks, hops, header, ranges }: ProxyFields,
  current: TrustedProxies,
): TrustedProxies {
  if (kind === 'none') return { mode: 'none' };
  const cidrs = parseList(ranges);
  return {
    ...(cidrs.length > 0 && { ranges: cidrs }),
    ...(kind === 'networks' ? { networks } : kind !== 'default' && current.networks && { networks: current.networks }),
    ...(kind === 'header' && { header: header.trim().toLowerCase() }),
    // Keep hops that were set through the API, because the API allows hops and a header together and this form doesn't.
    ...(kind === 'hops'
      ? { hops: Number(hops) }
      : kind === 'header' && current.hops !== undefined && { hops: current.hops }),
  };
}
