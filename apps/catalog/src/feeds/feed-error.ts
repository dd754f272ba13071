import type { FetchFault } from '#libs/evidence';

type FeedFault =
  | Exclude<FetchFault, 'address_refused'>
  | 'bad_status'
  /** The document isn't UTF-8, isn't valid JSON, or is nested too deeply. */
  | 'unreadable'
  | 'unknown_format'
  /** The signature is missing or invalid, or the feed has no key to verify it with. */
  | 'signature'
  /** The document was signed earlier than the version that was last read. */
  | 'rolled_back'
  | 'too_many_agents'
  | 'too_much_work'
  | 'unexpected';

const REMEDIES: Record<FeedFault, string> = {
  redirected: 'Enter the URL that it redirects to.',
  unreachable:
    'Enter an https URL on port 443 of a public host that this instance can reach, or add the feed as a file.',
  timed_out: 'The instance will retry within an hour.',
  too_large: 'Split the feed into smaller ones.',
  encoded: "Make sure the server doesn't compress responses for clients that don't accept compression.",
  bad_status: 'Check the URL.',
  unreadable: 'Check that it is the file itself, not a page about it.',
  unknown_format: 'See docs/catalog.md for the formats.',
  signature: 'Ask the publisher for the current public key, then remove the feed and add it again with that key.',
  rolled_back: 'Ask the publisher why an older version is being served.',
  too_many_agents: 'Split the feed into smaller ones.',
  too_much_work: 'Ask the publisher for simpler patterns, or split the feed.',
  unexpected: "See the catalog service's log for details. After the next upgrade, refresh the feed.",
};

/** Thrown if a feed can't be read. Agents from earlier reads are kept. */
export class FeedError extends Error {
  override name = 'FeedError';

  constructor(
    readonly fault: FeedFault,
    reason: string,
  ) {
    super(`${reason} ${REMEDIES[fault]}`);
  }
}

/** Truncates untrusted text and replaces control characters and line breaks, so it's safe to print on one line. */
export function toPrintable(text: string, maxLength = 300): string {
  const printableText = text
    .slice(0, maxLength + 1)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd');
  return printableText.length > maxLength ? `${printableText.slice(0, maxLength - 1).toWellFormed()}…` : printableText;
}
