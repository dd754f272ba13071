import { v4 } from 'uuid';
import type { VisitLine } from './line-repeats.js';
import type { ImportSummary } from './summary.js';
import type { SendOutcome } from './visit-sender.js';

/** Bytes of JSON in a request; the instance takes 5 MiB. */
const MAX_BODY_BYTES = 4 * 1_024 * 1_024;
/** Characters of a header that all proxies take. */
const MAX_HEADER_LENGTH = 3_500;

/**
 * @param body JSON array of visits.
 * @param headers that make a repeat of the request harmless.
 */
export type Post = (body: string, headers: Record<string, string>) => Promise<SendOutcome>;

interface RunSenderOptions {
  post: Post;
  summary: ImportSummary;
  /** Whether the import ends, so that no further request is made. */
  isStopped: () => boolean;
}

/**
 * Sends lines of logs as visits. The instance identifies each line by its content, so that nothing is recorded twice however often
 * and however cut a log is imported, and nothing has to be remembered on this side.
 */
export class RunSender {
  /** Distinguishes lines that were recorded by this run from those of earlier ones, which are counted. */
  private readonly importId = v4();

  constructor(private readonly options: RunSenderOptions) {}

  /** Sends lines of a log, in halves if they're too large. @throws what `post` throws. */
  async send(name: string, lines: readonly VisitLine[]): Promise<void> {
    const { post, summary, isStopped } = this.options;
    if (lines.length === 0 || isStopped()) return;
    const body = `[${lines.map(({ json }) => json).join(',')}]`;
    const header = this.headerOf(lines);
    const isDivisible = lines.length > 1;
    const isTooLarge = isDivisible && (header.length > MAX_HEADER_LENGTH || byteLength(body) > MAX_BODY_BYTES);
    const outcome: SendOutcome = isTooLarge
      ? { kind: 'too-large', reason: '' }
      : await post(body, { 'agent-traffic-import': header });
    if (outcome.kind === 'accepted') {
      summary.addSent(
        lines.map(({ line }) => line),
        outcome,
      );
    } else if (outcome.kind === 'too-large' && isDivisible) {
      const middle = lines.length >> 1;
      await this.send(name, lines.slice(0, middle));
      await this.send(name, lines.slice(middle));
    } else summary.addRefused(name, lines[0]!.number, lines.at(-1)!.number, lines.length, outcome.reason);
  }

  private headerOf(lines: readonly VisitLine[]): string {
    let header = this.importId;
    for (const [index, { repeats }] of lines.entries()) if (repeats > 0) header += ` ${index}:${repeats}`;
    return header;
  }
}

/** Of the text as UTF-8; not encoded where it is small in any case. */
const byteLength = (text: string): number =>
  3 * text.length > MAX_BODY_BYTES ? new TextEncoder().encode(text).length : text.length;
