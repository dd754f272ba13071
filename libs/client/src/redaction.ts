import {
  comparableName,
  CREDENTIAL_HEADERS,
  isCardNumber,
  isCredentialName,
  isCredentialParameter,
} from '../../agents/src/credential-names.js';
import { namesWithinLimit, valueWithinLimit } from './limits.js';
import type { HeaderMap, Visit } from './types.js';

/** Replaces a redacted value. The instance uses the same text, and redacts more. */
const REDACTED = '[redacted]';
/** Maximum number of cached names. Sites use few header names, but visitors can send any number. */
const MAX_KNOWN_NAMES = 2_000;
const MAX_KNOWN_LENGTH = 256;
const PARAMETER = /([?&;#])([^=&;#?]+)=[^&;#]*/g;
/** Headers of RFC 9421. A signature wouldn't verify with other values. */
const SIGNED_WITH = /^(?:signature(?:-input|-agent)?|content-digest)$/i;
/** Maximum nesting depth of a body. The instance rejects visits nested deeper than 64. */
const MAX_DEPTH = 60;

/** Redacts values by the names of headers, path parameters and body members. */
export class Redactor {
  private readonly always: ReadonlySet<string>;
  private readonly known = new Map<string, boolean>();

  /** @param headers Names to redact in addition to those with credential-like names. */
  constructor(headers: readonly string[]) {
    this.always = new Set([...CREDENTIAL_HEADERS, ...headers].map(comparableName));
  }

  /** Returns a copy of the visit without credentials. */
  visit(visit: Visit): Visit {
    const clean = { ...visit, request_path: this.withoutParameters(visit.request_path) };
    clean.request_headers = this.headers(visit.request_headers);
    if (visit.response_headers) clean.response_headers = this.headers(visit.response_headers);
    if (visit.acp_response_body) clean.acp_response_body = this.body(visit.acp_response_body);
    if (visit.ucp_response_body) clean.ucp_response_body = this.body(visit.ucp_response_body);
    return clean;
  }

  /** Returns a copy of the headers without credentials, truncated to the limits. */
  headers(headers: HeaderMap): HeaderMap {
    const clean: HeaderMap = {};
    for (const name of namesWithinLimit(headers)) {
      const value = valueWithinLimit(headers[name]);
      if (this.isSecret(name)) clean[name] = REDACTED;
      else clean[name] = typeof value === 'string' && !SIGNED_WITH.test(name) ? this.withoutParameters(value) : value;
    }
    return clean;
  }

  /** Redacts parameters in a path, or in a URL within a header: `/reset?token=abc`. */
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
