import { CREDENTIAL_SCHEME, parseChallenges, type Challenge } from './challenges.js';
import { decodeObject, getText } from './encoded-json.js';
import { readAuthorization, readRequirements, readSettlement } from './x402.js';

const REDACTED = '[redacted]';
const PAYMENT_SCHEMES: Readonly<Record<string, string>> = { payment: 'Payment', license: 'License' };
const TOKEN = /^[\w.:/-]{1,80}$/;
const ERROR = /^[\w-]{1,60}$/;

const reduceWith =
  (read: (value: string) => object | null) =>
  (value: string): string => {
    const reduced = read(value);
    return reduced === null ? REDACTED : JSON.stringify(reduced);
  };

const REDUCERS: Readonly<Record<string, (value: string) => string>> = {
  'payment-required': reduceWith(readRequirements),
  'x-payment-required': reduceWith(readRequirements),
  'payment-signature': reduceWith(readAuthorization),
  'x-payment': reduceWith(readAuthorization),
  'payment-response': reduceWith(readSettlement),
  'x-payment-response': reduceWith(readSettlement),
  'payment-receipt': reduceWith(readReceipt),
  authorization: reduceAuthorization,
  'www-authenticate': reduceChallenges,
};

/** Names of headers that {@link reducePaymentHeader} changes, in lower case. */
export const REDUCED_PAYMENT_HEADERS: ReadonlySet<string> = new Set(Object.keys(REDUCERS));

/**
 * Removes wallets, signatures, tokens and transaction IDs from a payment header, and leaves the price, scheme and
 * result. Replaces values that are too long or malformed with `[redacted]`. Reducing a value again has no effect.
 *
 * @param name Name from {@link REDUCED_PAYMENT_HEADERS}.
 */
export const reducePaymentHeader = (name: string, value: string): string => REDUCERS[name]!(value);

/** Returns the status and method of a `Payment-Receipt` header (draft-httpauth-payment-01 section 5.3). */
function readReceipt(value: string): object | null {
  const receipt = decodeObject(value);
  const status = getText(receipt, 'status', ERROR);
  const method = getText(receipt, 'method', TOKEN);
  return status === null ? null : { status, ...(method !== null && { method }) };
}

function reduceAuthorization(value: string): string {
  const scheme = CREDENTIAL_SCHEME.exec(value)?.[1]?.toLowerCase();
  return scheme === undefined ? REDACTED : `${PAYMENT_SCHEMES[scheme]} ${REDACTED}`;
}

/** Reduces only the challenges for payments. Returns other headers unchanged. */
function reduceChallenges(value: string): string {
  if (!/payment|license/i.test(value)) return value;
  const challenges = parseChallenges(value);
  if (challenges.length === 0) return REDACTED;
  return challenges.map((challenge) => reduceChallenge(challenge)).join(', ');
}

function reduceChallenge({ scheme, parameters, text }: Challenge): string {
  const shown: [name: string, value: string | null][] =
    scheme === 'license'
      ? [['error', match(parameters.get('error'), ERROR)]]
      : scheme === 'payment'
        ? listPaymentParameters(parameters)
        : [];
  if (!Object.hasOwn(PAYMENT_SCHEMES, scheme)) return text;
  const list = shown.filter(([, value]) => value !== null).map(([name, value]) => `${name}="${value}"`);
  return [PAYMENT_SCHEMES[scheme], list.join(', ')].filter(Boolean).join(' ');
}

/** Replaces the encoded `request`, which can contain a wallet, with the amount and currency in it. */
function listPaymentParameters(parameters: ReadonlyMap<string, string>): [string, string | null][] {
  const encoded = parameters.get('request');
  const request = encoded === undefined ? null : decodeObject(encoded);
  return [
    ['method', match(parameters.get('method'), TOKEN)],
    ['intent', match(parameters.get('intent'), TOKEN)],
    ['amount', getText(request, 'amount', TOKEN) ?? match(parameters.get('amount'), TOKEN)],
    ['currency', getText(request, 'currency', TOKEN) ?? match(parameters.get('currency'), TOKEN)],
  ];
}

const match = (text: string | undefined, pattern: RegExp): string | null =>
  text !== undefined && pattern.test(text) ? text : null;
