import {
  toComparableName,
  CREDENTIAL_HEADERS,
  FORWARDING_HEADERS,
  isCardNumber,
  isCredentialName,
  isCredentialParameter,
  REDACTED,
  redactCredentials,
  redactCredentialValues,
} from '#libs/agents';
import { VISIT_LIMITS, VisitSchema, type Visit } from '#libs/contracts';
import { REDUCED_PAYMENT_HEADERS, reducePaymentHeader } from '#libs/payments';
import { LRUCache } from 'lru-cache';
import { RecentMemo } from '../recent-memo.js';
import { decodeMcpHeader } from './mcp-headers.js';

/** A project's additions to the redacted names, and its exemptions. */
interface RedactionSettings {
  redacted: readonly string[];
  exempt: readonly string[];
}

/** Headers for RFC 9421 signatures and digests. They are never redacted, because signatures would no longer verify. */
const SIGNATURE_HEADERS = new Set(['signature', 'signature-input', 'signature-agent', 'content-digest']);
/** Headers used to identify visitors. Only parts that look like credentials are redacted. */
const IDENTIFYING_HEADERS = new Set(['user-agent', 'from', 'host', ':authority', ...FORWARDING_HEADERS]);
const HEADER_FIELDS = new Set(['request_headers', 'response_headers']);
/** Outside of headers, a `signature` isn't an RFC 9421 signature, so it's redacted. */
const SIGNATURE = /^signature$/i;
/** Matches members whose value is the name of another value, such as `key` in `{ "key": …, "value": … }`. */
const LABEL = /(?:name|key|field|header|param|parameter|property|attribute|label)$|^k$/;
const LABELED_VALUE = /(?:val|values?)$|^v$/;

/**
 * Replacement values for fields that can't contain the redaction marker. A redacted visit must remain valid, because an
 * accepted visit can no longer be rejected.
 */
const TYPED_FIELDS = new Map(
  Object.entries(
    VisitSchema.properties as Record<string, { type?: string | string[]; format?: string; enum?: unknown }>,
  )
    .filter(([, { type, format, enum: values }]) => {
      const isText = [type].flat().includes('string');
      return !isText || format !== undefined || values !== undefined;
    })
    .map(([field]) => [field, field === 'request_headers' ? Object.freeze({}) : null]),
);

/**
 * Text fields whose format leaves no space for credentials in valid visits: times, addresses without a zone, and fixed
 * values. Their texts differ from visit to visit, so they would displace others from the caches.
 */
const FORMATTED_FIELDS: ReadonlySet<string> = new Set(
  Object.entries(VisitSchema.properties as Record<string, { format?: string; enum?: unknown }>)
    .filter(([, { format, enum: values }]) => format !== undefined || values !== undefined)
    .map(([field]) => field),
);
/** Starts the zone of an IPv6 address, which can contain any text. */
const ZONE_SEPARATOR = '%';

/** Payment headers whose names are secret outside of headers, where their values are redacted entirely. */
const SECRET_PAYMENT_NAMES: ReadonlySet<string> = new Set(
  [...REDUCED_PAYMENT_HEADERS].filter((name) => name !== 'www-authenticate'),
);

/**
 * Treatment of the values under a name: leave them unchanged (`shown`), redact only parts that look like credentials
 * (`identifying`), reduce payment headers to the price and result (`payment`), redact credentials found in the text
 * (`plain`), or redact them entirely (`secret`).
 */
type Verdict = 'shown' | 'identifying' | 'payment' | 'plain' | 'secret';

type Role = 'label' | 'labeled';

interface NameInfo {
  verdict: Verdict;
  /** Verdict for an object member with this name. */
  member: Verdict;
  /** True if URL parameters with this name are redacted. */
  isSecretParameter: boolean;
  /**
   * Role of the name, and the name as it is stored. Null for most names, which have no role and don't contain anything
   * to redact.
   */
  more: { role: Role | null; shown: string } | null;
}

