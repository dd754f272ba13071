import type { Run } from './chunker.js';
import type { LogFormat } from './formats/log-format.js';
import { RunLines, type VisitLine } from './line-repeats.js';
import type { LogLine } from './log-line.js';
import { LogParser } from './log-parser.js';
import { toVisit } from './log-visit.js';
import { RunSender, type Post } from './run-sender.js';
import type { ImportSummary } from './summary.js';

interface ImporterOptions {
  /** Null to detect the format of each line. */
  format: LogFormat | null;
  /** Time in milliseconds since the epoch. Older lines are left out. */
  since?: number;
  /** Number of logs to import. Default: 1. */
  logs?: number;
  /** Maximum number of requests in flight. */
  concurrency: number;
  /** Omit it for a dry run, which only reads and counts lines. */
  post?: Post;
  summary: ImportSummary;
  signal: AbortSignal;
}

interface ReadLine {
  line: LogLine;
  /** 1-based line number in the log. */
  number: number;
}

/** Reads logs and sends their lines as visits. Runs are sent concurrently, so they can arrive in any order. */
export class LogImporter {
  private readonly inFlight = new Set<Promise<void>>();
  private readonly failure = new AbortController();
  private readonly sender: RunSender | undefined;
  private readonly lines: RunLines;

  constructor(private readonly options: ImporterOptions) {
    const { post, summary, logs = 1 } = options;
    this.lines = new RunLines(logs > 1);
    this.sender = post && new RunSender({ post, summary, isStopped: () => this.isStopped });
  }

  /** Aborted when the import fails or is interrupted, so that readers stop. */
  get ended(): AbortSignal {
    return AbortSignal.any([this.failure.signal, this.options.signal]);
  }

  /**
   * Sends all runs of a log.
   *
   * @throws the error that ended the import, once all in-flight requests have finished.
   */
  async import(name: string, runs: AsyncIterable<Run>): Promise<void> {
    const { summary, concurrency } = this.options;
    const log = this.lines.startLog();
    let parser = new LogParser(this.options.format);
    try {
      for await (const run of runs) {
        if (this.isStopped) break;
        if (run.start === 0) parser = new LogParser(this.options.format);
        const readLines = this.parse(parser, name, run);
        if (this.sender === undefined) {
          summary.addSent(
            readLines.map(({ line }) => line),
            { rejected: 0, repeated: 0 },
          );
          summary.addDone(run);
          continue;
        }
        const lines = log.count(readLines.map(visitLine));
        summary.addRepeated(readLines.length - lines.length);
        while (this.inFlight.size >= concurrency) await Promise.race(this.inFlight);
        if (this.isStopped) break;
        this.start(run, this.sender.send(name, lines));
      }
    } finally {
      await Promise.all(this.inFlight);
    }
    this.failure.signal.throwIfAborted();
  }

  private get isStopped(): boolean {
    return this.failure.signal.aborted || this.options.signal.aborted;
  }

  private start(run: Run, sending: Promise<void>): void {
    const task = this.finish(run, sending).finally(() => this.inFlight.delete(task));
    this.inFlight.add(task);
  }

  private async finish(run: Run, sending: Promise<void>): Promise<void> {
    try {
      await sending;
      if (!this.isStopped) this.options.summary.addDone(run);
    } catch (error) {
      if (!this.isStopped) this.failure.abort(error);
    }
  }

  private parse(parser: LogParser, name: string, run: Run): ReadLine[] {
    const { summary, since = -Infinity } = this.options;
    const readLines: ReadLine[] = [];
    for (const [index, text] of run.lines.entries()) {
      const number = run.start + index + 1;
      const parsed = text.trim() === '' ? null : parser.read(text, !run.unfinished);
      if (parsed === null) summary.addBlank();
      else if ('reason' in parsed) summary.addUnreadable(name, number, parsed.reason, text);
      else if ('leftOut' in parsed) summary.addLeftOut(parsed.leftOut);
      else if (since > -Infinity && Date.parse(parsed.line.time) < since) summary.addLeftOut('older than --since');
      else {
        summary.addReadable(parsed.line, parser.lastFormat);
        readLines.push({ line: parsed.line, number });
      }
    }
    return readLines;
  }
}

const visitLine = ({ line, number }: ReadLine): VisitLine => ({
  line,
  number,
  json: JSON.stringify(toVisit(line)),
  repeats: 0,
});
