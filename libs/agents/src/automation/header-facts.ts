import { clientHintSign, type ClientHints, type UserAgentClaim } from './client-hints.js';
import { prefersMarkdown } from './accepted-types.js';
import type { AutomationSign } from '../vocabulary.js';

interface HeaderFacts {
  /** Null if not reported. */
  userAgent: string | null;
  /** Whether Accept or Accept-Encoding was reported. Browsers and nearly all libraries send one of them. */
  isReported: boolean;
  hasLanguage: boolean;
  hints: ClientHints | null;
  accept: string | null;
  from: string | null;
  /** Signature-Agent header, or null if the request has none. */
  signatureAgent: string | null;
  isSigned: boolean;
  /** Whether a proxy added a Via header. */
  hasProxy: boolean;
  /** Whether the request came from a page of the same site, e.g. from a script. Scripts can't change Sec-Fetch-Site. */
  isOfScript: boolean;
}

/** Reads all headers in one pass, because this runs for every visit. */
export function factsOf(headers: Readonly<Record<string, unknown>>): HeaderFacts {
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
    // Lookup by length rules out nearly all other headers without lowercasing their names.
    const read = READERS[name.length];
    if (read === undefined) continue;
    const value = headers[name];
    if (value !== null && value !== undefined) read(facts, name.toLowerCase(), value);
  }
  return facts;
}

const NO_HINTS: ClientHints = { brands: null, fullVersions: null, platform: null, mobile: null };
const hint = (name: string, key: keyof ClientHints) => (facts: HeaderFacts, given: string, value: unknown) => {
  if (given === name) (facts.hints ??= { ...NO_HINTS })[key] = textOf(value);
};

/** By length of the header name. */
const READERS: Readonly<Record<number, (facts: HeaderFacts, name: string, value: unknown) => void>> = {
  3: (facts, name) => {
    if (name === 'via') facts.hasProxy = true;
  },
  4: (facts, name, value) => {
    if (name === 'from') facts.from = textOf(value);
  },
  6: (facts, name, value) => {
    if (name !== 'accept') return;
    facts.isReported = true;
    facts.accept = textOf(value);
  },
  9: hint('sec-ch-ua', 'brands'),
  10: (facts, name, value) => {
    if (name === 'user-agent') facts.userAgent = textOf(value);
  },
  14: (facts, name, value) => {
    if (name === 'sec-fetch-site') facts.isOfScript = textOf(value).startsWith('same-');
  },
  15: (facts, name, value) => {
    if (name === 'accept-encoding') facts.isReported = true;
    else if (name === 'accept-language') facts.hasLanguage = true;
    else if (name === 'signature-agent') facts.signatureAgent = textOf(value);
    else if (name === 'signature-input') facts.isSigned = WEB_BOT_AUTH.test(textOf(value));
  },
  16: hint('sec-ch-ua-mobile', 'mobile'),
  18: hint('sec-ch-ua-platform', 'platform'),
  27: hint('sec-ch-ua-full-version-list', 'fullVersions'),
};

const WEB_BOT_AUTH = /;\s?tag="web-bot-auth"/;
/** E-mail address, including `(at)` and `[at]`. */
const MAILBOX = /[^\s@]@[^\s@]|[([]at[)\]]/i;

/** Returns the signs in all headers except the user agent, in no particular order. */
export function headerSigns(facts: HeaderFacts, claim: UserAgentClaim): AutomationSign[] {
  const signs: AutomationSign[] = [];
  if (facts.signatureAgent !== null || facts.isSigned) signs.push('signed');
  if (facts.from !== null && MAILBOX.test(facts.from)) signs.push('from_header');
  if (facts.accept !== null && !facts.isOfScript && prefersMarkdown(facts.accept)) signs.push('markdown');
  const contradiction = facts.hints === null ? null : clientHintSign(facts.hints, claim);
  // Some proxies send the same user agent for all their visitors.
  if (contradiction !== null) {
    signs.push(contradiction === 'client_hints' && facts.hasProxy ? 'client_hints_doubt' : contradiction);
  }
  return signs;
}

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : String(value)).trim();