/**
 * Maximum length of a searched text, in characters. Texts in valid visits are never longer. The limit exists because
 * regular expressions use stack space in proportion to the length.
 */
const MAX_SEARCHED_CHARACTERS = VISIT_LIMITS.itemBytes;
/**
 * Texts shorter than the minimum can't contain credentials. Texts longer than the memo limit are rarely repeated, so
 * they aren't cached.
 */
const [MIN_CHARACTERS, MAX_MEMO_CHARACTERS] = [8, 256];
const MEMO_ENTRIES = 2_000;

/** Redacts credentials in visits. Recognizes them by field names, header names, and typical formats. */
export class Redactor {
  private readonly redacted: ReadonlySet<string>;
  private readonly exempt: ReadonlySet<string>;
  private readonly names = new RecentMemo<NameInfo>(MEMO_ENTRIES);
  private readonly headers = new RecentMemo<NameInfo>(MEMO_ENTRIES);
  private readonly texts = new RecentMemo<string>(MEMO_ENTRIES);
  private readonly identifyingTexts = new RecentMemo<string>(MEMO_ENTRIES);

  /** @param always Names that projects can't exempt. */
  constructor(always: readonly string[], { redacted, exempt }: RedactionSettings = { redacted: [], exempt: [] }) {
    this.redacted = new Set([...always, ...redacted].map(toComparableName));
    this.exempt = new Set(exempt.map(toComparableName).filter((name) => !this.redacted.has(name)));
  }

  start(): Redaction {
    return new Redaction(this);
  }

  name(name: string): NameInfo {
    const cached = this.names.get(name);
    if (cached !== undefined) return cached;
    const comparable = toComparableName(name);
    const isPayment = SECRET_PAYMENT_NAMES.has(comparable);
    const isSecret = isPayment || this.redacted.has(comparable) || isCredentialName(name);
    const verdict = !isPayment && this.exempt.has(comparable) ? 'shown' : isSecret ? 'secret' : 'plain';
    const role: Role | null = LABEL.test(comparable) ? 'label' : LABELED_VALUE.test(comparable) ? 'labeled' : null;
    const shown = this.clean(name);
    const more = role === null && shown === name ? null : { role, shown };
    const member = verdict === 'plain' && SIGNATURE.test(name) ? 'secret' : verdict;
    const isSecretParameter = verdict === 'secret' || (verdict === 'plain' && isCredentialParameter(name));
    return this.remember(this.names, name, { verdict, member, isSecretParameter, more });
  }

  header(name: string): NameInfo {
    const cached = this.headers.get(name);
    if (cached !== undefined) return cached;
    const plain = name.trim().toLowerCase();
    const canBeExempt = !this.redacted.has(toComparableName(name));
    const verdict = !canBeExempt
      ? // The scheme of an authorization is not secret.
        plain === 'authorization'
        ? 'payment'
        : null
      : SIGNATURE_HEADERS.has(plain)
        ? 'shown'
        : IDENTIFYING_HEADERS.has(plain)
          ? 'identifying'
          : REDUCED_PAYMENT_HEADERS.has(plain)
            ? 'payment'
            : null;
    return this.remember(
      this.headers,
      name,
      verdict === null ? this.name(name) : { verdict, member: verdict, isSecretParameter: false, more: null },
    );
  }

  text(value: string): string {
    if (value.length < MIN_CHARACTERS) return value;
    return this.texts.get(value) ?? this.remember(this.texts, value, this.clean(value));
  }

  /** Redacts a header value used to identify visitors. Only replaces parts that look like credentials. */
  identifyingText(value: string): string {
    if (value.length < MIN_CHARACTERS) return value;
    return (
      this.identifyingTexts.get(value) ??
      this.remember(this.identifyingTexts, value, cleanBounded(value, redactCredentialValues))
    );
  }

