import { blockKey, blockSizes, CHUNK_LINES, type Run } from './chunker.js';
import type { LogLine } from './log-line.js';
import { toVisit } from './log-visit.js';
import type { ImportSummary } from './summary.js';
import type { SendOutcome } from './visit-sender.js';

/** Bytes of JSON in a request; the instance takes 5 MiB. */
const MAX_BODY_BYTES = 4 * 1_024 * 1_024;

/** @param body JSON array of visits. */
export type Post = (body: string, key: string) => Promise<SendOutcome>;

/** What each line of a run says; null for a line that is not a visit. */
export type RunLines = (LogLine | null)[];

export const isLine = (line: LogLine | null): line is LogLine => line !== null;

export interface RunSenderOptions {
  post: Post;
  summary: ImportSummary;
  /** Whether the import ends, so that no further request is made. */
  isStopped: () => boolean;
}

/**
 * Sends the runs of logs as visits, in a way that records no line twice however often and however cut a log is
 * imported: again, after it has grown, or from its start after being followed line by line.
 *
 * Lines go out in blocks of 2^n lines, aligned to multiples of 2^n (whole chunks of 1,024 wherever there are that
 * many), and a block's idempotency key comes from its first line alone. The instance records nothing for a key it
 * knows, and refuses a known key with another body (422). So when a log that ended within a chunk has grown, the
 * first try, with a larger block, is refused; smaller ones are tried until the one that was recorded earlier is met,
 * which is a repeat; and the import goes on behind it. Nothing has to be remembered on this side, and a killed import
 * leaves nothing behind: its requests that are still on their way count as recorded earlier or as refused, whichever
 * comes first. The blocks of a chunk follow one another, so that what is recorded of it always is its start.
 *
 * - Lines that can't be read are skipped before a block starts, so that every block's first line is a visit.
 * - When no size fits, lines behind this one were changed since. This one itself was recorded then; the import goes
 *   on behind it, so that the changed lines are recorded, and those of the same block with them once more.
 * - So it also is with the start of a log that is imported as a file of its own after the whole: only its last,
 *   partial chunk is recorded again.
 */
export class RunSender {
  constructor(private readonly options: RunSenderOptions) {}

  /** Sends one run. @throws what `post` throws. */
  async send(name: string, run: Run, lines: RunLines): Promise<void> {
    // After a smaller block than possible was met, more such are likely: they are tried first.
    let likely = CHUNK_LINES;
    for (let at = 0; at < lines.length && !this.options.isStopped();) {
      if (lines[at] === null) {
        at += 1;
        continue;
      }
      const { size, metSmaller } = await this.sendBlock(name, run, lines, at, likely);
      likely = metSmaller ? size * 2 : Math.min(CHUNK_LINES, likely * 2);
      at += size;
    }
  }

  /** Sends the block that starts at `at`; returns its size in lines, and whether larger ones didn't pass. */
  private async sendBlock(name: string, run: Run, lines: RunLines, at: number, likely: number) {
    const { post, summary } = this.options;
    const start = run.start + at;
    let isTaken = false;
    let tooLarge = '';
    for (const size of likelyFirst(blockSizes(start, lines.length - at), likely)) {
      const block = lines.slice(at, at + size).filter(isLine);
      const body = JSON.stringify(block.map(toVisit));
      if (size > 1 && byteLength(body) > MAX_BODY_BYTES) continue;
      const outcome = await post(body, blockKey(start, run.lines[at]!));
      if (outcome.kind === 'accepted') {
        summary.addSent(block, outcome);
        return { size, metSmaller: isTaken || tooLarge !== '' };
      }
      if (outcome.kind === 'refused') {
        summary.addRefused(name, start + 1, start + size, block.length, outcome.reason);
        return { size, metSmaller: isTaken };
      }
      if (outcome.kind === 'too-large') tooLarge = outcome.reason;
      else isTaken = true;
    }
    if (isTaken) summary.addSent([lines[at]!], { rejected: 0, isRepeat: true });
    else summary.addRefused(name, start + 1, start + 1, 1, tooLarge);
    return { size: 1, metSmaller: false };
  }
}

/** Of the text as UTF-8; not encoded where it is small in any case. */
const byteLength = (text: string): number =>
  3 * text.length > MAX_BODY_BYTES ? new TextEncoder().encode(text).length : text.length;

/** Downwards from the likely size, then the larger ones: any order is sound, this one asks the least. */
function likelyFirst(sizes: number[], likely: number): number[] {
  return [...sizes.filter((size) => size <= likely), ...sizes.filter((size) => size > likely).toReversed()];
}
