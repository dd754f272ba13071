import { comparableName, CREDENTIAL_HEADERS, isCredentialName, REDACTED, withoutCredentials } from '#libs/agents';
import { VISIT_LIMITS } from '#libs/contracts';
import { LRUCache } from 'lru-cache';
import { RecentMemo } from './recent-memo.js';

/** Names that people add to what is redacted, or take from it. */
export interface RedactionSettings {
  redacted: readonly string[];
  exempt: readonly string[];
}

/** Headers that visits are identified by: without them, or with another value, a visitor would be another. */
const NEEDED = new Set(
  (
    'user-agent from host :authority signature signature-input signature-agent content-digest ' +
    'forwarded x-forwarded-for x-forwarded-host x-forwarded-proto x-real-ip x-client-ip x-cluster-client-ip ' +
    'cf-connecting-ip true-client-ip fastly-client-ip fly-client-ip cloudfront-viewer-address do-connecting-ip ' +
    'x-azure-clientip x-appengine-user-ip x-nf-client-connection-ip'
  ).split(' '),
);
const HEADER_FIELDS = new Set(['request_headers', 'response_headers']);
/** RFC 9421's own field is a header; elsewhere it signs something else. */
const SIGNATURE = /^signature$/i;
/** Members that say what another member of the same object is the value of. */
const LABELS = ['name', 'key', 'field', 'header'] as const;
const VALUES = ['value', 'values', 'val'] as const;

/** JSON lets blanks stand between a name and its colon; next to nobody writes them. */
const BLANK_BEFORE_COLON = /"\s+:/;

/** What is known of a name: its values are shown, looked through, or never shown. */
type Verdict = 'shown' | 'plain' | 'secret';

/** Shorter ones hold no credential, longer ones are rarely the same twice. */
const [MIN_CHARACTERS, MAX_MEMO_CHARACTERS] = [8, 256];
const MEMO_ENTRIES = 2_000;

/** Replaces credentials in visits: by the names of fields and headers, and by what values look like. */
export class Redactor {
  private readonly redacted: ReadonlySet<string>;
  private readonly exempt: ReadonlySet<string>;
  private readonly names = new RecentMemo<Verdict>(MEMO_ENTRIES);
  private readonly headers = new RecentMemo<Verdict>(MEMO_ENTRIES);
  private readonly texts = new RecentMemo<string>(MEMO_ENTRIES);

  /** @param always names that no project can exempt. */
  constructor(always: readonly string[], { redacted, exempt }: RedactionSettings = { redacted: [], exempt: [] }) {
    this.redacted = new Set([...always, ...redacted].map(comparableName));
    this.exempt = new Set(exempt.map(comparableName).filter((name) => !this.redacted.has(name)));
  }

  /** Redacts what one body holds. */
  start(): Redaction {
    return new Redaction(this);
  }

  verdict(name: string): Verdict {
    const known = this.names.get(name);
    if (known !== undefined) return known;
    const comparable = comparableName(name);
    const isSecret = this.redacted.has(comparable) || isCredentialName(comparable);
    const verdict = this.exempt.has(comparable) ? 'shown' : isSecret ? 'secret' : 'plain';
    if (name.length <= MAX_MEMO_CHARACTERS) this.names.set(name, verdict);
    return verdict;
  }

  /** The verdict of a name as a header's. */
  headerVerdict(name: string): Verdict {
    const known = this.headers.get(name);
    if (known !== undefined) return known;
    const isNeeded = NEEDED.has(name.trim().toLowerCase()) && !this.redacted.has(comparableName(name));
    const verdict = isNeeded ? 'shown' : this.verdict(name);
    if (name.length <= MAX_MEMO_CHARACTERS) this.headers.set(name, verdict);
    return verdict;
  }

