import { escapedCharacter, UNSEEN, visible } from './terminal-text.js';

const isTerminal = (stream: { isTTY?: boolean }): boolean => stream.isTTY === true;

/** Escape sequences that the CLI uses for styles. Untrusted text passes {@link visible} before it's styled. */
const STYLE = /(\p{Cc}\[[\d;]*m)/u;

const forTerminal = (text: string): string =>
  text
    .split(STYLE)
    .map((part, index) => (index % 2 === 1 && part.startsWith('\u001b') ? part : visible(part, '\n\t')))
    .join('');

export function print(text: string): void {
  console.log(isTerminal(process.stdout) ? forTerminal(text) : text);
}

/** Writes a message for people to standard error. Standard output is for results. */
export function note(text: string): void {
  console.error(isTerminal(process.stderr) ? forTerminal(text) : text);
}

/**
 * Prints a value as JSON. On a terminal, also escapes control characters that JSON doesn't require to be escaped, such
 * as C1 and bidirectional controls. The parsed value stays the same.
 *
 * @param indent Spaces per level. 0 prints a single line.
 */
export function printJson(value: unknown, indent = 2): void {
  const text = JSON.stringify(value, null, indent);
  console.log(isTerminal(process.stdout) ? jsonForTerminal(text) : text);
}

const jsonForTerminal = (text: string): string =>
  text.replaceAll(UNSEEN, (character) => (character === '\n' ? character : jsonEscaped(character)));

/** JSON only has escapes for UTF-16 code units. */
const jsonEscaped = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** Writes data unchanged, or with control characters escaped on a terminal. */
export function writeData(data: string | Uint8Array): void {
  if (!isTerminal(process.stdout)) process.stdout.write(data);
  else process.stdout.write(dataForTerminal(typeof data === 'string' ? data : Buffer.from(data).toString('utf8')));
}

/**
 * Passes UTF-8 chunks through unchanged, or escapes control characters if standard output is a terminal. Characters may
 * be split between chunks.
 */
export async function* dataForOutput(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | string> {
  if (!isTerminal(process.stdout)) return yield* chunks;
  const decoder = new TextDecoder();
  for await (const chunk of chunks) yield dataForTerminal(decoder.decode(chunk, { stream: true }));
  yield dataForTerminal(decoder.decode());
}

/**
 * Escapes invisible and control characters. A carriage return is only kept at the end of a line, because elsewhere it
 * moves the cursor.
 */
const dataForTerminal = (text: string): string =>
  text.replaceAll(UNSEEN, (found, index: number) =>
    found === '\n' || found === '\t' || (found === '\r' && text[index + 1] === '\n') ? found : escapedCharacter(found),
  );
