import { MAX_LINE_LENGTH } from './limits.js';

/** Of a message with its header. */
const MAX_MESSAGE_BYTES = 2 * MAX_LINE_LENGTH;

/**
 * Cuts a stream of TCP into messages (RFC 6587): counted ones (`123 <134>…`), and lines, which end with a line feed or a zero. Each message may be either.
 * Memory stays bounded.
 */
export class SyslogFrames {
  private rest = '';

  /**
   * Returns the messages that end within a text.
   *
   * @param text one character a byte.
   * @throws when a count is larger than any message: the stream is not syslog, or cannot be read any further.
   */
  push(text: string): string[] {
    this.rest += text;
    const messages: string[] = [];
    let at = 0;
    for (;;) {
      const frame = this.frameAt(at);
      if (frame === null) break;
      messages.push(withoutEnd(this.rest.slice(frame.start, frame.end)));
      at = frame.next;
    }
    this.rest = this.rest.slice(at);
    // Of a line without end only the start is kept.
    if (this.rest.length > MAX_MESSAGE_BYTES) this.rest = this.rest.slice(0, MAX_MESSAGE_BYTES);
    return messages;
  }

  /** The last message, when the stream ended without saying so. */
  end(): string | undefined {
    const { rest } = this;
    this.rest = '';
    return rest === '' || countAt(rest, 0) !== null ? undefined : withoutEnd(rest);
  }

  private frameAt(at: number): { start: number; end: number; next: number } | null {
    const { rest } = this;
    const count = countAt(rest, at);
    if (count !== null) {
      if (count.bytes > MAX_MESSAGE_BYTES) throw new Error(`a message of ${count.bytes} bytes`);
      const end = count.start + count.bytes;
      return end > rest.length ? null : { start: count.start, end, next: end };
    }
    const end = lineEnd(rest, at);
    return end === -1 ? null : { start: at, end, next: end + 1 };
  }
}

function lineEnd(text: string, start: number): number {
  const lineFeed = text.indexOf('\n', start);
  const zero = text.slice(start, lineFeed === -1 ? undefined : lineFeed).indexOf('\0');
  return zero === -1 ? lineFeed : start + zero;
}

/**
 * Whether a stream begins with a counted message, as those of Heroku do (github.com/heroku/logplex, README.http_drains.md), and not
 * with a line that begins as one: another message or nothing follows.
 */
export function isFramed(text: string): boolean {
  const count = countAt(text, 0);
  if (count === null || count.bytes > MAX_MESSAGE_BYTES) return false;
  return /^\n?(?:$|\d{1,7} <)/.test(text.slice(count.start + count.bytes, count.start + count.bytes + 10));
}

/** `123 <`, which no line of a log begins with. */
function countAt(text: string, at: number): { bytes: number; start: number } | null {
  const found = /^(\d{1,7}) </.exec(text.slice(at, at + 9));
  return found === null ? null : { bytes: Number(found[1]), start: at + found[1]!.length + 1 };
}

/** Without the line feed or zero that some senders put behind a message, too. */
const withoutEnd = (text: string): string => text.replace(/[\r\n\0]{1,3}$/, '');
