import { SingleBar } from 'cli-progress';

const MEGABYTE = 1e6;
const LINE_INTERVAL_MS = 3_000;

/** Reports progress on standard error: a bar on a terminal, otherwise a line every few seconds. */
export class ByteProgress {
  private done = 0;
  private readonly bar: SingleBar | undefined;
  private timer: NodeJS.Timeout | undefined;

  /** @param label Label in front of the completed size, such as `Saved`. */
  constructor(
    private readonly label: string,
    private readonly stream: NodeJS.WriteStream = process.stderr,
  ) {
    if (!stream.isTTY) return;
    const format = '{bar} {percentage}%  {value} of {total} MB';
    this.bar = new SingleBar({ format, stream, barsize: 24, hideCursor: true, clearOnComplete: true, fps: 10 });
  }

  /** @param total Approximate size in bytes. */
  readonly start = (total: number): void => {
    if (this.bar) this.bar.start(megabytes(total), 0);
    else {
      const show = (): void =>
        void this.stream.write(`${this.label} ${megabytes(this.done)} of ${megabytes(total)} MB\n`);
      this.timer = setInterval(show, LINE_INTERVAL_MS);
    }
  };

  readonly add = (bytes: number): void => {
    this.done += bytes;
    this.bar?.update(megabytes(this.done));
  };

  stop(): void {
    clearInterval(this.timer);
    this.bar?.stop();
  }
}

export const megabytes = (bytes: number): number => Math.ceil(bytes / MEGABYTE);
