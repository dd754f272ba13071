import { jsonValueEnd, quotedEnd, replaceBehind } from './value-ends.js';

/** What stands in the place of a value that was taken out before it was told. */
export const REDACTED = '[redacted]';

/** What a text has to hold for anything in it to be taken out; most have none of it. */
const HINT =
  /[=@\n"]|eyJ|bearer|basic|ag[aikt]_|gh[oprsu]_|github_|glpat|[rs]k_|sk-|xox|AKIA|ASIA|AIza|hvs\.|npm_|whsec|shp|PRIVATE KEY/i;
const HEADER = /[\w-]:[ \t]/;
const SCHEME = /(bearer|basic)(\s+|%20|\+)([\w.~+/=%-]+)/gi;
const RUN = /[\w.~+-]+/g;
/** JSON Web Tokens, our own tokens, and those of others whose prefix says what they are. */
const PREFIX =
  /(?:^|[.~+-])(?:eyJ|ag[aikt]_|gh[oprsu]_|github_pat_|glpat-|[rs]k_(?:live|test)_|sk-(?:ant|proj)-|xox[abeoprs]-|AKIA|ASIA|AIza|hvs\.|npm_|whsec_|shp(?:at|ca|pa|ss)_)/;
const PRIVATE_KEY = /-----BEGIN[^]*/;
/** RFC 3986 section 3.2.1, and an `@` in a password, which browsers take. In JSON slashes may be escaped. */
const USER_INFORMATION = /(:\\*\/\\*\/)[^/?#\s]*@/g;
/** Parameters of queries, fragments, cookies and forms. */
const PARAMETER = /(^|[?&#;,\s"])([^=?&#;,\s"]+)=([^&#;,\s"]+)/g;
/** Before the values of parameters in quotes, as HTTP authentication has them. */
const PARAMETER_NAME = /(?:^|[?&#;,\s"])([^=?&#;,\s"]+)=/g;
/** Before the values of JSON, also escaped in a string. */
const JSON_NAME = /"([^"\\]+)(\\*)"\s*:\s*/g;
/** Before the values of headers, which begin a line, and of labels in a sentence. */
const LABEL = /(^|[^\w-])([\w-]+):/g;
const [REST_OF_LINE, REST_BEHIND_BLANK] = [/[ \t]*\S.*/y, /[ \t]+\S.*/y];
/** Names of parameters only, beside those of fields: an authorization code of OAuth 2.0, and what signs a URL. */
const PARAMETERS: ReadonlySet<string> = new Set(['code', 'signature']);
/** Characters: shorter ones are words that follow by chance. */
const [MIN_SCHEME_VALUE, MIN_TOKEN] = [6, 12];
/** Names that are looked at in one text. A visitor can write thousands into a path; the values of the others are hidden. */
const MAX_NAMES = 256;
/** How often what is encoded in a parameter is decoded. */
const MAX_DECODED = 2;

/**
 * Returns a text without the credentials in it: parameters with a name of a credential in what may be a URL, its user
 * information, and values that look like credentials wherever they stand.
 *
 * @param isSecret whether values of a name, as it is written, are credentials.
 */
export function withoutCredentials(text: string, isSecret: (name: string) => boolean, decoded = 0): string {
  if (!HINT.test(text) && !HEADER.test(text)) return text;
  let names = 0;
  const hides = (name: string): boolean => (names += 1) > MAX_NAMES || isSecret(decodedName(name));
  let clean = text;
  // A look for one character is native, and most texts have one of these at most.
  if (clean.includes('PRIVATE KEY')) clean = clean.replace(PRIVATE_KEY, REDACTED);
  if (clean.includes(':')) {
    clean = withoutLabelled(clean, hides);
    if (clean.includes('@')) clean = clean.replaceAll(USER_INFORMATION, `$1${REDACTED}@`);
    if (clean.includes('"')) clean = withoutMembers(clean, hides);
  }
  if (clean.includes('=')) {
    const hidesParameter = (name: string): boolean => hides(name) || PARAMETERS.has(name.toLowerCase());
    if (clean.includes('"')) clean = withoutQuoted(clean, hidesParameter);
    clean = clean.replaceAll(PARAMETER, (parameter, before: string, name: string, value: string) => {
      if (hidesParameter(name)) return `${before}${name}=${REDACTED}`;
      return value.includes('%') ? `${before}${name}=${withoutEncoded(value, isSecret, decoded)}` : parameter;
    });
  }
  return clean
    .replaceAll(SCHEME, (all, scheme: string, space: string, value: string) =>
      value.length < MIN_SCHEME_VALUE ? all : scheme + space + REDACTED,
    )
    .replaceAll(RUN, (run) => (run.length < MIN_TOKEN || !PREFIX.test(run) ? run : REDACTED));
}

/** `Cookie: a=b` and `login failed, password: abc`, to the end of the line. */
function withoutLabelled(text: string, hides: (name: string) => boolean): string {
  return replaceBehind(text, LABEL, ([, before, name], start) => {
    const rest = before === '' || before === '\n' ? REST_OF_LINE : REST_BEHIND_BLANK;
    rest.lastIndex = start;
    return hides(name!) && rest.test(text) ? { text: ` ${REDACTED}`, end: rest.lastIndex } : null;
  });
}

/** `"token":"abc"` and `\"tokens\":[\"abc\"]` */
function withoutMembers(text: string, hides: (name: string) => boolean): string {
  return replaceBehind(text, JSON_NAME, ([, name, escape], start) => {
    const end = hides(name!) ? jsonValueEnd(text, start) : start;
    return end === start ? null : { text: `${escape}"${REDACTED}${escape}"`, end };
  });
}

/** `token="abc"` */
function withoutQuoted(text: string, hides: (name: string) => boolean): string {
  return replaceBehind(text, PARAMETER_NAME, ([, name], start) => {
    const end = hides(name!) ? quotedEnd(text, start) : null;
    if (end === null) return null;
    const quote = text.slice(start, text.indexOf('"', start) + 1);
    return { text: quote + REDACTED + quote, end };
  });
}

/** A value that holds another URL, or JSON, maybe encoded twice. */
function withoutEncoded(value: string, isSecret: (name: string) => boolean, decoded: number): string {
  if (decoded === MAX_DECODED || !/%(?:3[ad]|40|2[025])/i.test(value)) return value;
  const text = decodedName(value);
  const clean = withoutEncoded(withoutCredentials(text, isSecret, decoded + 1), isSecret, decoded + 1);
  return clean === text ? value : encodeURIComponent(clean);
}

/** ASCII alone, of which the names of credentials are; half an escape hides nothing else, and costs no exception. */
const decodedName = (name: string): string =>
  name.includes('%')
    ? name.replaceAll(/%[0-7][0-9a-f]/gi, (escape) => String.fromCharCode(Number.parseInt(escape.slice(1), 16)))
    : name;
