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

/** Names that people add to what is redacted, or take from it. */
interface RedactionSettings {
  redacted: readonly string[];
  exempt: readonly string[];
}

/** Headers of RFC 9421 and its digests: with another value, a signature would not verify. */
const SIGNED_WITH = new Set(['signature', 'signature-input', 'signature-agent', 'content-digest']);
/** Headers that visits are identified by. Only what looks like a credential by itself is taken out of them. */
const IDENTIFYING = new Set(['user-agent', 'from', 'host', ':authority', ...FORWARDING_HEADERS]);
const HEADER_FIELDS = new Set(['request_headers', 'response_headers']);
/** RFC 9421's own field is a header; elsewhere it signs something else. */
const SIGNATURE = /^signature$/i;
/** Members that say what another member of the same object is the value of. */
const LABEL = /(?:name|key|field|header|param|parameter|property|attribute|label)$|^k$/;
const LABELED = /(?:val|values?)$|^v$/;

/**
 * Fields that the marker of what is redacted would make invalid, and what they hold instead: of a visit whose client was
 * told that it is safe, nothing may be refused later.
 */
const TYPED_FIELDS = new Map(
  Object.entries(VisitSchema.properties as Record<string, { type?: string | string[]; format?: string }>)
    .filter(([, { type, format }]) => ![type].flat().includes('string') || format !== undefined)
    .map(([field]) => [field, field === 'request_headers' ? Object.freeze({}) : null]),
);

/** What becomes of the values of a name: all is shown, all but values that look like credentials, or nothing. */
type Verdict = 'shown' | 'identifying' | 'plain' | 'secret';

type Role = 'label' | 'labeled';

interface KnownName {
  verdict: Verdict;
  /** The verdict of a member with this name. */
  member: Verdict;
  /** Whether values of a parameter with this name are hidden. */
  isSecretParameter: boolean;
  /** What else there is to the name; null for nearly all. */
  more: { role: Role | null; shown: string } | null;
}

/** Longest text that is searched, in characters: no valid visit has a longer one. Expressions need stack in proportion. */
const MAX_SEARCHED_CHARACTERS = VISIT_LIMITS.itemBytes;
/** Shorter ones hold no credential, longer ones are rarely the same twice. */
const [MIN_CHARACTERS, MAX_MEMO_CHARACTERS] = [8, 256];
const MEMO_ENTRIES = 2_000;

/** Replaces credentials in visits: by the names of fields and headers, and by what values look like. */
export class Redactor {
  private readonly redacted: ReadonlySet<string>;
  private readonly exempt: ReadonlySet<string>;
  private readonly names = new RecentMemo<KnownName>(MEMO_ENTRIES);
  private readonly headers = new RecentMemo<KnownName>(MEMO_ENTRIES);
  private readonly texts = new RecentMemo<string>(MEMO_ENTRIES);
  private readonly identifyingTexts = new RecentMemo<string>(MEMO_ENTRIES);

  /** @param always names that no project can exempt. */
  constructor(always: readonly string[], { redacted, exempt }: RedactionSettings = { redacted: [], exempt: [] }) {
    this.redacted = new Set([...always, ...redacted].map(comparableName));
    this.exempt = new Set(exempt.map(comparableName).filter((name) => !this.redacted.has(name)));
  }

  /** Redacts what one body holds. */
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

  /** What is known of a name as a header's. */
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

  /** The text of a header that a visit is identified by. */
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

/** Cleans a text. The end of one that is too long to be searched is replaced. */
function inBounds(text: string, clean: (text: string) => string): string {
  if (text.length <= MAX_SEARCHED_CHARACTERS) return clean(text);
  return clean(text.slice(0, MAX_SEARCHED_CHARACTERS)) + REDACTED;
}

/** The redaction of one body, item by item. */
class Redaction {
  /** Whether anything was replaced. */
  isChanged = false;

  constructor(private readonly redactor: Redactor) {}

  /**
   * Returns an item of a body without credentials: the same value, changed in place. Headers that are not an object are
   * replaced whole. What is nested deeper than a visit may be is left: nobody keeps it.
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

  /** Takes credentials out of a valid visit, which stays valid. */
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
   * `["cookie", "a=b"]`, also one after the other, as Node has raw headers. Behind a name with which a list of another
   * shape begins, all are its values.
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

/** Redactors by the projects' settings: projects with the same ones share theirs. */
export class Redactors {
  private readonly cache = new LRUCache<string, Redactor>({ max: 100 });

  /** @param always names redacted in every project, beside those of credentials. */
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
