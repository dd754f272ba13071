/** Headers that carry credentials. Projects can't exempt them from redaction. */
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
 * Names that resemble those of credentials, but aren't: fields of RFC 9421, the host, harmless keys, and challenges
 * that request a credential.
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

/** Secrets of cards and accounts, as named by payment APIs. */
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
/** Fields that contain a card. The Agentic Commerce Protocol calls its field `payment_method`. */
const CARD = /^(?:(?:credit|debit|payment)-?)?card$|^payment-?method$/;

const FRAGMENT =
  /token|secret|session|sess-?id|passw|passc|passphrase|pwd|credential|cookie|signature|jwt|saml|bearer|assertion|verifier|ticket|otp-?code|api-?key|private-?key|access-?key|auth|hmac|magic-?link|captcha|turnstile|macaroon|unsubscribe/;
/** Words that start with `author`, and would otherwise match `auth`. */
const AUTHOR = /author(?:s|ed|ity|ities|name|id)?(?:[^a-z]|$)/g;
const WORD =
  /(?:^|[^a-z])(?:pin|sid|sig|nonce|csrf|xsrf|mfa|[2t]fa|tkn|pw|psw|psk|creds?|one-?time[a-z]*|cf-?id)(?:[^a-z]|$)|(?:keys?|pass|otp)(?:[^a-z]|$)/;
/**
 * Values for a single use by one person: `verification_code`, `invite-link`. Other codes are for countries or errors.
 */
const ONE_TIME =
  /(?:access|log-?in|sign-?in|sign-?up|verify|verification|confirm|confirmation|reset|recovery|backup|invite|invitation|activation|device|user|sms|mail|security|mfa|[2t]fa|pairing|oob|magic|unlock|approval|registration|enroll?ment|challenge|one-?time)-?code|(?:reset|invite|invitation|verify|verification|confirm|confirmation|activate|activation)-?(?:link|hash|ur[il])/;
/** Parameters for a single use by one person. A single word is enough: `?reset=`, `?email_verify=`. */
const ONE_TIME_PARAMETER =
  /invite|invitation|magic|verify|verification|unsub|activation|confirmation|(?:^|[^a-z])reset|(?:^|[^a-z])(?:confirm|activate|opt-?out|hashed|oob|otc|otac|ott|totp|tok|tk|rt-tk|sess|sso)(?:[^a-z]|$)|hash(?:[^a-z]|$)/;
/** Parameters of OAuth 2.0, WS-Federation and signed URLs. In fields and headers, these names are harmless. */
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
/** Word boundary in camel case, as in `otpValue`. */
const CAMEL = /([a-z\d])([A-Z])/g;

const NOT_ASCII = /[\u0080-\uffff]/;
const SEPARATORS = /[_ ]/g;
const UPPER_CASE = /[A-Z]/;

/**
 * Returns a name in the form used for comparisons: lowercase and trimmed, with `-` for `_` and spaces, and without
 * full-width letters.
 */
export const comparableName = (name: string): string =>
  plainLetters(name).trim().toLowerCase().replaceAll(SEPARATORS, '-');

/** Replaces full-width letters. Nearly all names are ASCII, and normalization is slow. */
const plainLetters = (name: string): string => (NOT_ASCII.test(name) ? name.normalize('NFKC') : name);

/**
 * Returns whether the value of a field, header or parameter with this name is treated as a credential. Prefers false
 * positives: redacting a harmless value costs little, but exposing a credential can cost a lot.
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
 * Returns whether the value of a query, fragment or form parameter with this name is treated as a credential, although
 * it is harmless in a field or header. For example, `state` is a region in an address, but an OAuth secret in a query.
 */
export function isCredentialParameter(parameter: string): boolean {
  const name = comparableName(parameter);
  return (
    PARAMETERS.has(name) || ONE_TIME_PARAMETER.test(name) || ONE_TIME_PARAMETER.test(separatedName(parameter) ?? '')
  );
}

/** Returns the comparable name with hyphens at camel-case boundaries, or null if the name has no capital letter. */
function separatedName(name: string): string | null {
  const plain = plainLetters(name);
  return UPPER_CASE.test(plain) ? comparableName(plain.replaceAll(CAMEL, '$1-$2')) : null;
}

/** Returns whether a member of this field is a card number. In other fields, `number` can be any number. */
export function isCardNumber(member: string, field: string): boolean {
  return member.length === 6 && comparableName(member) === 'number' && CARD.test(comparableName(field));
}
