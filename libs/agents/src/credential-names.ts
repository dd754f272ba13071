/** Headers that carry credentials. A project cannot exempt them. */
export const CREDENTIAL_HEADERS: readonly string[] = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-goog-iap-jwt-assertion',
  'cf-access-jwt-assertion',
  'x-amz-security-token',
];

/**
 * Names that look like one of a credential and are none: RFC 9421's own fields, what tells the host, keys that say
 * nothing, and the challenges that ask for a credential.
 */
const HARMLESS: ReadonlySet<string> = new Set([
  'signature',
  'signature-input',
  'signature-agent',
  'accept-signature',
  ':authority',
  'authority',
  'sec-websocket-key',
  'sec-websocket-accept',
  'idempotency-key',
  'surrogate-key',
  'cache-key',
  'www-authenticate',
  'proxy-authenticate',
  'access-control-allow-credentials',
]);

/** What pays: the secrets of cards and accounts, as payment interfaces name them. */
const PAYMENT: ReadonlySet<string> = new Set([
  'cvc',
  'cvc2',
  'cvv',
  'cvv2',
  'pan',
  'card-number',
  'cardnumber',
  'iban',
]);
/** Fields that hold a card; that of the Agentic Commerce Protocol is `payment_method`. */
const CARD = /^(?:(?:credit|debit|payment)-?)?card$|^payment-?method$/;

const FRAGMENT =
  /token|secret|session|sess-?id|passw|passc|passphrase|pwd|credential|cookie|signature|jwt|saml|bearer|assertion|verifier|ticket|otp-?code|api-?key|private-?key|access-?key|auth/;
/** `author` begins like `auth`. */
const AUTHOR = /author(?:s|ed|ity|ities|name|id)?(?:[^a-z]|$)/g;
const WORD = /(?:^|[^a-z])(?:pin|sid|sig|nonce|csrf|xsrf)(?:[^a-z]|$)|(?:keys?|pass|otp)(?:[^a-z]|$)/;
/** Where a word begins in the middle of a name: `otpValue`. */
const CAMEL = /([a-z\d])([A-Z])/g;

const NOT_ASCII = /[\u0080-\uffff]/;
const SEPARATORS = /[_ ]/g;
const UPPER_CASE = /[A-Z]/;

/** Returns a name as it is compared: in lower case, trimmed, without full-width letters, `_` and spaces as `-`. */
export const comparableName = (name: string): string =>
  plainLetters(name).trim().toLowerCase().replaceAll(SEPARATORS, '-');

/** Normalizing costs more than all else, and names are ASCII nearly always. */
const plainLetters = (name: string): string => (NOT_ASCII.test(name) ? name.normalize('NFKC') : name);

/**
 * Returns whether the value of a field, header or parameter with this name, as it is written, is to be taken for a
 * credential. Meant to be wrong now and then: a value that is hidden for nothing costs little, one that is shown may cost
 * much.
 */
export function isCredentialName(field: string): boolean {
  const name = comparableName(field);
  if (HARMLESS.has(name)) return false;
  if (PAYMENT.has(name)) return true;
  const rest = name.includes('author') ? name.replaceAll(AUTHOR, '-') : name;
  if (FRAGMENT.test(rest) || WORD.test(rest)) return true;
  const plain = plainLetters(field);
  return UPPER_CASE.test(plain) && WORD.test(comparableName(plain.replaceAll(CAMEL, '$1-$2')));
}

/** Returns whether a member of the field with this name is the number of a card: elsewhere `number` is any number. */
export function isCardNumber(member: string, field: string): boolean {
  return member.length === 6 && comparableName(member) === 'number' && CARD.test(comparableName(field));
}
