import type { Visit } from '#libs/contracts';
import { blockKey, blockSizes, CHUNK_LINES, type Run } from './chunker.js';
import { parseLine, type LogFormat } from './line-parser.js';
import { toVisit } from './log-visit.js';
import type { ImportSummary } from './summary.js';
import type { SendOutcome } from './visit-sender.js';

/** Bytes of JSON in a request; the instance takes 5 MiB. */
const MAX_BODY_BYTES = 4 * 1_024 * 1_024;

interface ParsedVisit {
  json: string;
  userAgent: string | undefined;
}

export interface ImporterOptions {
  format: LogFormat;
  /** Requests in flight. */
  concurrency: number;
  post: (body: string, key: string) => Promise<SendOutcome>;
  summary: ImportSummary;
  signal: AbortSignal;
}

/**
 * Sends the lines of logs as visits, in a way that records no line twice however often and however cut a log is
 * imported: again, after it has grown, or from its start after being followed line by line.
 *
 * Lines go out in blocks of 2^n lines, aligned to multiples of 2^n (whole chunks of 1,024 wherever there are that
 * many), and a block's idempotency key comes from its first line alone. The instance records nothing for a key it
 * knows, and refuses a known key with another body (422). So when a log that ended within a chunk has grown, the
 * first try, with a larger block, is refused; smaller ones are tried until the one that was recorded earlier is met,
 * which is a repeat; and the import goes on behind it. Nothing has to be remembered on this side.
 *
 * - Lines that can't be read are skipped before a block starts, so that every block's first line is a visit.
 * - When no size fits, lines behind this one were changed since. This one itself was recorded then; the import goes
 *   on behind it, so that the changed lines are recorded, and those of the same block with them once more.
 * - So it also is with the start of a log that is imported as a file of its own after the whole: only its last,
 *   partial chunk is recorded again.
 */
export class LogImporter {
  private readonly inFlight = new Set<Promise<void>>();
  private readonly failure = new AbortController();

  constructor(private readonly options: ImporterOptions) {}

  /** Aborted when the import ends, because it was interrupted or failed: nothing more needs to be read. */
  get ended(): AbortSignal {
    return AbortSignal.any([this.failure.signal, this.options.signal]);
  }

  /** Sends one log's runs. @throws what ends the import for good; requests in flight have ended by then. */
  async import(name: string, runs: AsyncIterable<Run>): Promise<void> {
    try {
      for await (const run of runs) {
        if (this.stopped) break;
        const visits = this.parse(name, run);
        while (this.inFlight.size >= this.options.concurrency) await Promise.race(this.inFlight);
        if (this.stopped) break;
        this.start(name, run, visits);
      }
    } finally {
      await Promise.all(this.inFlight);
    }
    this.failure.signal.throwIfAborted();
  }

  private get stopped(): boolean {
    return this.failure.signal.aborted || this.options.signal.aborted;
  }

  private start(name: string, run: Run, visits: (ParsedVisit | null)[]): void {
    const task = this.sendRun(name, run, visits)
      .catch((error: unknown) => {
        if (!this.stopped) this.failure.abort(error);
      })
      .finally(() => this.inFlight.delete(task));
    this.inFlight.add(task);
  }

  private parse(name: string, run: Run): (ParsedVisit | null)[] {
    return run.lines.map((text, index) => {
      const parsed = text.trim() === '' ? null : parseLine(text, this.options.format, !run.unfinished);
      if (parsed === null) this.options.summary.addBlank();
      else if ('reason' in parsed) this.options.summary.addUnreadable(name, run.start + index + 1, parsed.reason, text);
      else {
        const visit: Visit = toVisit(parsed.line);
        this.options.summary.addReadable(visit);
        return { json: JSON.stringify(visit), userAgent: parsed.line.userAgent };
      }
      return null;
    });
  }

  private async sendRun(name: string, run: Run, visits: (ParsedVisit | null)[]): Promise<void> {
    // After a smaller block than possible was met, more such are likely: they are tried first.
    let likely = CHUNK_LINES;
    for (let at = 0; at < visits.length && !this.stopped;) {
      if (visits[at] === null) {
        at += 1;
        continue;
      }
      const { size, metSmaller } = await this.sendBlock(name, run, visits, at, likely);
      likely = metSmaller ? size * 2 : Math.min(CHUNK_LINES, likely * 2);
      at += size;
    }
  }

  /** Sends the block that starts at `at`; returns its size in lines, and whether larger ones didn't pass. */
  private async sendBlock(name: string, run: Run, visits: (ParsedVisit | null)[], at: number, likely: number) {
    const { post, summary } = this.options;
    const start = run.start + at;
    let isTaken = false;
    let tooLarge = '';
    for (const size of likelyFirst(blockSizes(start, visits.length - at), likely)) {
      const block = visits.slice(at, at + size).filter((visit) => visit !== null);
      const body = `[${block.map(({ json }) => json).join(',')}]`;
      if (size > 1 && Buffer.byteLength(body) > MAX_BODY_BYTES) continue;
      const outcome = await post(body, blockKey(start, run.lines[at]!));
      if (outcome.kind === 'accepted') {
        summary.addSent(block, outcome.rejected);
        return { size, metSmaller: isTaken || tooLarge !== '' };
      }
      if (outcome.kind === 'refused') {
        summary.addRefused(name, start + 1, start + size, block.length, outcome.reason);
        return { size, metSmaller: isTaken };
      }
      if (outcome.kind === 'too-large') tooLarge = outcome.reason;
      else isTaken = true;
    }
    if (isTaken) summary.addSent([visits[at]!], 0);
    else summary.addRefused(name, start + 1, start + 1, 1, tooLarge);
    return { size: 1, metSmaller: false };
  }
}

/** Downwards from the likely size, then the larger ones: any order is sound, this one asks the least. */
function likelyFirst(sizes: number[], likely: number): number[] {
  return [...sizes.filter((size) => size <= likely), ...sizes.filter((size) => size > likely).toReversed()];
}
