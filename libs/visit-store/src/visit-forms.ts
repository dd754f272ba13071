import { getTimeFromId, type EnrichedVisit } from '#libs/contracts';

/** Document parts that many visits share: the field names, in their order, and the identification. */
export interface VisitForm {
  /**
   * Returns the form as JSON with placeholders such as `%8$s`, in the syntax of PostgreSQL's `format`. They stand for a
   * visit's columns and values.
   */
  template(): string;
  recorded: RecordedForm | null;
}

export interface RecordedForm {
  id: number;
  /** SHA-256 of the template. */
  digest: Buffer;
}

export interface DividedVisit {
  /** The visit's form, or null if no more forms can be created, so the visit is stored as an entire document. */
  form: VisitForm | null;
  /** JSON array of the values, starting with the client address. Empty string if `form` is null. */
  values: string;
}

/** Piece of a template: a placeholder number, a punctuation mark as a negative code, a name, or a constant value. */
type Piece = number | string | boolean | null;

/** Placeholder numbers that the `visits_full` view fills with columns. */
const COLUMNS = { id: 1, project_id: 2, received_at: 3, occurred_at: 4, path: 5, status: 6, mcp_tool: 7 } as const;
const CLIENT_ADDRESS = 8;
const OPEN = -1;
const CLOSE = -2;
const OPEN_ARRAY = -3;
const CLOSE_ARRAY = -4;
const PUNCTUATION = ['{', '}', '[', ']'];
const COMMON_EVIDENCE = new Set([
  'method',
  'outcome',
  'reason',
  'label',
  'key_id',
  'algorithm',
  'signature_agent',
  'directory_url',
  'agent_token',
  'list_url',
  'operator_name',
]);
/** Insights that many visits share. Text from visitors is stored as a value instead. */
const COMMON_INSIGHTS = new Set(['verdict', 'version', 'assistant', 'operator', 'source']);
/** Integers up to this value have the same text form in PostgreSQL and JSON. */
const MAX_PLAIN_NUMBER = 1e9;
/**
 * Memory limit for the tree. Callers choose the names of headers and fields, so the number and size of forms would
 * otherwise be unbounded.
 */
const MAX_BYTES = 20_000_000;
const MAX_BYTES_PER_VISIT = 100_000;
const NODE_BYTES = 100;

/** Node in a tree of pieces. The path from the root to a leaf is a form's template. */
class FormNode implements VisitForm {
  recorded: RecordedForm | null = null;
  /** Stored separately from other children, because most nodes have only one child and don't need a map. */
  private firstChild: FormNode | null = null;
  private otherChildren: Map<Piece, FormNode> | null = null;

  constructor(
    private readonly parent: FormNode | null,
    private readonly piece: Piece,
  ) {}

  child(piece: Piece): FormNode | undefined {
    return this.firstChild?.piece === piece ? this.firstChild : this.otherChildren?.get(piece);
  }

  add(piece: Piece): FormNode {
    const node = new FormNode(this, piece);
    if (this.firstChild === null) this.firstChild = node;
    else (this.otherChildren ??= new Map()).set(piece, node);
    return node;
  }

  template(): string {
    return buildTemplate(this.path());
  }

  private path(): Piece[] {
    if (this.parent === null) return [];
    const pieces = this.parent.path();
    pieces.push(this.piece);
    return pieces;
  }
}

/** Splits visits into forms and values, and caches the forms. */
export class VisitForms {
  private readonly root = new FormNode(null, null);
  private bytes = 0;
  private maxBytes = 0;
  /** Position in the tree for the current visit. Null if the limit was reached. */
  private node: FormNode | null = null;
  /** Reused for all visits. A new array per visit would cause most of this class's allocations. */
  private readonly values: unknown[] = [];
  private count = 0;
  private id = '';
  /** Cached because visits from the same request share their time of receipt. */
  private received = { time: Number.NaN, text: '' };

  /**
   * Splits a visit so that the `visits_full` view restores exactly the same text. A field that its column wouldn't
   * restore exactly is stored as a value.
   */
  divide(visit: EnrichedVisit): DividedVisit {
    this.node = this.root;
    this.maxBytes = Math.min(MAX_BYTES, this.bytes + MAX_BYTES_PER_VISIT);
    this.values[0] = visit.client_address;
    this.count = 1;
    this.id = visit.id;
    this.writeObject(visit, this.writeEnrichedVisit);
    this.values.length = this.count;
    return { form: this.node, values: this.node === null ? '' : JSON.stringify(this.values) };
  }

  private readonly writeEnrichedVisit = (name: string, value: unknown): void => {
    switch (name) {
      case 'id':
      case 'project_id':
        return this.writeColumn(name, value, value === (value as string).toLowerCase());
      case 'received_at':
        return this.writeColumn(name, value, value === this.timeInId());
      case 'occurred_at':
        return this.writeColumn(name, value, isExact(value as string));
      case 'client_address':
        return this.writePiece(CLIENT_ADDRESS);
      case 'visit':
        return this.writeObject(value as object, this.writeVisit);
      case 'identification':
        return this.writeObject(value as object, this.writeIdentification);
      case 'robots':
      case 'referral':
      case 'automation':
        return this.writeObject(value as object, this.writeInsight);
      case 'reidentified':
        return this.writeObject(value as object, this.writeReidentified);
      case 'kept_as':
        return this.writeShared(value);
      default:
        return this.writeValue(value);
    }
  };

