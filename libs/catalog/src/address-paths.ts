/**
 * Path to addresses in a JSON document: the part of JSONPath (RFC 9535) that published lists need.
 *
 * Evaluation time is proportional to the document's size: there are no descendants, functions or expressions, and no
 * step reaches a value twice.
 */
export type AddressPath = readonly Step[];

type Step =
  | { kind: 'all' }
  /** Object members by name, array elements by zero-based position. */
  | { kind: 'keys'; keys: readonly (string | number)[] }
  /** Children whose member `name` equals `text`. */
  | { kind: 'equal'; name: string; text: string };

const MAX_PATHS = 10;
const REMEDY = 'write names, positions from 0, [*] and [?@.name=="text"]';

/**
 * Parses paths separated by commas, such as `$.v4[*],$.v6[*]`.
 *
 * @throws {TypeError} with the invalid part, its position and the supported syntax.
 */
export function readAddressPaths(source: string): AddressPath[] {
  return new PathParser(source).paths();
}

/** Returns the values at a path in a document. Empty if the path matches nothing. */
export function valuesAt(document: unknown, path: AddressPath): unknown[] {
  return path.reduce<unknown[]>((values, step) => values.flatMap((value) => membersOf(value, step)), [document]);
}

function membersOf(value: unknown, step: Step): unknown[] {
  if (!isObject(value)) return [];
  if (step.kind === 'all') return Object.values(value);
  if (step.kind === 'equal') {
    return Object.values(value).filter((member) => isObject(member) && own(member, step.name) === step.text);
  }
  const ofKind = step.keys.filter((key) => (typeof key === 'number') === Array.isArray(value));
  return ofKind.filter((key) => Object.hasOwn(value, key)).map((key) => own(value, key));
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const own = (value: Record<string, unknown>, key: string | number): unknown =>
  Object.hasOwn(value, key) ? value[key] : undefined;

class PathParser {
  private position = 0;

  constructor(private readonly source: string) {}

  paths(): AddressPath[] {
    const paths = [this.path()];
    while (this.position < this.source.length) {
      this.require(/ *, */y);
      if (paths.length === MAX_PATHS) throw new TypeError(`has more than ${MAX_PATHS} paths`);
      paths.push(this.path());
    }
    return paths;
  }

  private path(): AddressPath {
    this.require(/ *\$/y);
    const steps: Step[] = [];
    for (;;) {
      const name = this.name();
      if (name !== null) steps.push({ kind: 'keys', keys: [name] });
      else if (this.take(/\.\*|\[ *\* *\]/y) !== null) steps.push({ kind: 'all' });
      else if (this.take(/\[ *\?/y) !== null) steps.push(this.comparison());
      else if (this.take(/\[/y) !== null) steps.push(this.keys());
      else return steps;
    }
  }

  private keys(): Step {
    const keys = new Set<string | number>();
    do keys.add(this.key());
    while (this.take(/,/y) !== null);
    this.require(/\]/y);
    return { kind: 'keys', keys: [...keys] };
  }

  private key(): string | number {
    this.take(/ +/y);
    const key = this.text() ?? Number(this.require(/(?:0|[1-9]\d{0,8})/y));
    this.take(/ +/y);
    return key;
  }

  /** `@.name=="text"`, optionally in parentheses. */
  private comparison(): Step {
    const isInParentheses = this.take(/ *\( */y) !== null;
    this.require(/ *@/y);
    const name = this.name() ?? this.nameInBrackets();
    this.require(/ *== */y);
    const text = this.text() ?? this.refuse();
    if (isInParentheses) this.require(/ *\)/y);
    this.require(/ *\]/y);
    return { kind: 'equal', name, text };
  }

  private name(): string | null {
    return this.take(/\.[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*/y)?.slice(1) ?? null;
  }

  private nameInBrackets(): string {
    this.require(/\[/y);
    const name = this.text() ?? this.refuse();
    this.require(/\]/y);
    return name;
  }

  private text(): string | null {
    const quoted = this.take(/"(?:[^"\\]|\\["'\\/])*"|'(?:[^'\\]|\\["'\\/])*'/y);
    return quoted?.slice(1, -1).replace(/\\(.)/g, '$1') ?? null;
  }

  private require(sticky: RegExp): string {
    return this.take(sticky) ?? this.refuse();
  }

  private take(sticky: RegExp): string | null {
    sticky.lastIndex = this.position;
    const [found] = sticky.exec(this.source) ?? [];
    this.position += found?.length ?? 0;
    return found ?? null;
  }

  private refuse(): never {
    const found = this.source.slice(this.position, this.position + 20);
    const what = found === '' ? 'its end' : `"${found}"`;
    throw new TypeError(`has ${what} at position ${this.position + 1}: ${REMEDY}`);
  }
}
