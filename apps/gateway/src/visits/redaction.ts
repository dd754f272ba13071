import { LRUCache } from 'lru-cache';

/** What a sensitive value is replaced by. */
export const REDACTED = '[redacted]';

/** Headers that carry credentials or tell a person apart; their values never leave the gateway. */
export const SENSITIVE_HEADERS = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'api-key',
  'apikey',
  'x-auth-token',
  'x-access-token',
  'x-session-token',
  'x-csrf-token',
  'x-xsrf-token',
  'x-amz-security-token',
  'x-goog-api-key',
  'x-goog-iap-jwt-assertion',
  'x-forwarded-access-token',
  'x-vercel-oidc-token',
  'cf-access-jwt-assertion',
  'cf-access-client-secret',
];

/** ASCII written as an escape: the way to hide a name from a search of the text. */
const ESCAPED_ASCII = /\\u00[2-7]/;

/** Replaces the values of sensitive headers in visits. */
export class Redactor {
  private readonly names: Set<string>;
  private readonly mention: RegExp;

  /** @param names header names in any case. */
  constructor(names: readonly string[]) {
    this.names = new Set(names.map((name) => name.toLowerCase()));
    const alternatives = [...this.names].map((name) => name.replaceAll(/[^a-z0-9_-]/g, '\\$&'));
    this.mention = new RegExp(`"(?:${alternatives.join('|')})"`, 'i');
  }

  /**
   * Whether the JSON text may hold a sensitive header. False is certain, so the text can be passed on as it is;
   * it covers a name that is given twice as well, of which a parser keeps only the last.
   */
  isMentionedIn(json: string): boolean {
    return this.names.size > 0 && (this.mention.test(json) || ESCAPED_ASCII.test(json));
  }

  /** Redacts an item of a body in place: headers that are no object are replaced whole. */
  redact(item: unknown): void {
    if (typeof item !== 'object' || item === null) return;
    const visit = item as Record<string, unknown>;
    for (const field of ['request_headers', 'response_headers']) {
      const headers = visit[field];
      if (headers === undefined || headers === null) continue;
      if (typeof headers !== 'object' || Array.isArray(headers)) visit[field] = REDACTED;
      else this.redactHeaders(headers as Record<string, unknown>);
    }
  }

  private redactHeaders(headers: Record<string, unknown>): void {
    for (const name of Object.keys(headers)) {
      if (headers[name] !== null && this.names.has(name.trim().toLowerCase())) headers[name] = REDACTED;
    }
  }
}

/** Redactors by the project's additions: projects with the same ones share theirs. */
export class Redactors {
  private readonly cache = new LRUCache<string, Redactor>({ max: 1_000 });

  /** @param always names redacted in every project. */
  constructor(private readonly always: readonly string[]) {}

  for(additional: readonly string[]): Redactor {
    const key = additional.join('\n');
    const known = this.cache.get(key);
    if (known !== undefined) return known;
    const redactor = new Redactor([...this.always, ...additional]);
    this.cache.set(key, redactor);
    return redactor;
  }
}
