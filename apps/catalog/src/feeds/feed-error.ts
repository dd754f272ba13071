import type { FetchFault } from '#libs/evidence';

/** Why a feed was not read. */
type FeedFault =
  | Exclude<FetchFault, 'address_refused'>
  | 'bad_status'
  /** It is not JSON in UTF-8, or nested too deep. */
  | 'unreadable'
  | 'unknown_format'
  /** It has a signature that does not hold, or none where one is asked for, or one where no key is given. */
  | 'signature'
  /** It is older than what was taken before. */
  | 'rolled_back'
  | 'too_many_agents'
  | 'too_much_work'
  /** A fault of ours. */
  | 'unexpected';

/** What to do about each. */
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

/** A feed can't be read; what it brought before stays. */
export class FeedError extends Error {
  override name = 'FeedError';

  constructor(
    readonly fault: FeedFault,
    reason: string,
  ) {
    super(`${reason} ${REMEDIES[fault]}`);
  }
}

/** A text from outside as one line that can be stored and shown. */
export function printable(text: string, maxLength = 300): string {
  const shown = text
    .slice(0, maxLength + 1)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd');
  return shown.length > maxLength ? `${shown.slice(0, maxLength - 1).toWellFormed()}…` : shown;
}
