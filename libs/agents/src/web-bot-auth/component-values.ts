import { isInnerList, serializeInnerList, serializeItem } from 'structured-headers';
import type { Dictionary } from 'structured-headers';
import { isCredentialName } from '../credential-names.js';
import { REDACTED } from '../credential-text.js';
import type { HeaderMap } from '../headers.js';
import type { SignatureReason } from '../vocabulary.js';
import { removeDefaultPort, type Candidate, type RequestTarget } from './request-target.js';
import type { CoveredComponent } from './signature-fields.js';
import { tryParseDictionary, listStrictSerializations } from './structured-field.js';

const MAX_STRUCTURED_CHARACTERS = 16_384;

export type ComponentValue = string | { fault: SignatureReason };

const USES_PATH: ReadonlySet<string> = new Set(['@path', '@request-target', '@target-uri']);

const UNAVAILABLE: ComponentValue = { fault: 'component_unavailable' };
const MISSING: ComponentValue = { fault: 'missing_component' };

/**
 * Values of a request's signed components (RFC 9421, section 2). A component is `missing` if the request doesn't have
 * it, and `unavailable` if the site didn't report its value.
 */
export class ComponentValues {
  private readonly dictionaries = new Map<string, Dictionary | null>();
  /** Cache of values that are the same for all candidates, by component identifier. */
  private readonly valueCache = new Map<string, ComponentValue>();
  private structuredCharacters = 0;

  private readonly headers: HeaderMap;
  private readonly target: RequestTarget;

  constructor(headers: HeaderMap, target: RequestTarget) {
    this.headers = headers;
    this.target = target;
  }

  getValue(component: CoveredComponent, candidate: Candidate): ComponentValue {
    const { identifier, name, parameters } = component;
    if (name.startsWith('@') && name !== '@query-param') return this.getDerivedValue(component, candidate);
    let value = this.valueCache.get(identifier);
    if (value === undefined) {
      value = name === '@query-param' ? this.getQueryParameter(parameters) : this.getField(component);
      this.valueCache.set(identifier, value);
    }
    return value;
  }

  /**
   * Returns the reason why a signature over these components may be genuine even though its verification failed.
   * Returns null if there is none.
   */
  findDoubt(components: readonly CoveredComponent[]): SignatureReason | null {
    for (const { name, parameters } of components) {
      const usesQuery = name === '@query' || name === '@target-uri' || name === '@request-target';
      if (usesQuery && !this.target.isQueryComplete) return 'query_unknown';
      // A request line can't contain these characters, so the site must have decoded the path.
      if (USES_PATH.has(name) && /[^!-~]|["#<>\\^`{|}]/.test(this.target.path ?? '')) return 'component_unavailable';
      // The `sf` parameter requires serializing the field according to its type (dictionary, list or item), but more
      // than one type fits its value.
      if (parameters.has('sf') && listStrictSerializations(this.headers[name] ?? '').length > 1)
        return 'component_unavailable';
      // The `bs` parameter requires encoding each header line separately, but a value with a comma may consist of
      // several joined lines.
      if (parameters.has('bs') && (this.headers[name] ?? '').includes(',')) return 'component_unavailable';
    }
    return null;
  }

  private getDerivedValue({ name, parameters }: CoveredComponent, candidate: Candidate): ComponentValue {
    if (parameters.size > 0) return UNAVAILABLE;
    const { query } = this.target;
    const { path } = candidate;
    const authority = candidate.authority === null ? null : removeDefaultPort(candidate.authority, candidate.scheme);
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

  /** Implements RFC 9421, section 2.2.8. Parameters that occur more than once can't be signed. */
  private getQueryParameter(parameters: CoveredComponent['parameters']): ComponentValue {
    const name = parameters.get('name');
    const { path, query, isQueryComplete: isWhole } = this.target;
    if (typeof name !== 'string' || parameters.size > 1 || path === null) return UNAVAILABLE;
    if (query === '') return isWhole ? MISSING : { fault: 'query_unknown' };
    if (!this.reserveCharacters(query.length)) return UNAVAILABLE;
    const values = [...new URLSearchParams(query)].filter((pair) => encodePercent(pair[0]) === name);
    if (values.length > 1) return UNAVAILABLE;
    return values.length === 1 ? encodePercent(values[0]![1]) : MISSING;
  }

  private getField({ name, parameters }: CoveredComponent): ComponentValue {
    const value = this.headers[name];
    // Sites omit headers with credentials, and redact parts of other headers.
    if (typeof value !== 'string') return isCredentialName(name) ? UNAVAILABLE : MISSING;
    if (value.includes(REDACTED)) return UNAVAILABLE;
    if (parameters.size === 0) return value;
    const [parameter, argument] = [...parameters][0]!;
    if (parameters.size > 1) return UNAVAILABLE;
    if (parameter === 'key' && typeof argument === 'string') return this.getMember(name, value, argument);
    if (argument !== true) return UNAVAILABLE;
    if (parameter === 'bs' && /^[\t -~]*$/.test(value)) return `:${btoa(value)}:`;
    if (parameter === 'sf')
      return this.reserveCharacters(value.length) ? (listStrictSerializations(value)[0] ?? UNAVAILABLE) : UNAVAILABLE;
    return UNAVAILABLE;
  }

  private getMember(name: string, value: string, key: string): ComponentValue {
    let dictionary = this.dictionaries.get(name);
    if (dictionary === undefined) {
      if (!this.reserveCharacters(value.length)) return UNAVAILABLE;
      dictionary = tryParseDictionary(value);
      this.dictionaries.set(name, dictionary);
    }
    if (dictionary === null) return UNAVAILABLE;
    const member = dictionary.get(key);
    if (member === undefined) return MISSING;
    return isInnerList(member) ? serializeInnerList(member) : serializeItem(member);
  }

  private reserveCharacters(characters: number): boolean {
    this.structuredCharacters += characters;
    return this.structuredCharacters <= MAX_STRUCTURED_CHARACTERS;
  }
}

/** Percent-encodes the application/x-www-form-urlencoded set in the URL standard, but encodes spaces as `%20`. */
function encodePercent(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
