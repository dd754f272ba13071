/**
 * Path to addresses in a JSON document, in the subset of JSONPath (RFC 9535) that published lists need.
 *
 * Evaluation time is proportional to the size of the document. Descendants, functions and expressions aren't supported,
 * and no step reaches a value twice.
 */
export type AddressPath = readonly Step[];

type Step =
  | { kind: 'all' }
  /** Object members by name, or array elements by zero-based index. */
  | { kind: 'keys'; keys: readonly (string | number)[] }
  /** Children whose member `name` equals `text`. */
  | { kind: 'equal'; name: string; text: string };

const MAX_PATHS = 10;
const SUPPORTED_SYNTAX = 'use only names, zero-based indices, [*] and [?@.name=="text"]';

/**
 * Parses comma-separated paths, such as `$.v4[*],$.v6[*]`.
 *
 * @throws {TypeError} with the invalid part, its position and the supported syntax.
 */
export function parseAddressPaths(source: string): AddressPath[] {
  return new PathParser(source).parsePaths();
}

/** Returns the values that a path matches. */
export function evaluateAddressPath(document: unknown, path: AddressPath): unknown[] {
  return path.reduce<unknown[]>((values, step) => values.flatMap((value) => applyStep(value, step)), [document]);
}

function applyStep(value: unknown, step: Step): unknown[] {
  if (!isObject(value)) return [];
  if (step.kind === 'all') return Object.values(value);
  if (step.kind === 'equal') {
    return Object.values(value).filter((member) => isObject(member) && getOwn(member, step.name) === step.text);
  }
  const applicableKeys = step.keys.filter((key) => (typeof key === 'number') === Array.isArray(value));
  return applicableKeys.filter((key) => Object.hasOwn(value, key)).map((key) => getOwn(value, key));
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const getOwn = (value: Record<string, unknown>, key: string | number): unknown =>
  Object.hasOwn(value, key) ? value[key] : undefined;

class PathParser {
  private position = 0;

  constructor(private readonly source: string) {}

  parsePaths(): AddressPath[] {
    const paths = [this.parsePath()];
    while (this.position < this.source.length) {
      this.require(/ *, */y);
      if (paths.length === MAX_PATHS) throw new TypeError(`has more than ${MAX_PATHS} paths`);
      paths.push(this.parsePath());
    }
    return paths;
  }

  private parsePath(): AddressPath {
    this.require(/ *\$/y);
    const steps: Step[] = [];
    for (;;) {
      const name = this.parseName();
      if (name !== null) steps.push({ kind: 'keys', keys: [name] });
      else if (this.match(/\.\*|\[ *\* *\]/y) !== null) steps.push({ kind: 'all' });
      else if (this.match(/\[ *\?/y) !== null) steps.push(this.parseComparison());
      else if (this.match(/\[/y) !== null) steps.push(this.parseKeys());
      else return steps;
    }
  }

  private parseKeys(): Step {
    const keys = new Set<string | number>();
    do keys.add(this.parseKey());
    while (this.match(/,/y) !== null);
    this.require(/\]/y);
    return { kind: 'keys', keys: [...keys] };
  }

  private parseKey(): string | number {
    this.match(/ +/y);
    const key = this.parseText() ?? Number(this.require(/(?:0|[1-9]\d{0,8})/y));
    this.match(/ +/y);
    return key;
  }

  /** Parses `@.name=="text"`, optionally in parentheses. */
  private parseComparison(): Step {
    const isInParentheses = this.match(/ *\( */y) !== null;
    this.require(/ *@/y);
    const name = this.parseName() ?? this.parseNameInBrackets();
    this.require(/ *== */y);
    const text = this.parseText() ?? this.fail();
    if (isInParentheses) this.require(/ *\)/y);
    this.require(/ *\]/y);
    return { kind: 'equal', name, text };
  }

  private parseName(): string | null {
    return this.match(/\.[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*/y)?.slice(1) ?? null;
  }

  private parseNameInBrackets(): string {
    this.require(/\[/y);
    const name = this.parseText() ?? this.fail();
    this.require(/\]/y);
    return name;
  }

  private parseText(): string | null {
    const quoted = this.match(/"(?:[^"\\]|\\["'\\/])*"|'(?:[^'\\]|\\["'\\/])*'/y);
    return quoted?.slice(1, -1).replace(/\\(.)/g, '$1') ?? null;
  }

  private require(sticky: RegExp): string {
    return this.match(sticky) ?? this.fail();
  }

  private match(sticky: RegExp): string | null {
    sticky.lastIndex = this.position;
    const [found] = sticky.exec(this.source) ?? [];
    this.position += found?.length ?? 0;
    return found ?? null;
  }

  private fail(): never {
    const found = this.source.slice(this.position, this.position + 20);
    const what = found === '' ? 'ends unexpectedly' : `has unexpected "${found}"`;
    throw new TypeError(`${what} at position ${this.position + 1}: ${SUPPORTED_SYNTAX}`);
  }
}
