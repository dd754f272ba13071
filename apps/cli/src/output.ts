import { escapedCharacter, UNSEEN, visible } from './terminal-text.js';

/** The streams that the command line writes to; whether they are terminals is asked each time. */
const isTerminal = (stream: { isTTY?: boolean }): boolean => stream.isTTY === true;

/** Colors and weights, which are our own: what comes from outside passes {@link visible} before it is styled. */
const STYLE = /(\p{Cc}\[[\d;]*m)/u;

const forTerminal = (text: string): string =>
  text
    .split(STYLE)
    .map((part, index) => (index % 2 === 1 && part.startsWith('\u001b') ? part : visible(part, '\n\t')))
    .join('');

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
  text.replaceAll(UNSEEN, (character) => (character === '\n' ? character : jsonEscaped(character)));

/** By UTF-16 code units, as JSON has escapes for those alone. */
const jsonEscaped = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

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
  text.replaceAll(UNSEEN, (found, index: number) =>
    found === '\n' || found === '\t' || (found === '\r' && text[index + 1] === '\n') ? found : escapedCharacter(found),
  );
