import { isInnerList, serializeInnerList, serializeItem } from 'structured-headers';
import type { Dictionary } from 'structured-headers';
import { isCredentialName } from '../credential-names.js';
import { REDACTED } from '../credential-text.js';
import type { HeaderMap } from '../headers.js';
import type { SignatureReason } from '../vocabulary.js';
import { withoutDefaultPort, type Candidate, type RequestTarget } from './request-target.js';
import type { CoveredComponent } from './signature-fields.js';
import { readDictionary, strictSerializations } from './structured-field.js';

const MAX_STRUCTURED_CHARACTERS = 16_384;

export type ComponentValue = string | { fault: SignatureReason };

const USES_PATH: ReadonlySet<string> = new Set(['@path', '@request-target', '@target-uri']);

const UNAVAILABLE: ComponentValue = { fault: 'component_unavailable' };
const MISSING: ComponentValue = { fault: 'missing_component' };

/**
 * Component values of a request (RFC 9421, section 2). Distinguishes missing components from unavailable ones, whose
 * value the site didn't report.
 */
export class ComponentValues {
  private readonly dictionaries = new Map<string, Dictionary | null>();
  /** Cache of values that are the same for every candidate, by identifier. */
  private readonly known = new Map<string, ComponentValue>();
  private structuredCharacters = 0;

  private readonly headers: HeaderMap;
  private readonly target: RequestTarget;

  constructor(headers: HeaderMap, target: RequestTarget) {
    this.headers = headers;
    this.target = target;
  }

  value(component: CoveredComponent, candidate: Candidate): ComponentValue {
    const { identifier, name, parameters } = component;
    if (name.startsWith('@') && name !== '@query-param') return this.derived(component, candidate);
    let value = this.known.get(identifier);
    if (value === undefined) {
      value = name === '@query-param' ? this.queryParameter(parameters) : this.field(component);
      this.known.set(identifier, value);
    }
    return value;
  }

  /** Returns why a failed signature over these components may still be valid, or null. */
  doubt(components: readonly CoveredComponent[]): SignatureReason | null {
    for (const { name, parameters } of components) {
      const usesQuery = name === '@query' || name === '@target-uri' || name === '@request-target';
      if (usesQuery && !this.target.isWhole) return 'query_unknown';
      // A request line can't contain such a path, so the site has decoded it.
      if (USES_PATH.has(name) && /[^!-~]|["#<>\\^`{|}]/.test(this.target.path ?? '')) return 'component_unavailable';
      // The type of the field (dictionary, list or item) is unknown.
      if (parameters.has('sf') && strictSerializations(this.headers[name] ?? '').length > 1)
        return 'component_unavailable';
      // Header lines that were joined can't be separated again.
      if (parameters.has('bs') && (this.headers[name] ?? '').includes(',')) return 'component_unavailable';
    }
    return null;
  }

  private derived({ name, parameters }: CoveredComponent, candidate: Candidate): ComponentValue {
    if (parameters.size > 0) return UNAVAILABLE;
    const { query } = this.target;
    const { path } = candidate;
    const authority = candidate.authority === null ? null : withoutDefaultPort(candidate.authority, candidate.scheme);
    switch (name) {
      case '@authority':
        return authority ?? UNAVAILABLE;
      case '@method':
        return candidate.method;
      case '@scheme':
        return candidate.scheme;
      case '@path':
        return path ?? UNAVAILABLE;
      case '@query':
        return path === null ? UNAVAILABLE : query === '' ? '?' : query;
      case '@request-target':
        return path === null ? UNAVAILABLE : path + query;
      case '@target-uri':
        return path === null || authority === null ? UNAVAILABLE : `${candidate.scheme}://${authority}${path}${query}`;
      default:
        return UNAVAILABLE;
    }
  }

  /** Implements RFC 9421, section 2.2.8. A parameter that occurs more than once can't be signed. */
  private queryParameter(parameters: CoveredComponent['parameters']): ComponentValue {
    const name = parameters.get('name');
    const { path, query, isWhole } = this.target;
    if (typeof name !== 'string' || parameters.size > 1 || path === null) return UNAVAILABLE;
    if (query === '') return isWhole ? MISSING : { fault: 'query_unknown' };
    if (!this.mayRead(query.length)) return UNAVAILABLE;
    const values = [...new URLSearchParams(query)].filter((pair) => percentEncoded(pair[0]) === name);
    if (values.length > 1) return UNAVAILABLE;
    return values.length === 1 ? percentEncoded(values[0]![1]) : MISSING;
  }

  private field({ name, parameters }: CoveredComponent): ComponentValue {
    const value = this.headers[name];
    // Sites omit headers that contain credentials, or redact parts of others.
    if (typeof value !== 'string') return isCredentialName(name) ? UNAVAILABLE : MISSING;
    if (value.includes(REDACTED)) return UNAVAILABLE;
    if (parameters.size === 0) return value;
    const [parameter, argument] = [...parameters][0]!;
    if (parameters.size > 1) return UNAVAILABLE;
    if (parameter === 'key' && typeof argument === 'string') return this.member(name, value, argument);
    if (argument !== true) return UNAVAILABLE;
    if (parameter === 'bs' && /^[\t -~]*$/.test(value)) return `:${Buffer.from(value, 'latin1').toString('base64')}:`;
    if (parameter === 'sf')
      return this.mayRead(value.length) ? (strictSerializations(value)[0] ?? UNAVAILABLE) : UNAVAILABLE;
    return UNAVAILABLE;
  }

  private member(name: string, value: string, key: string): ComponentValue {
    let dictionary = this.dictionaries.get(name);
    if (dictionary === undefined) {
      if (!this.mayRead(value.length)) return UNAVAILABLE;
      dictionary = readDictionary(value);
      this.dictionaries.set(name, dictionary);
    }
    if (dictionary === null) return UNAVAILABLE;
    const member = dictionary.get(key);
    if (member === undefined) return MISSING;
    return isInnerList(member) ? serializeInnerList(member) : serializeItem(member);
  }

  private mayRead(characters: number): boolean {
    this.structuredCharacters += characters;
    return this.structuredCharacters <= MAX_STRUCTURED_CHARACTERS;
  }
}

/** Percent-encodes by the application/x-www-form-urlencoded set of the URL standard, but spaces as `%20`. */
function percentEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
