import {
  comparableName,
  CREDENTIAL_HEADERS,
  FORWARDING_HEADERS,
  isCardNumber,
  isCredentialName,
  isCredentialParameter,
  REDACTED,
  withoutCredentials,
  withoutCredentialValues,
} from '#libs/agents';
import { VISIT_LIMITS, VisitSchema, type Visit } from '#libs/contracts';
import { LRUCache } from 'lru-cache';
import { RecentMemo } from '../recent-memo.js';

/** Names that a project adds to the redacted ones, or exempts. */
interface RedactionSettings {
  redacted: readonly string[];
  exempt: readonly string[];
}

/** Headers of RFC 9421 signatures and digests. If they were changed, the signature wouldn't verify. */
const SIGNED_WITH = new Set(['signature', 'signature-input', 'signature-agent', 'content-digest']);
/** Headers used to identify visitors. Only values that look like credentials are removed from them. */
const IDENTIFYING = new Set(['user-agent', 'from', 'host', ':authority', ...FORWARDING_HEADERS]);
const HEADER_FIELDS = new Set(['request_headers', 'response_headers']);
/** Outside of headers, a `signature` isn't from RFC 9421 and is redacted. */
const SIGNATURE = /^signature$/i;
/** Names of members that contain the name of a value, such as `key` in `{ "key": …, "value": … }`. */
const LABEL = /(?:name|key|field|header|param|parameter|property|attribute|label)$|^k$/;
const LABELED = /(?:val|values?)$|^v$/;

/**
 * Fields that can't hold the redaction marker, with the value to use instead. A redacted visit must stay valid: once
 * accepted, it can't be rejected by a later step.
 */
const TYPED_FIELDS = new Map(
  Object.entries(VisitSchema.properties as Record<string, { type?: string | string[]; format?: string }>)
    .filter(([, { type, format }]) => ![type].flat().includes('string') || format !== undefined)
    .map(([field]) => [field, field === 'request_headers' ? Object.freeze({}) : null]),
);

/**
 * How to treat the values of a name: keep them (`shown`), remove only values that look like credentials
 * (`identifying`), search their text for credentials (`plain`), or hide them (`secret`).
 */
type Verdict = 'shown' | 'identifying' | 'plain' | 'secret';

type Role = 'label' | 'labeled';

interface KnownName {
  verdict: Verdict;
  /** Verdict for a member of an object with this name. */
  member: Verdict;
  /** True if values of a URL parameter with this name are hidden. */
  isSecretParameter: boolean;
  /** Role and redacted form of the name. Null for most names, which have no role and need no redaction. */
  more: { role: Role | null; shown: string } | null;
}

/**
 * Maximum length of a text to search, in characters. Valid visits contain no longer ones. Regular expressions need
 * stack in proportion to the length.
 */
const MAX_SEARCHED_CHARACTERS = VISIT_LIMITS.itemBytes;
/** Shorter texts contain no credentials. Longer texts rarely repeat, so they aren't memoized. */
const [MIN_CHARACTERS, MAX_MEMO_CHARACTERS] = [8, 256];
const MEMO_ENTRIES = 2_000;

/** Redacts credentials in visits, by the names of fields and headers and by the form of values. */
export class Redactor {
  private readonly redacted: ReadonlySet<string>;
  private readonly exempt: ReadonlySet<string>;
  private readonly names = new RecentMemo<KnownName>(MEMO_ENTRIES);
  private readonly headers = new RecentMemo<KnownName>(MEMO_ENTRIES);
  private readonly texts = new RecentMemo<string>(MEMO_ENTRIES);
  private readonly identifyingTexts = new RecentMemo<string>(MEMO_ENTRIES);

  /** @param always Names that no project can exempt. */
  constructor(always: readonly string[], { redacted, exempt }: RedactionSettings = { redacted: [], exempt: [] }) {
    this.redacted = new Set([...always, ...redacted].map(comparableName));
    this.exempt = new Set(exempt.map(comparableName).filter((name) => !this.redacted.has(name)));
  }

  start(): Redaction {
    return new Redaction(this);
  }

  name(name: string): KnownName {
    const known = this.names.get(name);
    if (known !== undefined) return known;
    const comparable = comparableName(name);
    const isSecret = this.redacted.has(comparable) || isCredentialName(name);
    const verdict = this.exempt.has(comparable) ? 'shown' : isSecret ? 'secret' : 'plain';
    const role: Role | null = LABEL.test(comparable) ? 'label' : LABELED.test(comparable) ? 'labeled' : null;
    const shown = this.clean(name);
    const more = role === null && shown === name ? null : { role, shown };
    const member = verdict === 'plain' && SIGNATURE.test(name) ? 'secret' : verdict;
    const isSecretParameter = verdict === 'secret' || (verdict === 'plain' && isCredentialParameter(name));
    return this.remember(this.names, name, { verdict, member, isSecretParameter, more });
  }

