import type { Project } from '../../api/client.js';
import { fromLines, toLines } from '../../format/lines.js';

type TrustedProxies = Project['trusted_proxies'];

/** The cases that people tell apart. */
const PROXY_KINDS = ['default', 'none', 'networks', 'hops', 'header'] as const;
export type ProxyKind = (typeof PROXY_KINDS)[number];

interface ProxyFields {
  kind: ProxyKind;
  networks: string[];
  /** As a list to choose from has it. */
  hops: string;
  header: string;
  /** One a line. */
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

/** The setting for what was entered: only what counts in the case chosen, and what the form does not know of. */
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
    // The interface can also restrict a header to networks, and count the hops of a list in it.
    ...(kind === 'hops'
      ? { hops: Number(hops) }
      : kind === 'header' && before.hops !== undefined && { hops: before.hops }),
  };
}
