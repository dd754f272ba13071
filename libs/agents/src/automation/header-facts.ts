import { checkClientHints, type ClientHints, type UserAgentClaim } from './client-hints.js';
import { prefersMarkdown } from './accept-header.js';
import type { AutomationSign } from '../vocabulary.js';

interface HeaderFacts {
  /** User agent, or null if the source doesn't report it. */
  userAgent: string | null;
  /**
   * Whether the source reports Accept or Accept-Encoding. Browsers and nearly all libraries send at least one of them.
   */
  isReported: boolean;
  hasLanguage: boolean;
  hints: ClientHints | null;
  accept: string | null;
  from: string | null;
  /** Signature-Agent header, or null if it is missing. */
  signatureAgent: string | null;
  isSigned: boolean;
  /** Whether the request has a Via header, which proxies add. */
  hasProxy: boolean;
  /**
   * Whether a page on the same site sent the request, for example from a script. Scripts can't forge Sec-Fetch-Site.
   */
  isOfScript: boolean;
}

/** Extracts all facts in a single pass over the headers, because this runs for every visit. */
export function extractFacts(headers: Readonly<Record<string, unknown>>): HeaderFacts {
  const facts: HeaderFacts = {
    userAgent: null,
    isReported: false,
    hasLanguage: false,
    hints: null,
    accept: null,
    from: null,
    signatureAgent: null,
    isSigned: false,
    hasProxy: false,
    isOfScript: false,
  };
  for (const name in headers) {
    // The length rules out nearly all other headers, so their names never need to be lowercased.
    const read = READERS[name.length];
    if (read === undefined) continue;
    const value = headers[name];
    if (value !== null && value !== undefined) read(facts, name.toLowerCase(), value);
  }
  return facts;
}

const NO_HINTS: ClientHints = { brands: null, fullVersions: null, platform: null, mobile: null };
const hintReader =
  (name: string, key: keyof ClientHints) => (facts: HeaderFacts, headerName: string, value: unknown) => {
    if (headerName === name) (facts.hints ??= { ...NO_HINTS })[key] = toText(value);
  };

/** Readers, keyed by header name length. */
const READERS: Readonly<Record<number, (facts: HeaderFacts, name: string, value: unknown) => void>> = {
  3: (facts, name) => {
    if (name === 'via') facts.hasProxy = true;
  },
  4: (facts, name, value) => {
    if (name === 'from') facts.from = toText(value);
  },
  6: (facts, name, value) => {
    if (name !== 'accept') return;
    facts.isReported = true;
    facts.accept = toText(value);
  },
  9: hintReader('sec-ch-ua', 'brands'),
  10: (facts, name, value) => {
    if (name === 'user-agent') facts.userAgent = toText(value);
  },
  14: (facts, name, value) => {
    if (name === 'sec-fetch-site') facts.isOfScript = toText(value).startsWith('same-');
  },
  15: (facts, name, value) => {
    if (name === 'accept-encoding') facts.isReported = true;
    else if (name === 'accept-language') facts.hasLanguage = true;
    else if (name === 'signature-agent') facts.signatureAgent = toText(value);
    else if (name === 'signature-input') facts.isSigned = WEB_BOT_AUTH.test(toText(value));
  },
  16: hintReader('sec-ch-ua-mobile', 'mobile'),
  18: hintReader('sec-ch-ua-platform', 'platform'),
  27: hintReader('sec-ch-ua-full-version-list', 'fullVersions'),
};

const WEB_BOT_AUTH = /;\s?tag="web-bot-auth"/;
/** Email address, possibly with `(at)` or `[at]` instead of `@`. */
const MAILBOX = /[^\s@]@[^\s@]|[([]at[)\]]/i;

/** Returns the signs of automation in all headers except the user agent, in no particular order. */
export function headerSigns(facts: HeaderFacts, claim: UserAgentClaim): AutomationSign[] {
  const signs: AutomationSign[] = [];
  if (facts.signatureAgent !== null || facts.isSigned) signs.push('signed');
  if (facts.from !== null && MAILBOX.test(facts.from)) signs.push('from_header');
  if (facts.accept !== null && !facts.isOfScript && prefersMarkdown(facts.accept)) signs.push('markdown');
  const contradiction = facts.hints === null ? null : checkClientHints(facts.hints, claim);
  // Client hints that contradict the user agent aren't conclusive behind a proxy, because some proxies replace the user
  // agent with the same one for all visitors.
  if (contradiction !== null) {
    signs.push(contradiction === 'client_hints' && facts.hasProxy ? 'client_hints_doubt' : contradiction);
  }
  return signs;
}

const toText = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : String(value)).trim();
