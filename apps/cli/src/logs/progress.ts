import { SingleBar } from 'cli-progress';
import { Pace } from '#libs/access-log';
import { count, plural } from '../terminal-text.js';

interface ProgressState {
  /** Number of file bytes processed, before decompression. */
  bytes: number;
  /** Total size in bytes, or undefined if it's unknown, as for standard input. */
  totalBytes: number | undefined;
  /** Number of lines recorded, rejected or unreadable. */
  lines: number;
  /** Additional status, such as the reason for a wait. */
  note: string;
}

const BAR_INTERVAL_MS = 200;
const LINE_INTERVAL_MS = 3_000;

/** Reports an import's progress on standard error: a bar on a terminal, otherwise a line every few seconds. */
export class Progress {
  private readonly pace: Pace;
  private readonly bar: SingleBar | undefined;
  private timer: NodeJS.Timeout | undefined;
  private shown = '';

  constructor(
    private readonly state: () => ProgressState,
    private readonly stream: NodeJS.WriteStream = process.stderr,
  ) {
    this.pace = new Pace({ ...state(), time: Date.now() });
    if (stream.isTTY && state().totalBytes) {
      const format = '{bar} {percentage}%  {progress}';
      this.bar = new SingleBar({ format, stream, barsize: 24, hideCursor: true, clearOnComplete: true, fps: 10 });
    }
  }

  start(): void {
    this.bar?.start(this.state().totalBytes ?? 0, 0, { progress: '' });
    this.timer = setInterval(() => this.show(), this.bar ? BAR_INTERVAL_MS : LINE_INTERVAL_MS);
  }

  stop(): void {
    clearInterval(this.timer);
    this.bar?.stop();
  }

  private show(): void {
    const state = this.state();
    this.pace.add({ ...state, time: Date.now() });
    const text = progressText(state, this.pace);
    if (this.bar) this.bar.update(Math.min(state.bytes, state.totalBytes ?? 0), { progress: text });
    else if (this.shown !== (this.shown = `${state.lines} ${state.note}`)) this.stream.write(`${text}\n`);
  }
}

/** Formats a status such as `12,000 lines  3,210 lines/s  42 s left`. Omits the remaining time if it's unknown. */
export function progressText(state: ProgressState, pace: Pick<Pace, 'linesPerSecond' | 'bytesPerSecond'>): string {
  const parts = [plural(state.lines, 'line'), `${count(Math.round(pace.linesPerSecond))} lines/s`];
  if (state.totalBytes !== undefined && pace.bytesPerSecond > 0 && state.bytes < state.totalBytes) {
    parts.push(`${duration((state.totalBytes - state.bytes) / pace.bytesPerSecond)} left`);
  }
  if (state.note !== '') parts.push(state.note);
  return parts.join('  ');
}

/** Formats a duration as `42 s`, `3:05 min` or `1:02 h`. */
function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const [large, small, unit] = seconds < 3_600 ? [seconds / 60, seconds, 'min'] : [seconds / 3_600, seconds / 60, 'h'];
  return `${Math.floor(large)}:${String(Math.floor(small % 60)).padStart(2, '0')} ${unit}`;
}
