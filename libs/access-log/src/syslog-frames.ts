import { MAX_LINE_LENGTH } from './limits.js';

/** Maximum size of a message, including its header. */
const MAX_MESSAGE_BYTES = 2 * MAX_LINE_LENGTH;

/**
 * Splits a TCP stream into syslog messages (RFC 6587). Each message either starts with its size (`123 <134>…`), or ends
 * with a line feed or NUL. Memory use is bounded.
 */
export class SyslogFrames {
  private rest = '';

  /**
   * Returns the messages that end in this text.
   *
   * @param text one character per byte.
   * @throws if a size exceeds the limit. The stream isn't syslog then, or can't be read any further.
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
    // If a line is too long, keep only its start.
    if (this.rest.length > MAX_MESSAGE_BYTES) this.rest = this.rest.slice(0, MAX_MESSAGE_BYTES);
    return messages;
  }

  /** Returns the last message if it has no line ending. An incomplete message that starts with its size is dropped. */
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
 * Returns true if a stream starts with a message size, as sent by Heroku (github.com/heroku/logplex,
 * README.http_drains.md).
 *
 * The message must be the last one, or be followed by another size. Otherwise, it's a log line that happens to start
 * the same way.
 */
export function isFramed(text: string): boolean {
  const count = countAt(text, 0);
  if (count === null || count.bytes > MAX_MESSAGE_BYTES) return false;
  return /^\n?(?:$|\d{1,7} <)/.test(text.slice(count.start + count.bytes, count.start + count.bytes + 10));
}

/** Reads a size followed by a message: `123 <`. No log line starts like this. */
function countAt(text: string, at: number): { bytes: number; start: number } | null {
  const found = /^(\d{1,7}) </.exec(text.slice(at, at + 9));
  return found === null ? null : { bytes: Number(found[1]), start: at + found[1]!.length + 1 };
}

/** Removes the trailing line feed or NUL that some senders append even to messages that start with their size. */
const withoutEnd = (text: string): string => text.replace(/[\r\n\0]{1,3}$/, '');
