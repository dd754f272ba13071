/** What stands in the place of a value that was taken out before it was told. */
export const REDACTED = '[redacted]';

/** What a text has to hold for anything in it to be taken out; most have none of it. */
const HINT =
  /[=@\n"]|eyJ|bearer|basic|ag[aikt]_|gh[oprsu]_|github_|glpat|[rs]k_|sk-|xox|AKIA|ASIA|AIza|hvs\.|npm_|whsec|shp|PRIVATE KEY/i;
const HEADER = /^[\w-]+:[ \t]/;
const SCHEME = /(bearer|basic)(\s+|%20|\+)([\w.~+/=%-]+)/gi;
const RUN = /[\w.~+-]+/g;
/** JSON Web Tokens, our own tokens, and those of others whose prefix says what they are. */
const PREFIX =
  /(?:^|[.~+-])(?:eyJ|ag[aikt]_|gh[oprsu]_|github_pat_|glpat-|[rs]k_(?:live|test)_|sk-(?:ant|proj)-|xox[abeoprs]-|AKIA|ASIA|AIza|hvs\.|npm_|whsec_|shp(?:at|ca|pa|ss)_)/;
const PRIVATE_KEY = /-----BEGIN[^]*/;
/** RFC 3986 section 3.2.1. */
const USER_INFORMATION = /:\/\/[^/?#\s@]*@/g;
/** Parameters of queries, fragments, cookies and forms. */
const PARAMETER = /(^|[?&#;,\s])([^=?&#;,\s"]+)=([^&#;,\s"]+)/g;
const JSON_MEMBER = /"([^"\\]+)"([ \t]*:[ \t]*)("[^"\\]*"|[^\s",[\]{}]+)/g;
const HEADER_LINE = /^([\w-]+):[ \t]*(\S.*)$/gm;
/** Names of parameters only, beside those of fields: an authorization code of OAuth 2.0, and what signs a URL. */
const PARAMETERS: ReadonlySet<string> = new Set(['code', 'signature']);
/** Characters: shorter ones are words that follow by chance. */
const [MIN_SCHEME_VALUE, MIN_TOKEN] = [6, 12];
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
  const hides = (name: string): boolean => isSecret(decodedName(name));
  let clean = text;
  // A look for one character is native, and most texts have one of these at most.
  if (clean.includes('PRIVATE KEY')) clean = clean.replace(PRIVATE_KEY, REDACTED);
  if (clean.includes(':')) {
    clean = clean.replaceAll(HEADER_LINE, (line, name: string) => (hides(name) ? `${name}: ${REDACTED}` : line));
    if (clean.includes('@')) clean = clean.replaceAll(USER_INFORMATION, `://${REDACTED}@`);
    if (clean.includes('"')) {
      clean = clean.replaceAll(JSON_MEMBER, (member, name: string, colon: string) =>
        hides(name) ? `"${name}"${colon}"${REDACTED}"` : member,
      );
    }
  }
  if (clean.includes('=')) {
    clean = clean.replaceAll(PARAMETER, (parameter, before: string, name: string, value: string) => {
      if (hides(name) || PARAMETERS.has(name.toLowerCase())) return `${before}${name}=${REDACTED}`;
      return value.includes('%') ? `${before}${name}=${withoutEncoded(value, isSecret, decoded)}` : parameter;
    });
  }
  return clean
    .replaceAll(SCHEME, (all, scheme: string, space: string, value: string) =>
      value.length < MIN_SCHEME_VALUE ? all : scheme + space + REDACTED,
    )
    .replaceAll(RUN, (run) => (run.length < MIN_TOKEN || !PREFIX.test(run) ? run : REDACTED));
}

/** A value that holds another URL. */
function withoutEncoded(value: string, isSecret: (name: string) => boolean, decoded: number): string {
  if (decoded === MAX_DECODED || !/%(?:3d|40|20)/i.test(value)) return value;
  const text = decodedName(value);
  const clean = withoutCredentials(text, isSecret, decoded + 1);
  return clean === text ? value : encodeURIComponent(clean);
}

function decodedName(name: string): string {
  if (!name.includes('%')) return name;
  try {
    return decodeURIComponent(name);
  } catch {
    // Half an escape hides nothing else.
    return name.replaceAll(/%[0-7][0-9a-f]/gi, (escape) => String.fromCharCode(Number.parseInt(escape.slice(1), 16)));
  }
}
