import {
  comparableName,
  CREDENTIAL_HEADERS,
  isCardNumber,
  isCredentialName,
  isCredentialParameter,
} from '../../agents/src/credential-names.js';
import { namesWithinLimit, valueWithinLimit } from './limits.js';
import type { HeaderMap, Visit } from './types.js';

/** What stands in the place of a value. The instance writes the same, and redacts more. */
const REDACTED = '[redacted]';
/** Sites have few names of headers; a visitor can make up any number. */
const MAX_KNOWN_NAMES = 2_000;
const MAX_KNOWN_LENGTH = 256;
const PARAMETER = /([?&;#])([^=&;#?]+)=[^&;#]*/g;
/** Headers of RFC 9421: with another value, a signature would not verify. */
const SIGNED_WITH = /^(?:signature(?:-input|-agent)?|content-digest)$/i;
/** Of objects and arrays in a body; the instance refuses visits that are nested deeper than 64. */
const MAX_DEPTH = 60;

/** Takes credentials out of what is sent: by the names of headers, of parameters in paths, and of members of bodies. */
export class Redactor {
  private readonly always: ReadonlySet<string>;
  private readonly known = new Map<string, boolean>();

  /** @param headers names that are redacted beside those that look like credentials. */
  constructor(headers: readonly string[]) {
    this.always = new Set([...CREDENTIAL_HEADERS, ...headers].map(comparableName));
  }

  /** Returns a visit without credentials; the one that was given stays as it is. */
  visit(visit: Visit): Visit {
    const clean = { ...visit, request_path: this.withoutParameters(visit.request_path) };
    clean.request_headers = this.headers(visit.request_headers);
    if (visit.response_headers) clean.response_headers = this.headers(visit.response_headers);
    if (visit.acp_response_body) clean.acp_response_body = this.body(visit.acp_response_body);
    if (visit.ucp_response_body) clean.ucp_response_body = this.body(visit.ucp_response_body);
    return clean;
  }

  /** Returns headers without credentials, within the limits. */
  headers(headers: HeaderMap): HeaderMap {
    const clean: HeaderMap = {};
    for (const name of namesWithinLimit(headers)) {
      const value = valueWithinLimit(headers[name]);
      if (this.isSecret(name)) clean[name] = REDACTED;
      else clean[name] = typeof value === 'string' && !SIGNED_WITH.test(name) ? this.withoutParameters(value) : value;
    }
    return clean;
  }

  /** Replaces the values of parameters, also of addresses in headers: `/reset?token=abc`. */
  private withoutParameters(text: string): string {
    if (!/[?#]/.test(text)) return text;
    return text.replaceAll(PARAMETER, (parameter, start: string, name: string) =>
      this.isSecretParameter(name) ? `${start}${name}=${REDACTED}` : parameter,
    );
  }

  private isSecretParameter(name: string): boolean {
    const decoded = name.includes('%') ? percentDecoded(name) : name;
    return isCredentialParameter(decoded) || this.isSecret(decoded);
  }

  private body(value: object): object {
    return this.member(value, '', MAX_DEPTH) as object;
  }

  private member(value: unknown, field: string, depth: number): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (depth === 0) return REDACTED;
    if (Array.isArray(value)) return value.map((item) => this.member(item, field, depth - 1));
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        this.isSecret(name) || isCardNumber(name, field) ? REDACTED : this.member(inner, name, depth - 1),
      ]),
    );
  }

  private isSecret(name: string): boolean {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const isSecret = this.always.has(comparableName(name)) || isCredentialName(name);
    if (this.known.size < MAX_KNOWN_NAMES && name.length <= MAX_KNOWN_LENGTH) this.known.set(name, isSecret);
    return isSecret;
  }
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
