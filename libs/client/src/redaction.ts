import {
  toComparableName,
  CREDENTIAL_HEADERS,
  isCardNumber,
  isCredentialName,
  isCredentialParameter,
} from '../../agents/src/credential-names.js';
import { limitHeaderNames, limitHeaderValue } from './limits.js';
import { redactPayment } from './payment-headers.js';
import type { HeaderMap, HeaderValue, Visit } from './types.js';

/** Placeholder for redacted values. It must match the instance's placeholder. */
const REDACTED = '[redacted]';
/** Maximum number of cached names. Sites use few header names, but visitors can send arbitrary ones. */
const MAX_CACHED_NAMES = 2_000;
const MAX_CACHED_NAME_LENGTH = 256;
const PARAMETER_PATTERN = /([?&;#])([^=&;#?]+)=[^&;#]*/g;
/** URL in a header value, up to the next space. Other text can contain `; token=abc`, for example a user agent. */
const URL_PATTERN = /\B\/\S*/g;
/** Signature headers (RFC 9421, RFC 9530). Redacting parts of their values would break signature verification. */
const SIGNATURE_HEADERS = /^(?:signature(?:-input|-agent)?|content-digest)$/i;
/** Maximum nesting depth of a body. The instance rejects visits nested more than 64 levels deep. */
const MAX_DEPTH = 60;

/** Redacts credentials based on the names of headers, URL parameters and body members. */
export class Redactor {
  private readonly alwaysRedacted: ReadonlySet<string>;
  private readonly secretNames = new Map<string, boolean>();

  /** @param headers Additional header names to redact. Names that look like credentials are always redacted. */
  constructor(headers: readonly string[]) {
    this.alwaysRedacted = new Set([...CREDENTIAL_HEADERS, ...headers].map(toComparableName));
  }

  /** Returns a copy of the visit with credentials redacted. */
  redactVisit(visit: Visit): Visit {
    const redacted = { ...visit, request_path: this.redactParameters(visit.request_path) };
    redacted.request_headers = this.redactHeaders(visit.request_headers);
    if (visit.response_headers) redacted.response_headers = this.redactHeaders(visit.response_headers);
    if (visit.acp_response_body) redacted.acp_response_body = this.redactBody(visit.acp_response_body);
    if (visit.ucp_response_body) redacted.ucp_response_body = this.redactBody(visit.ucp_response_body);
    return redacted;
  }

  /**
   * Returns a copy of the headers with credentials redacted. Drops and truncates headers that exceed the instance's
   * limits.
   */
  redactHeaders(headers: HeaderMap): HeaderMap {
    const redacted: HeaderMap = {};
    for (const name of limitHeaderNames(headers)) {
      const value = limitHeaderValue(headers[name]);
      if (this.isSecret(name)) redacted[name] = redactPayment(name, headers[name]);
      else redacted[name] = SIGNATURE_HEADERS.test(name) ? value : this.redactHeaderValue(value);
    }
    return redacted;
  }

  private redactHeaderValue(value: HeaderValue): HeaderValue {
    if (Array.isArray(value)) return value.map((item: string) => this.redactHeaderValue(item) as string);
    if (typeof value !== 'string') return value;
    return /[?#]/.test(value)
      ? this.redactParameters(value)
      : value.replaceAll(URL_PATTERN, (url) => this.redactParameters(url));
  }

  /** Redacts query, fragment and path parameters, such as `/reset?token=abc` and `/a;jsessionid=abc`. */
  private redactParameters(text: string): string {
    return text.replaceAll(PARAMETER_PATTERN, (parameter, start: string, name: string) =>
      this.isSecretParameter(name) ? `${start}${name}=${REDACTED}` : parameter,
    );
  }

  private isSecretParameter(name: string): boolean {
    const decoded = name.includes('%') ? percentDecode(name) : name;
    return isCredentialParameter(decoded) || this.isSecret(decoded);
  }

  private redactBody(value: object): object {
    return this.redactMember(value, '', MAX_DEPTH) as object;
  }

  private redactMember(value: unknown, field: string, depth: number): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (depth === 0) return REDACTED;
    if (Array.isArray(value)) return value.map((item) => this.redactMember(item, field, depth - 1));
    return Object.fromEntries(
      Object.entries(value).map(([name, child]) => [
        name,
        this.isSecret(name) || isCardNumber(name, field) ? REDACTED : this.redactMember(child, name, depth - 1),
      ]),
    );
  }

  private isSecret(name: string): boolean {
    const cached = this.secretNames.get(name);
    if (cached !== undefined) return cached;
    const isSecret = this.alwaysRedacted.has(toComparableName(name)) || isCredentialName(name);
    if (this.secretNames.size < MAX_CACHED_NAMES && name.length <= MAX_CACHED_NAME_LENGTH)
      this.secretNames.set(name, isSecret);
    return isSecret;
  }
}

function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
