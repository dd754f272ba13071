import { CHUNK_LINES, type Run } from './chunker.js';
import type { LogFormat } from './formats/log-format.js';
import type { ParsedLine } from './log-line.js';
import { LogParser } from './log-parser.js';
import { isLine, RunSender, type Post, type RunLines } from './run-sender.js';
import type { ImportSummary } from './summary.js';

export interface ImporterOptions {
  /** Null to tell it from the lines. */
  format: LogFormat | null;
  /**
   * Milliseconds since 1970: whole chunks of lines that are all older are left out. Parts of a chunk are not, so that a block
   * always starts where it would without this, and no line is recorded twice.
   */
  since?: number;
  /** Requests in flight. */
  concurrency: number;
  /** Absent for a dry run: lines are read and counted, and nothing is sent. */
  post?: Post;
  summary: ImportSummary;
  signal: AbortSignal;
}

/**
 * Reads the lines of logs and sends them as visits, a bounded number of runs at a time. Chunks are sent in any order. Runs
 * of the same chunk, which a pause and an unfinished line make, follow one another: a later import may send the chunk as a
 * whole, so that no part of it may be recorded while one before it is not.
 */
export class LogImporter {
  private readonly inFlight = new Set<Promise<void>>();
  private readonly failure = new AbortController();
  private readonly sender: RunSender | undefined;

  constructor(private readonly options: ImporterOptions) {
    const { post, summary } = options;
    this.sender = post && new RunSender({ post, summary, isStopped: () => this.isStopped });
  }

  /** Aborted when the import ends, because it was interrupted or failed: nothing more needs to be read. */
  get ended(): AbortSignal {
    return AbortSignal.any([this.failure.signal, this.options.signal]);
  }

  /** Sends one log's runs. @throws what ends the import for good; requests in flight have ended by then. */
  async import(name: string, runs: AsyncIterable<Run>): Promise<void> {
    let previous: Promise<void> | undefined;
    let parser = new LogParser(this.options.format);
    try {
      for await (const run of runs) {
        if (this.isStopped) break;
        if (run.start === 0) parser = new LogParser(this.options.format);
        const lines = this.parse(parser, name, run);
        if (this.sender === undefined) {
          this.options.summary.addSent(lines.filter(isLine), { rejected: 0, isRepeat: false });
          this.options.summary.addDone(run);
          continue;
        }
        if (run.start % CHUNK_LINES !== 0) await previous;
        while (this.inFlight.size >= this.options.concurrency) await Promise.race(this.inFlight);
        if (this.isStopped) break;
        previous = this.start(run, this.sender.send(name, run, lines));
      }
    } finally {
      await Promise.all(this.inFlight);
    }
    this.failure.signal.throwIfAborted();
  }

  private get isStopped(): boolean {
    return this.failure.signal.aborted || this.options.signal.aborted;
  }

  private start(run: Run, sending: Promise<void>): Promise<void> {
    const task = this.finish(run, sending).finally(() => this.inFlight.delete(task));
    this.inFlight.add(task);
    return task;
  }

  private async finish(run: Run, sending: Promise<void>): Promise<void> {
    try {
      await sending;
      if (!this.isStopped) this.options.summary.addDone(run);
    } catch (error) {
      if (!this.isStopped) this.failure.abort(error);
    }
  }

  private parse(parser: LogParser, name: string, run: Run): RunLines {
    const { summary } = this.options;
    const parsed = run.lines.map((text) => ({
      line: text.trim() === '' ? null : parser.read(text, !run.unfinished),
      format: parser.lastFormat,
    }));
    const isOld = this.isOld(
      run,
      parsed.map(({ line }) => line),
    );
    return parsed.map(({ line, format }, index) => {
      if (line === null) summary.addBlank();
      else if ('reason' in line) summary.addUnreadable(name, run.start + index + 1, line.reason, run.lines[index]!);
      else if ('leftOut' in line) summary.addLeftOut(line.leftOut);
      else if (isOld) summary.addLeftOut('older than --since');
      else {
        summary.addReadable(line.line, format);
        return line.line;
      }
      return null;
    });
  }

  /** Whether the run is a whole chunk, and all its lines are older than what is asked for. */
  private isOld(run: Run, parsed: readonly (ParsedLine | null)[]): boolean {
    const { since } = this.options;
    if (since === undefined || run.lines.length < CHUNK_LINES) return false;
    return parsed.every((line) => line === null || !('line' in line) || Date.parse(line.line.time) < since);
  }
}
