/** How far an import was at a moment. */
interface Position {
  /** Milliseconds. */
  time: number;
  lines: number;
  bytes: number;
}

/** What the pace is measured over: long enough to smooth over batches, short enough to follow a wait or a resumption. */
const WINDOW_MS = 10_000;

/** How fast an import has been over the last seconds. */
export class Pace {
  private readonly positions: Position[];

  constructor(start: Position) {
    this.positions = [start];
  }

  add(position: Position): void {
    this.positions.push(position);
    while (this.positions.length > 2 && this.positions[1]!.time <= position.time - WINDOW_MS) this.positions.shift();
  }

  get linesPerSecond(): number {
    return this.perSecond('lines');
  }

  get bytesPerSecond(): number {
    return this.perSecond('bytes');
  }

  private perSecond(what: 'lines' | 'bytes'): number {
    const first = this.positions[0]!;
    const last = this.positions.at(-1)!;
    return ((last[what] - first[what]) / Math.max(last.time - first.time, 1)) * 1_000;
  }
}