  private readonly writeVisit = (name: string, value: unknown): void => {
    if (value === null) return this.writePiece(null);
    switch (name) {
      case 'request_path':
        return this.writePiece(COLUMNS.path);
      case 'response_status_code':
        return this.writeColumn('status', value, Number.isInteger(value) && (value as number) <= MAX_PLAIN_NUMBER);
      case 'response_size_type':
      case 'response_cache':
        return this.writeShared(value);
      case 'mcp_request_tool_name':
        return this.writePiece(COLUMNS.mcp_tool);
      case 'request_headers':
      case 'response_headers':
        return this.writeObject(value as object, this.writeHeader);
      default:
        return this.writeValue(value);
    }
  };

  private readonly writeHeader = (_name: string, value: unknown): void => this.writeValue(value);

  private readonly writeIdentification = (name: string, value: unknown): void =>
    name === 'evidence' ? this.writeObject(value as object, this.writeEvidence) : this.writeShared(value);

  private readonly writeReidentified = (name: string, value: unknown): void =>
    name === 'earlier' ? this.writeObject(value as object, this.writeEnrichedVisit) : this.writeValue(value);

  private readonly writeEvidence = (name: string, value: unknown): void => {
    if (name === 'address_origin') return this.writeObject(value as object, this.writeStep);
    if (name !== 'steps') return this.writeShared(value);
    this.writePiece(OPEN_ARRAY);
    for (const step of value as object[]) this.writeObject(step, this.writeStep);
    this.writePiece(CLOSE_ARRAY);
  };

  private readonly writeStep = (name: string, value: unknown): void =>
    COMMON_EVIDENCE.has(name) ? this.writeShared(value) : this.writeValue(value);

  private readonly writeInsight = (name: string, value: unknown): void => {
    if (Array.isArray(value) && value.length === 0) {
      this.writePiece(OPEN_ARRAY);
      this.writePiece(CLOSE_ARRAY);
    } else if (COMMON_INSIGHTS.has(name)) this.writeShared(value);
    else this.writeValue(value);
  };

  private writeObject(object: object, write: (name: string, value: unknown) => void): void {
    this.writePiece(OPEN);
    for (const name in object) {
      const value = (object as Record<string, unknown>)[name];
      if (value === undefined) continue;
      this.writePiece(name);
      write(name, value);
    }
    this.writePiece(CLOSE);
  }

  private timeInId(): string {
    const time = getTimeFromId(this.id);
    if (time !== this.received.time) this.received = { time, text: new Date(time).toISOString() };
    return this.received.text;
  }

  private writeColumn(name: keyof typeof COLUMNS, value: unknown, isExact: boolean): void {
    if (isExact) this.writePiece(COLUMNS[name]);
    else this.writeValue(value);
  }

  /** Adds a text that many visits share to the form itself. A value that isn't text is written as an ordinary value. */
  private writeShared(value: unknown): void {
    if (typeof value === 'string') this.writePiece(value);
    else this.writeValue(value);
  }

  private writeValue(value: unknown): void {
    if (value === null || typeof value === 'boolean') this.writePiece(value);
    else if (value === this.values[0]) this.writePiece(CLIENT_ADDRESS);
    else {
      this.values[this.count] = value;
      this.count += 1;
      this.writePiece(CLIENT_ADDRESS - 1 + this.count);
    }
  }

  private writePiece(piece: Piece): void {
    if (this.node !== null) this.node = this.node.child(piece) ?? this.add(this.node, piece);
  }

  private add(node: FormNode, piece: Piece): FormNode | null {
    const bytes = this.bytes + NODE_BYTES + (typeof piece === 'string' ? piece.length : 0);
    if (bytes > this.maxBytes) return null;
    this.bytes = bytes;
    return node.add(piece);
  }
}

/**
 * Returns true if PostgreSQL restores exactly this text from a timestamp. Requires UTC with milliseconds and a time
 * since 1970, because PostgreSQL's results for earlier times are inexact.
 */
const isExact = (time: string): boolean =>
  time.length === 24 && time[10] === 'T' && time[19] === '.' && time[22] !== ' ' && time[23] === 'Z' && time >= '1970';

function buildTemplate(pieces: readonly Piece[]): string {
  let template = '';
  let previous: Piece = null;
  /** Whether the piece is a name. Within an object, names and values alternate. */
  let isName = false;
  for (const piece of pieces) {
    if (typeof piece === 'number') {
      if (piece === OPEN && previous === CLOSE) template += ',';
      template += piece < 0 ? PUNCTUATION[-1 - piece] : `%${piece}$s`;
      isName = true;
    } else {
      if (isName && previous !== OPEN) template += ',';
      template += JSON.stringify(piece).replaceAll('%', '%%');
      if (isName) template += ':';
      isName = !isName;
    }
    previous = piece;
  }
  return template;
}
