import {
  bareEnd,
  jsonValueEnd,
  quotedEnd,
  replaceBehind,
  singleQuotedEnd,
  type FindReplacement,
} from './value-ends.js';

export const REDACTED = '[redacted]';

/** Matches every text that may contain something to redact. Most texts don't match. */
const HINT =
  /[=@\n"%]|\/\(|reset|invit|magic|verif|unsub|opt-?out|confirm|activat|[a-z_-]'?:|\w'?:[ \t]|[\u0080-\uffff]|eyJ|bearer|basic|dpop|negotiate|ntlm|ag[aiklrt]_|gh[oprsu]_|github_|glpat|[rs]k_|sk-|xox|AKIA|ASIA|AIza|hvs\.|npm_|whsec|shp|PRIVATE KEY/i;
const SCHEME = /(bearer|basic|dpop|negotiate|ntlm)(\s+|%20|\+)([\w.~+/=%-]+)/gi;
const RUN = /[\w.~+-]+/g;
/** JSON Web Tokens, tokens of this service, and third-party tokens with a known prefix. */
const PREFIX =
  /(?:^|\W)(?:eyJ|ag[aiklrt]_|gh[oprsu]_|github_pat_|glpat-|[rs]k_(?:live|test)_|sk-(?:ant|proj)-|xox[abeoprs]-|AKIA|ASIA|AIza|hvs\.|npm_|whsec_|shp(?:at|ca|pa|ss)_)/;
const PRIVATE_KEY = /-----BEGIN[^]*/;
/**
 * User information in a URL (RFC 3986 section 3.2.1). Browsers also allow `@` in the password. JSON may escape slashes.
 */
const USER_INFORMATION = /(:\\*\/\\*\/)[^/?#\s]*@/g;
/** Text before the value of a parameter in a query, a fragment, a cookie, a form or HTTP authentication. */
const PARAMETER_NAME = /(?:^|[?&#;,=\s"])([^=?&#;,\s"]+)[ \t]*=>?[ \t]*/g;
/** Text before a JSON value, also if the JSON is escaped in a string. */
const JSON_NAME = /"((?:[^"\\]|\\+u)+)(\\*)"\s*:\s*/g;
/** Text before a JSON value whose name is itself a value: `{"name":"Cookie","value":`. */
const JSON_PAIR =
  /"[\w.-]*(?:name|key|header|field|param)\\*"\s*:\s*\\*"((?:[^"\\]|\\+u)+)\\*"\s*,\s*\\*"[\w.-]*value(\\*)"\s*:\s*/gi;
/** Text before the value of a header, or of a label in a sentence. */
const LABEL = /(?:^|[^\w-])([\w-]+)'?:[ \t]*/g;
const REST_OF_LINE = /\S.*/y;
/**
 * Path segment that describes a purpose. Random text after it is a one-time value: `/reset-password/…`,
 * `/email/verify/7/…`.
 */
const PURPOSE =
  /(?:^|[-_])(?:reset|invite|invites|invitation|invitations|magic|magiclink|verify|verification|unsub|unsubscribe|opt-?out|confirm|confirmation|activate|activation)(?:[-_]|$)/i;
