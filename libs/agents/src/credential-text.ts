import {
  findUnquotedEnd,
  findJsonValueEnd,
  findQuotedEnd,
  replaceValues,
  findSingleQuotedEnd,
  type FindReplacement,
} from './value-ends.js';

export const REDACTED = '[redacted]';

/** Fast check for texts that could contain a credential. Most texts don't match. */
const CREDENTIAL_HINT =
  /[=@\n"%]|\/\(|reset|invit|magic|verif|unsub|opt-?out|confirm|activat|[a-z_-]'?:|\w'?:[ \t]|[\u0080-\uffff]|eyJ|bearer|basic|dpop|negotiate|ntlm|ag[aiklrt]_|gh[oprsu]_|github_|glpat|[rs]k_|sk-|xox|AKIA|ASIA|AIza|hvs\.|npm_|whsec|shp|PRIVATE KEY/i;
const AUTH_SCHEME = /(bearer|basic|dpop|negotiate|ntlm)(\s+|%20|\+)([\w.~+/=%-]+)/gi;
const TOKEN_RUN = /[\w.~+-]+/g;
/** Prefixes of JSON Web Tokens, this service's tokens and well-known third-party tokens. */
const TOKEN_PREFIX =
  /(?:^|\W)(?:eyJ|ag[aiklrt]_|gh[oprsu]_|github_pat_|glpat-|[rs]k_(?:live|test)_|sk-(?:ant|proj)-|xox[abeoprs]-|AKIA|ASIA|AIza|hvs\.|npm_|whsec_|shp(?:at|ca|pa|ss)_)/;
const PRIVATE_KEY = /-----BEGIN[^]*/;
/** Username and password in a URL (RFC 3986 section 3.2.1). Browsers allow `@` in passwords. JSON may escape slashes. */
const USER_INFO = /(:\\*\/\\*\/)[^/?#\s]*@/g;
/** Parameter name before a value in a query, fragment, cookie, form or HTTP authentication header. */
const PARAMETER_NAME = /(?:^|[?&#;,=\s"])([^=?&#;,\s"]+)[ \t]*=>?[ \t]*/g;
/** Member name before a JSON value. The JSON may be escaped inside a string. */
const JSON_NAME = /"((?:[^"\\]|\\+u)+)(\\*)"\s*:\s*/g;
/** Name-value pair in JSON, up to the value: `{"name":"Cookie","value":`. */
const JSON_PAIR =
  /"[\w.-]*(?:name|key|header|field|param)\\*"\s*:\s*\\*"((?:[^"\\]|\\+u)+)\\*"\s*,\s*\\*"[\w.-]*value(\\*)"\s*:\s*/gi;
/** Header name before a value, or a label in a sentence. */
const LABEL = /(?:^|[^\w-])([\w-]+)'?:[ \t]*/g;
const REST_OF_LINE = /\S.*/y;
/** Path segment that is followed by a one-time token, as in `/reset-password/…` and `/email/verify/7/…`. */
const PURPOSE_SEGMENT =
  /(?:^|[-_])(?:reset|invite|invites|invitation|invitations|magic|magiclink|verify|verification|unsub|unsubscribe|opt-?out|confirm|confirmation|activate|activation)(?:[-_]|$)/i;
