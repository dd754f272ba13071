interface Position {
  /** Time in milliseconds, from any clock. */
  time: number;
  lines: number;
  bytes: number;
}

/** Averaging period. Long enough to smooth out batches, and short enough to show that an import pauses or resumes. */
const WINDOW_MS = 10_000;

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