/** Path segment, or the end of a path. */
const SEGMENT = /[?#\s"<>]|[^/?#\s"<>]+/g;
const SEGMENT_END = /[?#\s"<>]/;
const PURPOSE_HINT = /reset|invit|magic|verif|unsub|opt-?out|confirm|activat/i;
const RANDOM_SEPARATOR = /[-_.~:]/;
/** Digit before a letter, which words followed by a number don't have. */
const DIGIT_FIRST = /\d[a-z]/i;
/** Cookieless ASP.NET session: `/(S(lit3py55t21z5v55vlm25s55))/`. */
const PATH_SESSION = /\/\((?:[ASFX]\([^()/]*\))+\)/g;
/** Text that may be encoded: a path segment, a value, or several of them. */
const PIECE = /[^?&#=\s"]+/g;
const NOT_ASCII = /[\u0080-\uffff]/;
const ESCAPES = /(?:%[0-9a-f]{2})+/gi;
const JSON_ESCAPE = /\\u([0-9a-f]{4})/gi;
const REPLACED = encodeURIComponent(REDACTED);
/** Minimum lengths in characters. Shorter matches are ordinary words. */
const [MIN_SCHEME_VALUE, MIN_TOKEN, MIN_PATH_VALUE, MIN_RANDOM_PART] = [6, 12, 16, 8];
/**
 * Maximum number of names to check in a text, because visitors can write thousands into a path. Text after them is
 * redacted.
 */
const MAX_NAMES = 256;
/** Maximum number of times that encoded text is decoded. */
const MAX_DECODED = 2;

/** Returns whether values of a name are credentials. For some names, this is only true of parameters. */
type IsSecret = (name: string, isParameter: boolean) => boolean;
/** `IsSecret` for one text. Returns null after {@link MAX_NAMES} names. */
type Hides = (name: string, isParameter: boolean) => boolean | null;

/**
 * Redacts the credentials in a text: parameters, members and labels with the name of a credential, user information in
 * URLs, and values that look like credentials. They may be percent-encoded or written in full-width characters.
 *
 * @param isSecret Returns whether values of a name are credentials.
 */
export function withoutCredentials(text: string, isSecret: IsSecret): string {
  if (!HINT.test(text)) return text;
  let names = 0;
  const hides: Hides = (name, isParameter) =>
    (names += 1) > MAX_NAMES ? null : isSecret(decodedName(name), isParameter);
  return cleaned(text, hides, MAX_DECODED);
}

/**
 * Redacts only values that look like credentials, regardless of their names. For texts that must otherwise be kept,
 * such as user agents.
 */
export function withoutCredentialValues(text: string): string {
  // `includes` is faster than the expression, and most texts don't contain a key.
  let clean = text.includes('PRIVATE KEY') ? text.replace(PRIVATE_KEY, REDACTED) : text;
  clean = clean.replaceAll(SCHEME, (all, scheme: string, space: string, value: string) =>
    value.length < MIN_SCHEME_VALUE ? all : scheme + space + REDACTED,
  );
  if (!PREFIX.test(clean)) return clean;
  return clean.replaceAll(RUN, (run) => (run.length < MIN_TOKEN || !PREFIX.test(run) ? run : REDACTED));
}

function cleaned(text: string, hides: Hides, decodes: number): string {
  if (NOT_ASCII.test(text)) {
    const folded = text.normalize('NFKC');
    const clean = folded === text ? text : cleanedAsIs(folded, hides, decodes);
    if (clean !== folded) return clean;
  }
  return cleanedAsIs(text, hides, decodes);
}

function cleanedAsIs(text: string, hides: Hides, decodes: number): string {
  let clean = text;
  if (clean.includes(':')) {
    clean = withoutLabelled(clean, hides);
    if (clean.includes('@')) clean = clean.replaceAll(USER_INFORMATION, `$1${REDACTED}@`);
    if (clean.includes('"')) {
      // Must run first, because the next pass redacts the names in pairs as values. Skipped for texts without pairs,
      // because each name counts toward the limit.
      if (/value/i.test(clean)) clean = withoutMembers(clean, hides, JSON_PAIR);
      clean = withoutMembers(clean, hides);
    }
  }
  if (clean.includes('=')) clean = withoutParameters(clean, hides);
  if (clean.includes('/')) clean = withoutPathSecrets(clean);
  if (decodes > 0 && clean.includes('%')) {
    clean = clean.replaceAll(PIECE, (piece) =>
      piece.includes('%') ? withoutEncoded(piece, hides, decodes - 1) : piece,
    );
  }
  return withoutCredentialValues(clean);
}

/** Redacts `Cookie: a=b` and `login failed, password:abc` up to the end of the line. */
function withoutLabelled(text: string, hides: Hides): string {
  return replaceNamed(
    text,
    LABEL,
    (name) => hides(name, false),
    (_, start) => {
      REST_OF_LINE.lastIndex = start;
      return REST_OF_LINE.test(text) ? { text: REDACTED, end: REST_OF_LINE.lastIndex } : null;
    },
  );
}

/** Redacts `"token":"abc"` and `\"tokens\":[\"abc\"]`. */
function withoutMembers(text: string, hides: Hides, head = JSON_NAME): string {
  return replaceNamed(
    text,
    head,
    (name) => hides(name, false),
    ([, , escape], start) => {
      const end = jsonValueEnd(text, start);
      return end === start ? null : { text: `${escape}"${REDACTED}${escape}"`, end };
    },
  );
}

/** Redacts `token=abc` and `token="abc"`. */
function withoutParameters(text: string, hides: Hides): string {
  return replaceNamed(
    text,
    PARAMETER_NAME,
    (name) => hides(name, true),
    (_, start) => {
      const quoted = quotedEnd(text, start);
      if (quoted !== null) {
        const quote = text.slice(start, text.indexOf('"', start) + 1);
        return { text: quote + REDACTED + quote, end: quoted };
      }
      const end = singleQuotedEnd(text, start) ?? bareEnd(text, start);
      return end === start ? null : { text: REDACTED, end };
    },
  );
}

/** Redacts `/reset/MTIz/4f3c…` and `/(S(…))/`. */
function withoutPathSecrets(text: string): string {
  const clean = text.includes('/(') ? text.replaceAll(PATH_SESSION, `/${REDACTED}`) : text;
  if (!PURPOSE_HINT.test(clean)) return clean;
  let isBehindPurpose = false;
  return clean.replaceAll(SEGMENT, (segment) => {
    if (segment.length === 1) isBehindPurpose &&= !SEGMENT_END.test(segment);
    else if (PURPOSE.test(segment)) isBehindPurpose = true;
    else if (isBehindPurpose && isRandom(segment)) return REDACTED;
    return segment;
  });
}

const isRandom = (segment: string): boolean =>
  segment.length >= MIN_PATH_VALUE &&
  segment.split(RANDOM_SEPARATOR).some((part) => part.length >= MIN_RANDOM_PART && DIGIT_FIRST.test(part));

/** Replaces the values of secret names. After the maximum number of names, replaces the rest of the text. */
function replaceNamed(
  text: string,
  head: RegExp,
  hides: (name: string) => boolean | null,
  replacement: FindReplacement,
): string {
  return replaceBehind(text, head, (match, start) => {
    const isHidden = hides(match[1]!);
    if (isHidden === null) return start === text.length ? null : { text: REDACTED, end: text.length };
    return isHidden ? replacement(match, start) : null;
  });
}

/** Redacts credentials in percent-encoded text. Unencoded characters stay unencoded. Replacements stay readable. */
function withoutEncoded(piece: string, hides: Hides, decodes: number): string {
  const text = percentDecoded(piece);
  const clean = cleaned(text, hides, decodes);
  if (clean === text) return piece;
  return encodeURIComponent(clean.toWellFormed())
    .replaceAll(REPLACED, REDACTED)
    .replaceAll(ESCAPES, (escapes) => {
      const characters = percentDecoded(escapes);
      return characters !== '%' && piece.includes(characters) ? characters : escapes;
    });
}

const percentDecoded = (text: string): string =>
  text.replaceAll(ESCAPES, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());

function decodedName(name: string): string {
  let decoded = name.includes('%') ? percentDecoded(name) : name;
  if (decoded.includes('\\')) {
    decoded = decoded.replaceAll(JSON_ESCAPE, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  }
  return decoded;
}
