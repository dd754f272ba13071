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
 * Harmless names that resemble credentials: RFC 9421 signature fields, the host, public keys and identifiers, and
 * authentication challenges.
 */
const HARMLESS_NAMES: ReadonlySet<string> = new Set([
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

/** Names that payment APIs use for card and account secrets, and headers with a wallet's signature in x402. */
const PAYMENT_NAMES: ReadonlySet<string> = new Set([
  'cvc',
  'cvc2',
  'cvv',
  'cvv2',
  'pan',
  'card-number',
  'cardnumber',
  'iban',
  'x-payment',
  'sign-in-with-x',
]);
/** Fields that contain a payment card. The Agentic Commerce Protocol uses `payment_method`. */
const CARD_FIELD = /^(?:(?:credit|debit|payment)-?)?card$|^payment-?method$/;

const CREDENTIAL_FRAGMENT =
  /token|secret|session|sess-?id|passw|passc|passphrase|pwd|credential|cookie|signature|jwt|saml|bearer|assertion|verifier|ticket|otp-?code|api-?key|private-?key|access-?key|auth|hmac|magic-?link|captcha|turnstile|macaroon|unsubscribe/;
/** Words starting with `author`, which would otherwise match `auth`. */
const AUTHOR_WORD = /author(?:s|ed|ity|ities|name|id)?(?:[^a-z]|$)/g;
const CREDENTIAL_WORD =
  /(?:^|[^a-z])(?:pin|sid|sig|nonce|csrf|xsrf|mfa|[2t]fa|tkn|pw|psw|psk|creds?|one-?time[a-z]*|cf-?id)(?:[^a-z]|$)|(?:keys?|pass|otp)(?:[^a-z]|$)/;
/** One-time codes and links, such as `verification_code` and `invite-link`, but not `country_code` or `error_code`. */
const ONE_TIME =
  /(?:access|log-?in|sign-?in|sign-?up|verify|verification|confirm|confirmation|reset|recovery|backup|invite|invitation|activation|device|user|sms|mail|security|mfa|[2t]fa|pairing|oob|magic|unlock|approval|registration|enroll?ment|challenge|one-?time)-?code|(?:reset|invite|invitation|verify|verification|confirm|confirmation|activate|activation)-?(?:link|hash|ur[il])/;
/** Parameters containing a one-time code, such as `?reset=` and `?email_verify=`. */
const ONE_TIME_PARAMETER =
  /invite|invitation|magic|verify|verification|unsub|activation|confirmation|(?:^|[^a-z])reset|(?:^|[^a-z])(?:confirm|activate|opt-?out|hashed|oob|otc|otac|ott|totp|tok|tk|rt-tk|sess|sso)(?:[^a-z]|$)|hash(?:[^a-z]|$)/;
/** Parameters in OAuth 2.0, WS-Federation and signed URLs. These names are harmless in fields and headers. */
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
const CAMEL_CASE_BOUNDARY = /([a-z\d])([A-Z])/g;

const NOT_ASCII = /[\u0080-\uffff]/;
const SEPARATORS = /[_ ]/g;
const UPPER_CASE = /[A-Z]/;

/**
 * Normalizes a name for comparisons. Trims and lowercases it, replaces `_` and spaces with `-`, and converts full-width
 * letters to ASCII.
 */
export const toComparableName = (name: string): string =>
  foldFullWidth(name).trim().toLowerCase().replaceAll(SEPARATORS, '-');

/** Converts full-width letters to ASCII. Skips names that are already ASCII, because normalization is slow. */
const foldFullWidth = (name: string): string => (NOT_ASCII.test(name) ? name.normalize('NFKC') : name);

/**
 * Returns true if the value of a field, header or parameter with this name must be redacted. Errs on the side of false
 * positives, because a redacted harmless value costs far less than an exposed credential.
 */
export function isCredentialName(field: string): boolean {
  const name = toComparableName(field);
  if (HARMLESS_NAMES.has(name)) return false;
  if (PAYMENT_NAMES.has(name)) return true;
  const nameWithoutAuthor = name.includes('author') ? name.replaceAll(AUTHOR_WORD, '-') : name;
  if (
    CREDENTIAL_FRAGMENT.test(nameWithoutAuthor) ||
    CREDENTIAL_WORD.test(nameWithoutAuthor) ||
    ONE_TIME.test(nameWithoutAuthor)
  )
    return true;
  const separated = splitCamelCase(field);
  return separated !== null && CREDENTIAL_WORD.test(separated);
}

/**
 * Returns true if a name is harmless in a field or header, but a credential in a query, fragment or form. For example,
 * `state` can be part of a postal address, but in a query it is an OAuth secret.
 */
export function isCredentialParameter(parameter: string): boolean {
  const name = toComparableName(parameter);
  return (
    PARAMETERS.has(name) || ONE_TIME_PARAMETER.test(name) || ONE_TIME_PARAMETER.test(splitCamelCase(parameter) ?? '')
  );
}

/** Like {@link toComparableName}, but also splits camel case with hyphens. Returns null if nothing is capitalized. */
function splitCamelCase(name: string): string | null {
  const asciiName = foldFullWidth(name);
  return UPPER_CASE.test(asciiName) ? toComparableName(asciiName.replaceAll(CAMEL_CASE_BOUNDARY, '$1-$2')) : null;
}

/** Returns true for the member `number` of a payment card field. In other fields, `number` can mean anything. */
export function isCardNumber(member: string, field: string): boolean {
  return member.length === 6 && toComparableName(member) === 'number' && CARD_FIELD.test(toComparableName(field));
}
