import { escapedCharacter, visible } from './terminal-text.js';

/** The streams that the command line writes to; whether they are terminals is asked each time. */
const isTerminal = (stream: { isTTY?: boolean }): boolean => stream.isTTY === true;

/** Colors and weights, which are our own: what comes from outside passes {@link visible} before it is styled. */
const STYLE_OR_CONTROL = /\p{Cc}\[[\d;]*m|[\p{Cc}\p{Bidi_Control}]/gu;
const PASSING = new Set(['\u001b', '\n', '\t']);

const forTerminal = (text: string): string =>
  text.replaceAll(STYLE_OR_CONTROL, (found) =>
    PASSING.has(found[0]!) && found !== '\u001b' ? found : visible(found, '\n\t'),
  );

/** Prints a text and a line's end on standard output. */
export function print(text: string): void {
  console.log(isTerminal(process.stdout) ? forTerminal(text) : text);
}

/** Tells a person something, on standard error: standard output is for results. */
export function note(text: string): void {
  console.error(isTerminal(process.stderr) ? forTerminal(text) : text);
}

/**
 * Prints a value as JSON. On a terminal the control characters that JSON leaves as they are, such as C1 and those of
 * writing direction, are escaped as JSON escapes the others, so that the value stays the same.
 *
 * @param indent of nested values; 0 is a line.
 */
export function printJson(value: unknown, indent = 2): void {
  const text = JSON.stringify(value, null, indent);
  console.log(isTerminal(process.stdout) ? jsonForTerminal(text) : text);
}

const jsonForTerminal = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Writes data as it is: to a terminal with control characters escaped, so that it is no longer the same there. */
export function writeData(data: string | Uint8Array): void {
  if (!isTerminal(process.stdout)) process.stdout.write(data);
  else process.stdout.write(dataForTerminal(typeof data === 'string' ? data : Buffer.from(data).toString('utf8')));
}

/** Passes on what comes as UTF-8, in any pieces: as it is, or fit for a terminal where standard output is one. */
export async function* dataForOutput(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | string> {
  if (!isTerminal(process.stdout)) return yield* chunks;
  const decoder = new TextDecoder();
  for await (const chunk of chunks) yield dataForTerminal(decoder.decode(chunk, { stream: true }));
  yield dataForTerminal(decoder.decode());
}

/** A carriage return moves the cursor unless a line ends with it. */
const dataForTerminal = (text: string): string =>
  text.replaceAll(/\r\n|[\p{Cc}\p{Bidi_Control}]/gu, (found) =>
    /^(?:\r\n|[\n\t])$/.test(found) ? found : escapedCharacter(found),
  );