  header(name: string): KnownName {
    const known = this.headers.get(name);
    if (known !== undefined) return known;
    const plain = name.trim().toLowerCase();
    const isNeeded = !this.redacted.has(comparableName(name));
    const verdict =
      isNeeded && SIGNED_WITH.has(plain) ? 'shown' : isNeeded && IDENTIFYING.has(plain) ? 'identifying' : null;
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

  /** Redacts the value of a header used to identify visitors. */
  identifyingText(value: string): string {
    if (value.length < MIN_CHARACTERS) return value;
    return (
      this.identifyingTexts.get(value) ??
      this.remember(this.identifyingTexts, value, inBounds(value, withoutCredentialValues))
    );
  }

  private clean(text: string): string {
    const isHidden = (name: string, isParameter: boolean): boolean => {
      const { verdict, isSecretParameter } = this.name(name);
      return isParameter ? isSecretParameter : verdict === 'secret';
    };
    return inBounds(text, (searched) => withoutCredentials(searched, isHidden));
  }

  private remember<Value>(memo: RecentMemo<Value>, text: string, value: Value): Value {
    if (text.length <= MAX_MEMO_CHARACTERS) memo.set(text, value);
    return value;
  }
}

/** Cleans a text. If it's too long to be searched, the rest is replaced. */
function inBounds(text: string, clean: (text: string) => string): string {
  if (text.length <= MAX_SEARCHED_CHARACTERS) return clean(text);
  return clean(text.slice(0, MAX_SEARCHED_CHARACTERS)) + REDACTED;
}

class Redaction {
  isChanged = false;

  constructor(private readonly redactor: Redactor) {}

  /**
   * Redacts an item of a body in place and returns it. Headers that aren't an object are replaced entirely. Values
   * nested deeper than a visit may be are skipped, because they are never stored.
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

  /** Redacts a valid visit, which stays valid. */
  redactVisit(visit: Visit): void {
    this.redact(visit);
    if (!this.isChanged) return;
    const fields: Record<string, unknown> = visit;
    for (const [field, nothing] of TYPED_FIELDS) if (fields[field] === REDACTED) fields[field] = nothing;
    if (visit.request_path.length > VISIT_LIMITS.pathLength) {
      visit.request_path = visit.request_path.slice(0, VISIT_LIMITS.pathLength).toWellFormed();
    }
  }

  private clean(value: unknown, depth: number, field: string | null): unknown {
    if (typeof value === 'string') return this.changed(value, this.redactor.text(value));
    if (typeof value !== 'object' || value === null || depth === 0) return value;
    if (Array.isArray(value)) this.cleanArray(value, depth - 1);
    else this.cleanObject(value as Record<string, unknown>, depth - 1, field);
    return value;
  }

  private cleanObject(object: Record<string, unknown>, depth: number, field: string | null): void {
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
        if (typeof value !== 'string' && typeof value !== 'object') continue;
        object[name] = this.clean(value, depth, name);
      } else if (member === 'identifying') {
        object[name] = this.cleanIdentifying(value, depth);
      } else if (member === 'secret') {
        this.hide(object, name);
      }
    }
    // `{ "name": "cookie", "value": "a=b" }`
    if (isLabeled && labeled !== null) for (const name of labeled) this.hide(object, name);
    if (renamed !== null) this.rename(object, renamed);
  }

  private cleanIdentifying(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.changed(value, this.redactor.identifyingText(value));
    if (!Array.isArray(value) || value.some((item) => typeof item === 'object')) return this.clean(value, depth, null);
    return value.map((item) => this.cleanIdentifying(item, 0));
  }

  /**
   * Redacts pairs such as `["cookie", "a=b"]`, including flat lists of them like the raw headers of Node.js. If an
   * array of odd length starts with a secret name, all other elements are its values.
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

/** Caches redactors by project settings. Projects with the same settings share one. */
export class Redactors {
  private readonly cache = new LRUCache<string, Redactor>({ max: 100 });

  /** @param always Names to redact in every project, in addition to those of credentials. */
  constructor(private readonly always: readonly string[]) {}

  for(settings: RedactionSettings): Redactor {
    const key = JSON.stringify([settings.redacted, settings.exempt]);
    const known = this.cache.get(key);
    if (known !== undefined) return known;
    const redactor = new Redactor([...CREDENTIAL_HEADERS, ...this.always], settings);
    this.cache.set(key, redactor);
    return redactor;
  }
}
