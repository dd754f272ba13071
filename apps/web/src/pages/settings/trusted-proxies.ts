import type { Project } from '../../api/client.js';
import { fromLines, toLines } from '../../format/lines.js';

type TrustedProxies = Project['trusted_proxies'];

/** Options in the form. */
const PROXY_KINDS = ['default', 'none', 'networks', 'hops', 'header'] as const;
export type ProxyKind = (typeof PROXY_KINDS)[number];

interface ProxyFields {
  kind: ProxyKind;
  networks: string[];
  /** Number of proxies, as the value of a select. */
  hops: string;
  header: string;
  /** One per line. */
  ranges: string;
}

export const proxyFields = ({ mode, networks, hops, header, ranges }: TrustedProxies): ProxyFields => ({
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
  ranges: toLines(ranges ?? []),
});

/** Converts form values to the setting. Ignores fields of other kinds, and keeps settings that have no field. */
export function trustedProxies(
  { kind, networks, hops, header, ranges }: ProxyFields,
  before: TrustedProxies,
): TrustedProxies {
  if (kind === 'none') return { mode: 'none' };
  const blocks = fromLines(ranges);
  return {
    ...(blocks.length > 0 && { ranges: blocks }),
    ...(kind === 'networks' ? { networks } : kind !== 'default' && before.networks && { networks: before.networks }),
    ...(kind === 'header' && { header: header.trim().toLowerCase() }),
    // The API also accepts hops together with a header.
    ...(kind === 'hops'
      ? { hops: Number(hops) }
      : kind === 'header' && before.hops !== undefined && { hops: before.hops }),
  };
}
