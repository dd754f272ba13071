import { MAX_LINE_LENGTH } from './limits.js';

/** Maximum message size in bytes, including the header. */
const MAX_MESSAGE_BYTES = 2 * MAX_LINE_LENGTH;
/** Maximum length of a size and the space after it. */
const MAX_SIZE_CHARACTERS = 8;

/**
 * Splits a TCP stream into syslog messages (RFC 6587). Each message either starts with its size (`123 <134>…`) or ends
 * with a line feed or NUL. A size over the limit is treated as part of a line. Memory use is bounded.
 */
export class SyslogFrames {
  private rest = '';

  /**
   * Returns the messages that this text completes.
   *
   * @param text Latin-1 string (one character per byte).
   */
  push(text: string): string[] {
    this.rest += text;
    const { rest } = this;
    const lineEnds = new LineEnds(rest);
    const messages: string[] = [];
    let at = 0;
    for (;;) {
      const count = readSize(rest, at);
      const start = count?.start ?? at;
      const end = count === null ? lineEnds.find(at) : start + count.bytes;
      if (end > rest.length || (count === null && end === rest.length)) break;
      messages.push(stripEnd(rest.slice(start, end)));
      at = count === null ? end + 1 : end;
    }
    // Truncate lines that are too long. Messages that start with their size are always shorter.
    this.rest = rest.slice(at, at + MAX_SIZE_CHARACTERS + MAX_MESSAGE_BYTES);
    return messages;
  }

  /** Returns the last message if it isn't terminated or shorter than its size. */
  end(): string | undefined {
    const { rest } = this;
    this.rest = '';
    const message = stripEnd(rest.slice(readSize(rest, 0)?.start ?? 0));
    return message === '' ? undefined : message;
  }
}

/** Finds line ends in a text. Takes linear time in total, because positions only increase. */
class LineEnds {
  private lineFeed = -1;
  private zero = -1;

  constructor(private readonly text: string) {}

  /** Returns the position of the next line feed or NUL, or the text's length if there is none. */
  find(start: number): number {
    if (this.lineFeed < start) this.lineFeed = this.next('\n', start);
    if (this.zero < start) this.zero = this.next('\0', start);
    return Math.min(this.lineFeed, this.zero);
  }

  private next(character: string, start: number): number {
    const at = this.text.indexOf(character, start);
    return at === -1 ? this.text.length : at;
  }
}

/**
 * Returns true if a stream starts with a message size, as sent by Heroku (github.com/heroku/logplex,
 * README.http_drains.md).
 *
 * The message must be the last one or be followed by another size. Otherwise, it's a log line that happens to start the
 * same way.
 */
export function isFramed(text: string): boolean {
  const count = readSize(text, 0);
  if (count === null) return false;
  return /^\n?(?:$|\d{1,7} <)/.test(text.slice(count.start + count.bytes, count.start + count.bytes + 10));
}

/**
 * Parses a size followed by the start of a message, such as `123 <`. Log lines never start like this. Returns null for
 * sizes over the limit.
 */
function readSize(text: string, at: number): { bytes: number; start: number } | null {
  const found = /^(\d{1,7}) </.exec(text.slice(at, at + MAX_SIZE_CHARACTERS + 1));
  const bytes = Number(found?.[1]);
  return found === null || bytes > MAX_MESSAGE_BYTES ? null : { bytes, start: at + found[1]!.length + 1 };
}

/** Removes a trailing line feed or NUL. Some senders append them even to messages that start with their size. */
const stripEnd = (text: string): string => text.replace(/[\r\n\0]{1,3}$/, '');