  /** Reduces a payment header. Challenges can contain other texts, which are redacted like any text. */
  paymentText(name: string, value: string): string {
    const reduced = reducePaymentHeader(name, value);
    return name === 'www-authenticate' ? this.text(reduced) : reduced;
  }

  private clean(text: string): string {
    const decoded = decodeMcpHeader(text);
    if (decoded !== text) {
      const cleaned = this.clean(decoded);
      return cleaned === decoded ? text : cleaned;
    }
    const isHidden = (name: string, isParameter: boolean): boolean => {
      const { verdict, isSecretParameter } = this.name(name);
      return isParameter ? isSecretParameter : verdict === 'secret';
    };
    return cleanBounded(text, (searched) => redactCredentials(searched, isHidden));
  }

  private remember<Value>(memo: RecentMemo<Value>, text: string, value: Value): Value {
    if (text.length <= MAX_MEMO_CHARACTERS) memo.set(text, value);
    return value;
  }
}

/** Applies `clean` to the start of the text that is short enough to search, and redacts the rest. */
function cleanBounded(text: string, clean: (text: string) => string): string {
  if (text.length <= MAX_SEARCHED_CHARACTERS) return clean(text);
  return clean(text.slice(0, MAX_SEARCHED_CHARACTERS)) + REDACTED;
}

class Redaction {
  isChanged = false;

  constructor(private readonly redactor: Redactor) {}

  /**
   * Redacts an item in place and returns it. Headers that aren't an object are replaced entirely. Values that exceed
   * the maximum visit depth are skipped, because they are never stored.
   */
  redact(item: unknown): unknown {
    if (typeof item === 'object' && item !== null && !Array.isArray(item)) {
      const visit = item as Record<string, unknown>;
      for (const field of HEADER_FIELDS) {
        const headers = visit[field];
        if (headers == null || (typeof headers === 'object' && !Array.isArray(headers))) continue;
        visit[field] = REDACTED;
        this.isChanged = true;
      }
    }
    return this.clean(item, VISIT_LIMITS.depth, null);
  }

  /**
   * Redacts a valid visit in place so that it remains valid.
   *
   * @returns True if the visit changed.
   */
  redactVisit(visit: Visit): boolean {
    const wasChanged = this.isChanged;
    this.isChanged = false;
    this.cleanObject(visit, VISIT_LIMITS.depth - 1, null, FORMATTED_FIELDS);
    if (!this.isChanged) {
      this.isChanged = wasChanged;
      return false;
    }
    const fields: Record<string, unknown> = visit;
    for (const [field, replacement] of TYPED_FIELDS) {
      const value = fields[field];
      if (typeof value === 'string' && value.includes(REDACTED)) fields[field] = replacement;
    }
    if (visit.request_path.length > VISIT_LIMITS.pathLength) {
      visit.request_path = visit.request_path.slice(0, VISIT_LIMITS.pathLength).toWellFormed();
    }
    return true;
  }

  private clean(value: unknown, depth: number, field: string | null): unknown {
    if (typeof value === 'string') return this.changed(value, this.redactor.text(value));
    if (typeof value !== 'object' || value === null || depth === 0) return value;
    if (Array.isArray(value)) this.cleanArray(value, depth - 1);
    else this.cleanObject(value as Record<string, unknown>, depth - 1, field);
    return value;
  }