/** Path segment, or the end of a path. */
const SEGMENT = /[?#\s"<>]|[^/?#\s"<>]+/g;
const SEGMENT_END = /[?#\s"<>]/;
const PURPOSE_HINT = /reset|invit|magic|verif|unsub|opt-?out|confirm|activat/i;
const RANDOM_SEPARATOR = /[-_.~:]/;
/** Digit directly followed by a letter, as in random IDs. Words that only end in a number don't match. */
const DIGIT_FIRST = /\d[a-z]/i;
/** Cookieless ASP.NET session ID: `/(S(lit3py55t21z5v55vlm25s55))/`. */
const PATH_SESSION = /\/\((?:[ASFX]\([^()/]*\))+\)/g;
/** Run of text that may be percent-encoded, such as a path or a parameter value. */
const PIECE = /[^?&#=\s"]+/g;
const NOT_ASCII = /[\u0080-\uffff]/;
const ESCAPES = /(?:%[0-9a-f]{2})+/gi;
const JSON_ESCAPE = /\\u([0-9a-f]{4})/gi;
const ENCODED_REDACTED = encodeURIComponent(REDACTED);
/** Minimum lengths in characters. Shorter matches are usually ordinary words. */
const [MIN_SCHEME_VALUE_LENGTH, MIN_TOKEN_LENGTH, MIN_PATH_VALUE_LENGTH, MIN_RANDOM_PART_LENGTH] = [6, 12, 16, 8];
/**
 * Maximum number of names to check in a text, because a path can contain thousands. The text after the last checked
 * name is redacted.
 */
const MAX_NAMES = 256;
/** Maximum depth of nested percent-encoding. */
const MAX_DECODE_DEPTH = 2;

/**
 * Returns true if values with this name are credentials. Some names are only secret if they are the name of a
 * parameter.
 */
type IsSecret = (name: string, isParameter: boolean) => boolean;
/** Like {@link IsSecret}, but returns null after {@link MAX_NAMES} calls. */
type CheckName = (name: string, isParameter: boolean) => boolean | null;

/**
 * Redacts credentials in a text: secret parameters, JSON members and labels, usernames and passwords in URLs, and values
 * that look like credentials. Also finds credentials that are percent-encoded or use full-width characters.
 */
export function redactCredentials(text: string, isSecret: IsSecret): string {
  if (!CREDENTIAL_HINT.test(text)) return text;
  let names = 0;
  const checkName: CheckName = (name, isParameter) =>
    (names += 1) > MAX_NAMES ? null : isSecret(decodeName(name), isParameter);
  return redactText(text, checkName, MAX_DECODE_DEPTH);
}

/**
 * Redacts only values that look like credentials, regardless of their names. Intended for texts that must not change
 * otherwise, such as user agents.
 */
export function redactCredentialValues(text: string): string {
  // `includes` is faster than the regular expression, and most texts contain no private key.
  let clean = text.includes('PRIVATE KEY') ? text.replace(PRIVATE_KEY, REDACTED) : text;
  clean = clean.replaceAll(AUTH_SCHEME, (all, scheme: string, space: string, value: string) =>
    value.length < MIN_SCHEME_VALUE_LENGTH ? all : scheme + space + REDACTED,
  );
  if (!TOKEN_PREFIX.test(clean)) return clean;
  return clean.replaceAll(TOKEN_RUN, (run) =>
    run.length < MIN_TOKEN_LENGTH || !TOKEN_PREFIX.test(run) ? run : REDACTED,
  );
}

function redactText(text: string, checkName: CheckName, remainingDecodes: number): string {
  if (NOT_ASCII.test(text)) {
    const folded = text.normalize('NFKC');
    const clean = folded === text ? text : redactFoldedText(folded, checkName, remainingDecodes);
    if (clean !== folded) return clean;
  }
  return redactFoldedText(text, checkName, remainingDecodes);
}

function redactFoldedText(text: string, checkName: CheckName, remainingDecodes: number): string {
  let clean = text;
  if (clean.includes(':')) {
    clean = redactLabels(clean, checkName);
    if (clean.includes('@')) clean = clean.replaceAll(USER_INFO, `$1${REDACTED}@`);
    if (clean.includes('"')) {
      // Name-value pairs come first, because the second pass would redact their names as values. Texts without pairs skip
      // this pass, because every name counts toward the limit.
      if (/value/i.test(clean)) clean = redactJsonMembers(clean, checkName, JSON_PAIR);
      clean = redactJsonMembers(clean, checkName);
    }
  }
  if (clean.includes('=')) clean = redactParameters(clean, checkName);
  if (clean.includes('/')) clean = redactPathSecrets(clean);
  if (remainingDecodes > 0 && clean.includes('%')) {
    clean = clean.replaceAll(PIECE, (piece) =>
      piece.includes('%') ? redactEncoded(piece, checkName, remainingDecodes - 1) : piece,
    );
  }
  return redactCredentialValues(clean);
}

/** Redacts values such as `Cookie: a=b` and `login failed, password:abc` up to the end of the line. */
function redactLabels(text: string, checkName: CheckName): string {
  return redactNamedValues(
    text,
    LABEL,
    (name) => checkName(name, false),
    (_, start) => {
      REST_OF_LINE.lastIndex = start;
      return REST_OF_LINE.test(text) ? { text: REDACTED, end: REST_OF_LINE.lastIndex } : null;
    },
  );
}

/** Redacts values such as `"token":"abc"` and `\"tokens\":[\"abc\"]`. */
function redactJsonMembers(text: string, checkName: CheckName, namePattern = JSON_NAME): string {
  return redactNamedValues(
    text,
    namePattern,
    (name) => checkName(name, false),
    ([, , escape], start) => {
      const end = findJsonValueEnd(text, start);
      return end === start ? null : { text: `${escape}"${REDACTED}${escape}"`, end };
    },
  );
}

/** Redacts values such as `token=abc` and `token="abc"`. */
function redactParameters(text: string, checkName: CheckName): string {
  return redactNamedValues(
    text,
    PARAMETER_NAME,
    (name) => checkName(name, true),
    (_, start) => {
      const quoted = findQuotedEnd(text, start);
      if (quoted !== null) {
        const quote = text.slice(start, text.indexOf('"', start) + 1);
        return { text: quote + REDACTED + quote, end: quoted };
      }
      const end = findSingleQuotedEnd(text, start) ?? findUnquotedEnd(text, start);
      return end === start ? null : { text: REDACTED, end };
    },
  );
}

/** Redacts secrets such as `/reset/MTIz/4f3c…` and `/(S(…))/`. */
function redactPathSecrets(text: string): string {
  const clean = text.includes('/(') ? text.replaceAll(PATH_SESSION, `/${REDACTED}`) : text;
  if (!PURPOSE_HINT.test(clean)) return clean;
  let isAfterPurpose = false;
  return clean.replaceAll(SEGMENT, (segment) => {
    if (segment.length === 1) isAfterPurpose &&= !SEGMENT_END.test(segment);
    else if (PURPOSE_SEGMENT.test(segment)) isAfterPurpose = true;
    else if (isAfterPurpose && isRandom(segment)) return REDACTED;
    return segment;
  });
}

const isRandom = (segment: string): boolean =>
  segment.length >= MIN_PATH_VALUE_LENGTH &&
  segment.split(RANDOM_SEPARATOR).some((part) => part.length >= MIN_RANDOM_PART_LENGTH && DIGIT_FIRST.test(part));

/** Redacts the values of secret names. Once the maximum number of names is reached, redacts the rest of the text. */
function redactNamedValues(
  text: string,
  namePattern: RegExp,
  checkName: (name: string) => boolean | null,
  replacement: FindReplacement,
): string {
  return replaceValues(text, namePattern, (match, start) => {
    const isHidden = checkName(match[1]!);
    if (isHidden === null) return start === text.length ? null : { text: REDACTED, end: text.length };
    return isHidden ? replacement(match, start) : null;
  });
}

/** Redacts credentials in percent-encoded text. Unencoded characters and `[redacted]` remain unencoded. */
function redactEncoded(piece: string, checkName: CheckName, remainingDecodes: number): string {
  const text = decodePercent(piece);
  const clean = redactText(text, checkName, remainingDecodes);
  if (clean === text) return piece;
  return encodeURIComponent(clean.toWellFormed())
    .replaceAll(ENCODED_REDACTED, REDACTED)
    .replaceAll(ESCAPES, (escapes) => {
      const characters = decodePercent(escapes);
      return characters !== '%' && piece.includes(characters) ? characters : escapes;
    });
}

const decodePercent = (text: string): string =>
  text.replaceAll(ESCAPES, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());

function decodeName(name: string): string {
  let decoded = name.includes('%') ? decodePercent(name) : name;
  if (decoded.includes('\\')) {
    decoded = decoded.replaceAll(JSON_ESCAPE, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  }
  return decoded;
}
