import type { FetchFault } from '#libs/evidence';

type FeedFault =
  | Exclude<FetchFault, 'address_refused'>
  | 'bad_status'
  /** Not UTF-8, not JSON, or nested too deeply. */
  | 'unreadable'
  | 'unknown_format'
  /** The signature is missing or invalid, or the feed has no key to verify it with. */
  | 'signature'
  /** Signed before the version that was read last. */
  | 'rolled_back'
  | 'too_many_agents'
  | 'too_much_work'
  | 'unexpected';

const REMEDIES: Record<FeedFault, string> = {
  redirected: 'Enter the address that it redirects to.',
  unreachable:
    'Enter an https address on port 443 of a public host that this instance can reach, or add the feed as a file.',
  timed_out: 'It is tried again within the hour.',
  too_large: 'Split the feed into smaller ones.',
  encoded: 'Have it served without compression to clients that do not accept any.',
  bad_status: 'Check the address.',
  unreadable: 'Check that it is the file itself and not a page about it.',
  unknown_format: 'The formats are in docs/catalog.md.',
  signature: 'Ask its publisher for the current public key, and add the feed anew with it.',
  rolled_back: 'Ask its publisher why an older version is served.',
  too_many_agents: 'Split the feed into smaller ones.',
  too_much_work: 'Ask its publisher for plainer patterns, or split the feed.',
  unexpected: 'The log of the service catalog says more. Read the feed again after an upgrade.',
};

/** Thrown if a feed can't be read. Agents from earlier reads stay. */
export class FeedError extends Error {
  override name = 'FeedError';

  constructor(
    readonly fault: FeedFault,
    reason: string,
  ) {
    super(`${reason} ${REMEDIES[fault]}`);
  }
}

/** Returns untrusted text as a single printable line of limited length. */
export function printable(text: string, maxLength = 300): string {
  const shown = text
    .slice(0, maxLength + 1)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd');
  return shown.length > maxLength ? `${shown.slice(0, maxLength - 1).toWellFormed()}…` : shown;
}
