import { v4 } from 'uuid';
import type { VisitLine } from './line-repeats.js';
import type { ImportSummary } from './summary.js';
import type { SendOutcome } from './visit-sender.js';

/** Maximum size of a request body in bytes. Instances accept 5 MiB. */
const MAX_BODY_BYTES = 4 * 1_024 * 1_024;
/** Maximum header length that all common proxies accept, in characters. */
const MAX_HEADER_LENGTH = 3_500;

/**
 * @param body JSON array of visits.
 * @param headers Headers that make the request safe to repeat.
 */
export type Post = (body: string, headers: Record<string, string>) => Promise<SendOutcome>;

interface RunSenderOptions {
  post: Post;
  summary: ImportSummary;
  /** Returns true once the import has failed or been interrupted, so that no more requests are sent. */
  isStopped: () => boolean;
}

/**
 * Sends log lines as visits.
 *
 * Instances identify a line by its content. Importing a log again, even in different parts, therefore doesn't record its
 * lines twice. No state is stored locally.
 */
export class RunSender {
  /** Distinguishes lines recorded by this run from lines recorded earlier, which count as repeated. */
  private readonly importId = v4();

  constructor(private readonly options: RunSenderOptions) {}

  /**
   * Sends lines from a log. Splits them in half if the request would be too large.
   *
   * @throws any error that `post` throws.
   */
  async send(name: string, lines: readonly VisitLine[]): Promise<void> {
    const { post, summary, isStopped } = this.options;
    if (lines.length === 0 || isStopped()) return;
    const body = toJsonArray(lines);
    const header = this.importHeader(lines);
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
    } else summary.addRejected(name, lines[0]!.number, lines.at(-1)!.number, lines.length, outcome.reason);
  }

  private importHeader(lines: readonly VisitLine[]): string {
    let header = this.importId;
    for (const [index, { repeats }] of lines.entries()) if (repeats > 0) header += ` ${index}:${repeats}`;
    return header;
  }
}

/** Adds the brackets before joining, because adding them to the joined text would copy all of it. */
function toJsonArray(lines: readonly VisitLine[]): string {
  const items = lines.map(({ json }) => json);
  items[0] = `[${items[0]}`;
  items.push(`${items.pop()}]`);
  return items.join(',');
}

/** Returns the UTF-8 size in bytes. For text that can't exceed the limit, returns the length without encoding it. */
const byteLength = (text: string): number =>
  3 * text.length > MAX_BODY_BYTES ? new TextEncoder().encode(text).length : text.length;
