/** One challenge of a `WWW-Authenticate` header (RFC 9110 section 11.6.1). */
export interface Challenge {
  /** Scheme in lower case. */
  scheme: string;
  /** Parameters by name in lower case. The first of several values applies. */
  parameters: ReadonlyMap<string, string>;
  /** Text of the challenge. */
  text: string;
}

/** Matches `Authorization` headers that prove a payment or license. The group is the scheme. */
export const CREDENTIAL_SCHEME = /^[ \t]*(payment|license)(?:[ \t]|$)/i;
/** Matches `WWW-Authenticate` headers that can ask for a payment or license. */
export const CHALLENGE_SCHEME = /(?:^|[,\s])(?:payment|license)(?:[,\s]|$)/i;
const SCHEME = /^([\w!#$%&'*+.^`|~-]+)(?:[ \t]+([^=].*)|[ \t]*)$/s;
const PARAMETER = /^([\w!#$%&'*+.^`|~-]+)[ \t]*=[ \t]*(.*)$/s;
const ESCAPE = /\\(.)/gs;
/** Maximum length of a header that is parsed, in characters. */
const MAX_LENGTH = 16_384;
const MAX_PARTS = 200;

/** Parses a header with one or more challenges. Returns none if it's too long. */
export function parseChallenges(header: string): Challenge[] {
  const challenges: { scheme: string; parameters: Map<string, string>; text: string }[] = [];
  if (header.length > MAX_LENGTH) return challenges;
  for (const part of splitList(header)) {
    const start = SCHEME.exec(part);
    if (start !== null) challenges.push({ scheme: start[1]!.toLowerCase(), parameters: new Map(), text: part });
    const challenge = challenges.at(-1);
    if (challenge === undefined) continue;
    if (start === null) challenge.text += `, ${part}`;
    const parameter = PARAMETER.exec(start === null ? part : (start[2] ?? ''));
    if (parameter === null) continue;
    const name = parameter[1]!.toLowerCase();
    if (!challenge.parameters.has(name)) challenge.parameters.set(name, unquote(parameter[2]!));
  }
  return challenges;
}

/** Splits a header at commas outside of quoted strings. */
function splitList(header: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let index = 0; index <= header.length && parts.length < MAX_PARTS; index += 1) {
    const character = header[index];
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted && character === '\\') index += 1;
    if (index < header.length && (isQuoted || character !== ',')) continue;
    const part = header.slice(start, index).trim();
    if (part !== '') parts.push(part);
    start = index + 1;
  }
  return parts;
}

const unquote = (value: string): string =>
  value.startsWith('"') ? value.slice(1, value.endsWith('"') ? -1 : undefined).replaceAll(ESCAPE, '$1') : value;
