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
  /token|secret|session|sess-?id|passw|passc|passphrase|pwd|credential|cookie|signature|jwt|saml|bearer|assertion|verifier|ticket|otp-?code|api-?key|private-?key|access-?key|auth|hmac|magic-?link|captcha|turnstile|macaroon|unsubscribe/;
/** `author` begins like `auth`. */
const AUTHOR = /author(?:s|ed|ity|ities|name|id)?(?:[^a-z]|$)/g;
const WORD =
  /(?:^|[^a-z])(?:pin|sid|sig|nonce|csrf|xsrf|mfa|[2t]fa|tkn|pw|psw|psk|creds?|one-?time[a-z]*|cf-?id)(?:[^a-z]|$)|(?:keys?|pass|otp)(?:[^a-z]|$)/;
/** Values that are sent to one person for one use: `verification_code`, `invite-link`. Other codes are of countries and errors. */
const ONE_TIME =
  /(?:access|log-?in|sign-?in|sign-?up|verify|verification|confirm|confirmation|reset|recovery|backup|invite|invitation|activation|device|user|sms|mail|security|mfa|[2t]fa|pairing|oob|magic|unlock|approval|registration|enroll?ment|challenge|one-?time)-?code|(?:reset|invite|invitation|verify|verification|confirm|confirmation|activate|activation)-?(?:link|hash|ur[il])/;
/** The same in names of parameters, where a single word is enough: `?reset=`, `?email_verify=`. */
const ONE_TIME_PARAMETER =
  /invite|invitation|magic|verify|verification|unsub|activation|confirmation|(?:^|[^a-z])reset|(?:^|[^a-z])(?:confirm|activate|opt-?out|hashed|oob|otc|otac|ott|totp|tok|tk|rt-tk|sess|sso)(?:[^a-z]|$)|hash(?:[^a-z]|$)/;
/** Parameters of OAuth 2.0, WS-Federation and signed URLs whose names are ordinary elsewhere. */
const PARAMETERS: ReadonlySet<string> = new Set([
  'code',
  'state',
  'relaystate',
  'oauth-state',
  'wresult',
  'wctx',
  'signature',
  'sign',
  'hdnts',
  'hdnea',
  'hdntl',
  '--gda--',
]);
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
  if (FRAGMENT.test(rest) || WORD.test(rest) || ONE_TIME.test(rest)) return true;
  const separated = separatedName(field);
  return separated !== null && WORD.test(separated);
}

/**
 * Returns whether the value of a parameter with this name, in a query, a fragment or a form, is to be taken for a
 * credential although it isn't one in a field or header: `state` is a place in an address, and a secret of OAuth in a query.
 */
export function isCredentialParameter(parameter: string): boolean {
  const name = comparableName(parameter);
  return (
    PARAMETERS.has(name) || ONE_TIME_PARAMETER.test(name) || ONE_TIME_PARAMETER.test(separatedName(parameter) ?? '')
  );
}

/** Name with a hyphen before each capital letter, as it is compared; null if it has none. */
function separatedName(name: string): string | null {
  const plain = plainLetters(name);
  return UPPER_CASE.test(plain) ? comparableName(plain.replaceAll(CAMEL, '$1-$2')) : null;
}

/** Returns whether a member of the field with this name is the number of a card: elsewhere `number` is any number. */
export function isCardNumber(member: string, field: string): boolean {
  return member.length === 6 && comparableName(member) === 'number' && CARD.test(comparableName(field));
}