  /** @param formatted Members whose format has been validated. */
  private cleanObject(
    object: Record<string, unknown>,
    depth: number,
    field: string | null,
    formatted: ReadonlySet<string> | null = null,
  ): void {
    const isHeaders = field !== null && HEADER_FIELDS.has(field);
    let isLabeled = false;
    let labeled: string[] | null = null;
    let renamed: Record<string, string> | null = null;
    for (const name in object) {
      const value = object[name];
      if (value === null) continue;
      const { member, more } = isHeaders ? this.redactor.header(name) : this.redactor.name(name);
      if (more !== null) {
        if (more.shown !== name) (renamed ??= {})[name] = more.shown;
        if (more.role === 'label') isLabeled ||= this.isSecretName(value);
        else if (more.role === 'labeled') (labeled ??= []).push(name);
      }
      if (member === 'plain') {
        if (field !== null && isCardNumber(name, field)) {
          this.hide(object, name);
          continue;
        }
        if (typeof value === 'string') {
          if (formatted?.has(name) === true && !value.includes(ZONE_SEPARATOR)) continue;
        } else if (typeof value !== 'object') continue;
        object[name] = this.clean(value, depth, name);
      } else if (member === 'identifying') {
        object[name] = this.cleanIdentifying(value, depth);
      } else if (member === 'payment') {
        object[name] = this.reducePayment(value, name.trim().toLowerCase());
      } else if (member === 'secret') {
        this.hide(object, name);
      }
    }
    // Redact values that are named by another member, as in `{ "name": "cookie", "value": "a=b" }`.
    if (isLabeled && labeled !== null) for (const name of labeled) this.hide(object, name);
    if (renamed !== null) this.rename(object, renamed);
  }

  private cleanIdentifying(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.changed(value, this.redactor.identifyingText(value));
    if (!Array.isArray(value) || value.some((item) => typeof item === 'object')) return this.clean(value, depth, null);
    return value.map((item) => this.cleanIdentifying(item, 0));
  }

  private reducePayment(value: unknown, name: string): unknown {
    if (Array.isArray(value)) return value.map((item) => this.reducePayment(item, name));
    if (value === null) return value;
    if (typeof value !== 'string') {
      this.isChanged = true;
      return REDACTED;
    }
    return this.changed(value, this.redactor.paymentText(name, value));
  }

  /**
   * Redacts pairs such as `["cookie", "a=b"]`, and flat lists of pairs such as Node.js raw headers. If an array of odd
   * length starts with a secret name, treats all other elements as its values.
   */
  private cleanArray(array: unknown[], depth: number): void {
    let hidden = this.isSecretName(array[0]) && array.length % 2 === 1 ? array.length : 0;
    for (let index = 0; index < array.length; index += 1) {
      const value = array[index];
      if (value !== null && index > 0 && hidden > 0) {
        hidden -= 1;
        this.hide(array as unknown as Record<string, unknown>, String(index));
        continue;
      }
      if (this.isSecretName(value)) hidden ||= 1;
      const clean = this.clean(value, depth, null);
      if (clean !== value) array[index] = clean;
    }
  }

  private rename(object: Record<string, unknown>, names: Record<string, string>): void {
    for (const [name, shown] of Object.entries(names)) {
      object[shown] = object[name];
      delete object[name];
    }
    this.isChanged = true;
  }

  private changed(value: string, clean: string): string {
    if (clean !== value) this.isChanged = true;
    return clean;
  }

  private isSecretName(value: unknown): boolean {
    return typeof value === 'string' && value.length <= 64 && this.redactor.name(value).verdict === 'secret';
  }

  private hide(object: Record<string, unknown>, name: string): void {
    if (object[name] === REDACTED) return;
    object[name] = REDACTED;
    this.isChanged = true;
  }
}

/** Cache of redactors. Projects with the same settings share a redactor. */
export class Redactors {
  private readonly cache = new LRUCache<string, Redactor>({ max: 100 });

  /** @param always Names to redact in every project, in addition to the built-in ones. */
  constructor(private readonly always: readonly string[]) {}

  for(settings: RedactionSettings): Redactor {
    const key = JSON.stringify([settings.redacted, settings.exempt]);
    const cached = this.cache.get(key);
    if (cached !== undefined) return cached;
    const redactor = new Redactor([...CREDENTIAL_HEADERS, ...this.always], settings);
    this.cache.set(key, redactor);
    return redactor;
  }
}
