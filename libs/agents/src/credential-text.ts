import {
  bareEnd,
  jsonValueEnd,
  quotedEnd,
  replaceBehind,
  singleQuotedEnd,
  type FindReplacement,
} from './value-ends.js';

/** What stands in the place of a value that was taken out before it was told. */
export const REDACTED = '[redacted]';

/** What a text has to hold for anything in it to be taken out; most have none of it. */
const HINT =
  /[=@\n"%]|\/\(|reset|invit|magic|verif|unsub|opt-?out|confirm|activat|[a-z_-]'?:|\w'?:[ \t]|[\u0080-\uffff]|eyJ|bearer|basic|dpop|negotiate|ntlm|ag[aiklrt]_|gh[oprsu]_|github_|glpat|[rs]k_|sk-|xox|AKIA|ASIA|AIza|hvs\.|npm_|whsec|shp|PRIVATE KEY/i;
const SCHEME = /(bearer|basic|dpop|negotiate|ntlm)(\s+|%20|\+)([\w.~+/=%-]+)/gi;
const RUN = /[\w.~+-]+/g;
/** JSON Web Tokens, our own tokens, and those of others whose prefix says what they are. */
const PREFIX =
  /(?:^|\W)(?:eyJ|ag[aiklrt]_|gh[oprsu]_|github_pat_|glpat-|[rs]k_(?:live|test)_|sk-(?:ant|proj)-|xox[abeoprs]-|AKIA|ASIA|AIza|hvs\.|npm_|whsec_|shp(?:at|ca|pa|ss)_)/;
const PRIVATE_KEY = /-----BEGIN[^]*/;
/** RFC 3986 section 3.2.1, and an `@` in a password, which browsers take. In JSON slashes may be escaped. */
const USER_INFORMATION = /(:\\*\/\\*\/)[^/?#\s]*@/g;
/** Before the values of parameters of queries, fragments, cookies, forms and HTTP authentication. */
const PARAMETER_NAME = /(?:^|[?&#;,=\s"])([^=?&#;,\s"]+)[ \t]*=>?[ \t]*/g;
/** Before the values of JSON, also escaped in a string. */
const JSON_NAME = /"((?:[^"\\]|\\+u)+)(\\*)"\s*:\s*/g;
/** The same of a name that is a value itself: `{"name":"Cookie","value":`. */
const JSON_PAIR =
  /"[\w.-]*(?:name|key|header|field|param)\\*"\s*:\s*\\*"((?:[^"\\]|\\+u)+)\\*"\s*,\s*\\*"[\w.-]*value(\\*)"\s*:\s*/gi;
/** Before the values of headers and of labels in a sentence. */
const LABEL = /(?:^|[^\w-])([\w-]+)'?:[ \t]*/g;
const REST_OF_LINE = /\S.*/y;
/** Purpose of a segment of a path. A random text behind it is a one-time value: `/reset-password/…`, `/email/verify/7/…`. */
const PURPOSE =
  /(?:^|[-_])(?:reset|invite|invites|invitation|invitations|magic|magiclink|verify|verification|unsub|unsubscribe|opt-?out|confirm|confirmation|activate|activation)(?:[-_]|$)/i;
/** A segment, or what ends a path. */
const SEGMENT = /[?#\s"<>]|[^/?#\s"<>]+/g;
const SEGMENT_END = /[?#\s"<>]/;
const PURPOSE_HINT = /reset|invit|magic|verif|unsub|opt-?out|confirm|activat/i;
/** Separators within random texts. */
const RANDOM_SEPARATOR = /[-_.~:]/;
/** A digit before a letter, which words with a number behind them don't have. */
const DIGIT_FIRST = /\d[a-z]/i;
/** Session of ASP.NET without cookies: `/(S(lit3py55t21z5v55vlm25s55))/`. */
const PATH_SESSION = /\/\((?:[ASFX]\([^()/]*\))+\)/g;
/** What may hold a text that is encoded: a segment of a path, a value, or several of them. */
const PIECE = /[^?&#=\s"]+/g;
const NOT_ASCII = /[\u0080-\uffff]/;
const ESCAPES = /(?:%[0-9a-f]{2})+/gi;
const JSON_ESCAPE = /\\u([0-9a-f]{4})/gi;
const REPLACED = encodeURIComponent(REDACTED);
/** Characters: shorter ones are words that follow by chance. */
const [MIN_SCHEME_VALUE, MIN_TOKEN, MIN_PATH_VALUE, MIN_RANDOM_PART] = [6, 12, 16, 8];
/** Names that are looked at in one text. A visitor can write thousands into a path; what follows them is hidden. */
const MAX_NAMES = 256;
/** How often what is encoded is decoded. */
const MAX_DECODED = 2;

/** Returns whether values of a name are credentials. Some are only where the name is a parameter's. */
type IsSecret = (name: string, isParameter: boolean) => boolean;
/** `IsSecret` within one text; null once enough names were looked at. */
type Hides = (name: string, isParameter: boolean) => boolean | null;

/**
 * Returns a text without the credentials in it: parameters, members and labels with a name of a credential, the user
 * information of URLs, and values that look like credentials wherever they stand; also where they are percent-encoded or
 * written in full-width characters.
 *
 * @param isSecret whether values of a name are credentials.
 */
export function withoutCredentials(text: string, isSecret: IsSecret): string {
  if (!HINT.test(text)) return text;
  let names = 0;
  const hides: Hides = (name, isParameter) =>
    (names += 1) > MAX_NAMES ? null : isSecret(decodedName(name), isParameter);
  return cleaned(text, hides, MAX_DECODED);
}

/**
 * Returns a text without the values that look like credentials by themselves, whatever they are called: for texts of
 * which the rest has to stay, such as user agents.
 */
export function withoutCredentialValues(text: string): string {
  // A look for one character is native, and most texts have none of these.
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
      // Before the name of a pair is taken for a value. Most texts hold none, and names are counted.
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

/** `Cookie: a=b` and `login failed, password:abc`, to the end of the line. */
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

/** `"token":"abc"` and `\"tokens\":[\"abc\"]` */
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

/** `token=abc` and `token="abc"` */
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

/** `/reset/MTIz/4f3c…` and `/(S(…))/` */
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

/** Replaces values behind the names that are hidden, and all behind the last name that is looked at. */
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

/** Characters that are not encoded stay so. What was replaced is shown as it is, so that anybody sees that it was. */
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
