import type { PaymentOutcome, PaymentScheme } from '#libs/contracts';
import { CHALLENGE_SCHEME, CREDENTIAL_SCHEME, parseChallenges, type Challenge } from './challenges.js';
import { decodeObject, getText, MAX_ENCODED_CHARACTERS } from './encoded-json.js';
import { getAll, getFirst, getLocationHost, type HeaderValues } from './headers.js';
import { parseCrawlerPrice, toChargePrice, type Price } from './price.js';
import { getAuthorizedPrice, getRequiredPrices, readAuthorization, readRequirements, readSettlement } from './x402.js';

/** A payment in one form for all dialects. */
export interface Payment {
  scheme: PaymentScheme;
  outcome: PaymentOutcome;
  /** Price that was asked, offered or paid. Null if unknown. */
  price: Price | null;
  /** Number of other prices that the site would also have accepted. */
  alternatives: number;
  /** Error code, or null. */
  error: string | null;
}

interface PaymentVisit {
  status: number | null;
  requestHeaders: HeaderValues;
  responseHeaders: HeaderValues;
}

const TOKEN = /^[\w.:/-]{1,80}$/;
const ERROR = /^[\w-]{1,60}$/;

type Read = (visit: PaymentVisit, tollHosts: ReadonlySet<string>) => Payment | null;

/**
 * Returns the payment in a request and its response, or null. If several dialects are used, the one with a price or a
 * result applies, in the order of `PAYMENT_SCHEMES`.
 *
 * @param tollHosts Hosts in lower case that sell access to the site.
 */
export function readPayment(visit: PaymentVisit, tollHosts: ReadonlySet<string>): Payment | null {
  const payments = READERS.map((read) => read(visit, tollHosts)).filter((payment) => payment !== null);
  return payments.find(({ outcome, price }) => outcome !== 'asked' || price !== null) ?? payments[0] ?? null;
}

/** Cloudflare pay per crawl (developers.cloudflare.com/ai-crawl-control/features/pay-per-crawl, read on 2026-11-30). */
const readCrawler: Read = ({ requestHeaders, responseHeaders }) => {
  const response = (name: string): string | null => getFirst(responseHeaders, name);
  const request = getFirst(requestHeaders, 'crawler-exact-price') ?? getFirst(requestHeaders, 'crawler-max-price');
  const [charged, error, asked] = ['crawler-charged', 'crawler-error', 'crawler-price'].map(response);
  const price = parsePrice(charged) ?? parsePrice(asked) ?? parsePrice(request);
  if (charged != null) return payment('crawler', 'paid', price);
  if (error != null) {
    const isAsked = /^MissingCrawlerPrice$/i.test(error);
    return payment('crawler', isAsked ? 'asked' : 'failed', price, { error: isAsked ? null : toError(error) });
  }
  if (asked != null) return payment('crawler', request === null ? 'asked' : 'failed', price);
  return request === null ? null : payment('crawler', 'offered', price);
};

const readX402: Read = ({ status, requestHeaders, responseHeaders }) => {
  const authorization = getFirst(requestHeaders, 'payment-signature') ?? getFirst(requestHeaders, 'x-payment');
  const required = getFirst(responseHeaders, 'payment-required') ?? getFirst(responseHeaders, 'x-payment-required');
  const settled = getFirst(responseHeaders, 'payment-response') ?? getFirst(responseHeaders, 'x-payment-response');
  if (authorization === null && required === null && settled === null) return null;
  const settlement = settled === null ? null : readSettlement(settled);
  const accepted = authorization === null ? null : readAuthorization(authorization);
  const requirements = required === null ? null : readRequirements(required);
  const prices = requirements === null ? [] : getRequiredPrices(requirements);
  const price = (accepted && getAuthorizedPrice(accepted, requirements)) ?? prices[0] ?? null;
  if (settlement?.success === true) return payment('x402', 'paid', price);
  if (settlement !== null || (authorization !== null && status === 402)) {
    return payment('x402', 'failed', price, { error: settlement?.errorReason ?? null });
  }
  if (authorization !== null || required === null) return payment('x402', 'offered', price);
  return payment('x402', 'asked', price, { alternatives: Math.max(0, prices.length - 1) });
};

/** Schemes of HTTP authentication: draft-httpauth-payment-01, and RSL's Crawler Authorization Protocol 1.0. */
const readAuthentication =
  (scheme: 'payment' | 'license'): Read =>
  ({ status, requestHeaders, responseHeaders }) => {
    const isPresented = getAll(requestHeaders, 'authorization').some(
      (value) => CREDENTIAL_SCHEME.exec(value)?.[1]?.toLowerCase() === scheme,
    );
    const receipt = scheme === 'payment' ? getFirst(responseHeaders, 'payment-receipt') : null;
    const challenges = getChallenges(responseHeaders, scheme);
    if (!isPresented && receipt === null && challenges.length === 0) return null;
    const prices = challenges.map(readPrice).filter((price) => price !== null);
    const price = prices[0] ?? null;
    if (receipt !== null && getText(decodeObject(receipt), 'status', ERROR) === 'success') {
      return payment(scheme, 'paid', price);
    }
    const isServed = status !== null && status >= 200 && status < 400;
    if (isPresented && isServed) return payment(scheme, scheme === 'license' ? 'licensed' : 'offered', price);
    const error = toError(challenges[0]?.parameters.get('error'));
    if (isPresented) return payment(scheme, status === null ? 'offered' : 'failed', price, { error });
    return payment(scheme, 'asked', price, { alternatives: Math.max(0, prices.length - 1) });
  };

const readToll: Read = ({ status, responseHeaders }, tollHosts) => {
  if (tollHosts.size === 0 || status === null || status < 300 || status >= 400) return null;
  const host = getLocationHost(getFirst(responseHeaders, 'location'));
  return host !== null && tollHosts.has(host) ? payment('toll', 'asked', null) : null;
};

const readStatus: Read = ({ status }) => (status === 402 ? payment('status', 'asked', null) : null);

const READERS: readonly Read[] = [
  readCrawler,
  readX402,
  readAuthentication('payment'),
  readAuthentication('license'),
  readToll,
  readStatus,
];

const payment = (
  scheme: PaymentScheme,
  outcome: PaymentOutcome,
  price: Price | null,
  { alternatives = 0, error = null }: Partial<Payment> = {},
): Payment => ({ scheme, outcome, price, alternatives, error });

const parsePrice = (text: string | null | undefined): Price | null => (text == null ? null : parseCrawlerPrice(text));

const toError = (text: string | undefined): string | null => (text !== undefined && ERROR.test(text) ? text : null);

const getChallenges = (headers: HeaderValues, scheme: string): Challenge[] =>
  getAll(headers, 'www-authenticate')
    .filter((value) => value.length <= MAX_ENCODED_CHARACTERS && CHALLENGE_SCHEME.test(value))
    .flatMap(parseChallenges)
    .filter((challenge) => challenge.scheme === scheme);

/** Reads the amount and currency in the `request` parameter, or in the parameters of a reduced header. */
function readPrice({ parameters }: Challenge): Price | null {
  const encoded = parameters.get('request');
  const request = encoded === undefined ? Object.fromEntries(parameters) : decodeObject(encoded);
  const [amount, currency] = [getText(request, 'amount', TOKEN), getText(request, 'currency', TOKEN)];
  const method = parameters.get('method');
  if (amount === null || currency === null) return null;
  return toChargePrice(amount, method !== undefined && TOKEN.test(method) ? method : 'unknown', currency);
}