  text(value: string): string {
    if (value.length < MIN_CHARACTERS) return value;
    const known = this.texts.get(value);
    if (known !== undefined) return known;
    const clean = withoutCredentials(value, (name) => this.verdict(name) === 'secret');
    if (value.length <= MAX_MEMO_CHARACTERS) this.texts.set(value, clean);
    return clean;
  }
}

/** The redaction of one body, item by item. */
export class Redaction {
  /** Whether anything was replaced. */
  isChanged = false;
  /** Members of the objects that were looked at; NaN where there are others. */
  private members = 0;

  constructor(private readonly redactor: Redactor) {}

  /**
   * Returns an item of a body without credentials: the same value, changed in place. Headers that are no object are
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

  /**
   * Whether the text that the items were parsed from may go on as it is: nothing was replaced, and no member is given
   * twice, of which a parser keeps only the last. Within a text `":` may stand, too, or blanks before a colon, and then
   * nobody can tell.
   */
  mayPass(json: string): boolean {
    if (this.isChanged || BLANK_BEFORE_COLON.test(json)) return false;
    let count = 0;
    for (let at = json.indexOf('":'); at !== -1; at = json.indexOf('":', at + 2)) count += 1;
    return count === this.members;
  }

  private clean(value: unknown, depth: number, field: string | null): unknown {
    if (typeof value === 'string') {
      const clean = this.redactor.text(value);
      if (clean !== value) this.isChanged = true;
      return clean;
    }
    if (typeof value !== 'object' || value === null || depth === 0) return value;
    if (Array.isArray(value)) this.cleanArray(value, depth - 1);
    else this.cleanObject(value as Record<string, unknown>, depth - 1, field !== null && HEADER_FIELDS.has(field));
    return value;
  }

  private cleanObject(object: Record<string, unknown>, depth: number, isHeaders: boolean): void {
    if (isHeaders) this.cleanMembers(object, depth, true);
    else {
      if ('value' in object || 'values' in object || 'val' in object) this.cleanLabelled(object);
      this.cleanMembers(object, depth, false);
    }
  }

  private cleanMembers(object: Record<string, unknown>, depth: number, isHeaders: boolean): void {
    for (const name in object) {
      this.members += 1;
      const value = object[name];
      if (value === null) continue;
      const verdict = isHeaders ? this.redactor.headerVerdict(name) : this.redactor.verdict(name);
      if (verdict === 'plain' && (isHeaders || !SIGNATURE.test(name))) {
        if (typeof value !== 'string' && typeof value !== 'object') continue;
        const clean = this.clean(value, depth, name);
        if (clean !== value) object[name] = clean;
      } else if (verdict === 'shown') {
        if (hasMembers(value)) this.members = Number.NaN;
      } else {
        this.hide(object, name);
      }
    }
  }

  /** `{ "name": "cookie", "value": "a=b" }` */
  private cleanLabelled(object: Record<string, unknown>): void {
    const isLabelled = LABELS.some((label) => this.isSecretName(object[label]));
    if (isLabelled) for (const name of VALUES) if (object[name] != null) this.hide(object, name);
  }

  /** `["cookie", "a=b"]`, also one after the other, as Node has raw headers. */
  private cleanArray(array: unknown[], depth: number): void {
    for (let index = 0; index < array.length; index += 1) {
      const value = array[index];
      if (this.isSecretName(value) && array[index + 1] != null) {
        this.hide(array as unknown as Record<string, unknown>, String((index += 1)));
        continue;
      }
      const clean = this.clean(value, depth, null);
      if (clean !== value) array[index] = clean;
    }
  }

  private isSecretName(value: unknown): boolean {
    return typeof value === 'string' && value.length <= 64 && this.redactor.verdict(value) === 'secret';
  }

  private hide(object: Record<string, unknown>, name: string): void {
    if (object[name] === REDACTED) return;
    object[name] = REDACTED;
    this.isChanged = true;
  }
}

/** Whether there may be members in a value that is not looked into: then nobody counts them. */
const hasMembers = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (!Array.isArray(value) || value.some((item) => typeof item === 'object'));

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
