import { timeOfId, type EnrichedVisit } from '#libs/contracts';

/** Common part of many visits: the names in their order, and the identification. */
export interface VisitForm {
  /**
   * JSON with placeholders for the columns and the values of a visit, in the syntax of PostgreSQL's `format`: `%8$s`.
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
  /** Null if the limit on forms has been reached. */
  form: VisitForm | null;
  /** JSON array of the values, starting with the client address. An empty string if `form` is null. */
  values: string;
}

/** Piece of a template: placeholder number, negative code of a punctuation mark, name or constant value. */
type Piece = number | string | boolean | null;

/** Placeholders that the view `visits_full` fills from columns. */
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
/** Insights that are the same for many visits. Texts from visitors are values. */
const COMMON_INSIGHTS = new Set(['verdict', 'version', 'assistant', 'operator', 'source']);
/** Integers up to this value have the same text in PostgreSQL and JSON. */
const MAX_PLAIN_NUMBER = 1e9;
/**
 * Memory limit. Callers choose the names of headers and fields, so there could be any number of forms, of any
 * length.
 */
const MAX_BYTES = 20_000_000;
const MAX_BYTES_OF_VISIT = 100_000;
const NODE_BYTES = 100;

/** Node in a tree of pieces. The path from the root to a leaf is the template of a form. */
class FormNode implements VisitForm {
  recorded: RecordedForm | null = null;
  /** Most nodes have only one child, so they need no map. */
  private first: FormNode | null = null;
  private others: Map<Piece, FormNode> | null = null;

  constructor(
    private readonly parent: FormNode | null,
    private readonly piece: Piece,
  ) {}

  child(piece: Piece): FormNode | undefined {
    return this.first?.piece === piece ? this.first : this.others?.get(piece);
  }

  add(piece: Piece): FormNode {
    const node = new FormNode(this, piece);
    if (this.first === null) this.first = node;
    else (this.others ??= new Map()).set(piece, node);
    return node;
  }

  template(): string {
    return templateOf(this.path());
  }

  private path(): Piece[] {
    if (this.parent === null) return [];
    const pieces = this.parent.path();
    pieces.push(this.piece);
    return pieces;
  }
}

/** Splits visits into forms and values, and keeps the forms for reuse. */
export class VisitForms {
  private readonly root = new FormNode(null, null);
  private bytes = 0;
  private maxBytes = 0;
  /** Position in the tree for the current visit. Null if the limit is exceeded. */
  private node: FormNode | null = null;
  /** Reused for all visits. An array per visit would cause most of the allocations here. */
  private readonly values: unknown[] = [];
  private count = 0;
  private id = '';
  /** Cache, because visits of the same request have the same time of receipt. */
  private received = { time: Number.NaN, text: '' };

  /**
   * Splits a visit so that the view `visits_full` restores the same text. Anything that a column wouldn't restore
   * exactly becomes a value.
   */
  divide(visit: EnrichedVisit): DividedVisit {
    this.node = this.root;
    this.maxBytes = Math.min(MAX_BYTES, this.bytes + MAX_BYTES_OF_VISIT);
    this.values[0] = visit.client_address;
    this.count = 1;
    this.id = visit.id;
    this.object(visit, this.ofEnriched);
    this.values.length = this.count;
    return { form: this.node, values: this.node === null ? '' : JSON.stringify(this.values) };
  }

  private readonly ofEnriched = (name: string, value: unknown): void => {
    switch (name) {
      case 'id':
      case 'project_id':
        return this.column(name, value, value === (value as string).toLowerCase());
      case 'received_at':
        return this.column(name, value, value === this.timeInId());
      case 'occurred_at':
        return this.column(name, value, isExact(value as string));
      case 'client_address':
        return this.piece(CLIENT_ADDRESS);
      case 'visit':
        return this.object(value as object, this.ofVisit);
      case 'identification':
        return this.object(value as object, this.ofIdentification);
      case 'robots':
      case 'referral':
      case 'automation':
        return this.object(value as object, this.ofInsight);
      case 'reidentified':
        return this.object(value as object, this.ofReidentified);
      case 'kept_as':
        return this.common(value);
      default:
        return this.own(value);
    }
  };

  private readonly ofVisit = (name: string, value: unknown): void => {
    if (value === null) return this.piece(null);
    switch (name) {
      case 'request_path':
        return this.piece(COLUMNS.path);
      case 'response_status_code':
        return this.column('status', value, Number.isInteger(value) && (value as number) <= MAX_PLAIN_NUMBER);
      case 'mcp_request_tool_name':
        return this.piece(COLUMNS.mcp_tool);
      case 'request_headers':
      case 'response_headers':
        return this.object(value as object, this.ofHeaders);
      default:
        return this.own(value);
    }
  };

  private readonly ofHeaders = (_name: string, value: unknown): void => this.own(value);

  private readonly ofIdentification = (name: string, value: unknown): void =>
    name === 'evidence' ? this.object(value as object, this.ofEvidence) : this.common(value);

  private readonly ofReidentified = (name: string, value: unknown): void =>
    name === 'earlier' ? this.object(value as object, this.ofEnriched) : this.own(value);

  private readonly ofEvidence = (name: string, value: unknown): void => {
    if (name === 'address_origin') return this.object(value as object, this.ofStep);
    if (name !== 'steps') return this.common(value);
    this.piece(OPEN_ARRAY);
    for (const step of value as object[]) this.object(step, this.ofStep);
    this.piece(CLOSE_ARRAY);
  };

  private readonly ofStep = (name: string, value: unknown): void =>
    COMMON_EVIDENCE.has(name) ? this.common(value) : this.own(value);

  private readonly ofInsight = (name: string, value: unknown): void => {
    if (Array.isArray(value) && value.length === 0) {
      this.piece(OPEN_ARRAY);
      this.piece(CLOSE_ARRAY);
    } else if (COMMON_INSIGHTS.has(name)) this.common(value);
    else this.own(value);
  };

  private object(object: object, write: (name: string, value: unknown) => void): void {
    this.piece(OPEN);
    for (const name in object) {
      const value = (object as Record<string, unknown>)[name];
      if (value === undefined) continue;
      this.piece(name);
      write(name, value);
    }
    this.piece(CLOSE);
  }

  private timeInId(): string {
    const time = timeOfId(this.id);
    if (time !== this.received.time) this.received = { time, text: new Date(time).toISOString() };
    return this.received.text;
  }

  private column(name: keyof typeof COLUMNS, value: unknown, isExact: boolean): void {
    if (isExact) this.piece(COLUMNS[name]);
    else this.own(value);
  }

  /** Adds text that many visits have in common to the form. Anything else becomes a value. */
  private common(value: unknown): void {
    if (typeof value === 'string') this.piece(value);
    else this.own(value);
  }

  private own(value: unknown): void {
    if (value === null || typeof value === 'boolean') this.piece(value);
    else if (value === this.values[0]) this.piece(CLIENT_ADDRESS);
    else {
      this.values[this.count] = value;
      this.count += 1;
      this.piece(CLIENT_ADDRESS - 1 + this.count);
    }
  }

  private piece(piece: Piece): void {
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
 * Returns whether PostgreSQL restores exactly this text of a time. That requires UTC with milliseconds, and a year from
 * 1970, before which its result is inexact.
 */
const isExact = (time: string): boolean =>
  time.length === 24 && time[10] === 'T' && time[19] === '.' && time[22] !== ' ' && time[23] === 'Z' && time >= '1970';

function templateOf(pieces: readonly Piece[]): string {
  let template = '';
  let previous: Piece = null;
  /** Names and values alternate. */
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
