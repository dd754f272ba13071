import { escapeCharacter, INVISIBLE_CHARACTERS, escapeInvisible } from './terminal-text.js';

const isTerminal = (stream: { isTTY?: boolean }): boolean => stream.isTTY === true;

/** Matches the escape sequences that the CLI uses for styles. Untrusted text is escaped before it's styled. */
const STYLE_SEQUENCE = /(\p{Cc}\[[\d;]*m)/u;

const escapeForTerminal = (text: string): string =>
  text
    .split(STYLE_SEQUENCE)
    .map((part, index) => (index % 2 === 1 && part.startsWith('\u001b') ? part : escapeInvisible(part, '\n\t')))
    .join('');

export function print(text: string): void {
  console.log(isTerminal(process.stdout) ? escapeForTerminal(text) : text);
}

/** Writes a status message to standard error. Standard output is reserved for results. */
export function note(text: string): void {
  console.error(isTerminal(process.stderr) ? escapeForTerminal(text) : text);
}

/**
 * Prints a value as JSON. On a terminal, also escapes control characters that JSON allows unescaped, such as C1 and
 * bidirectional controls. This doesn't change the parsed value.
 *
 * @param indent Number of spaces per level. 0 prints a single line.
 */
export function printJson(value: unknown, indent = 2): void {
  const text = JSON.stringify(value, null, indent);
  console.log(isTerminal(process.stdout) ? escapeJsonForTerminal(text) : text);
}

const escapeJsonForTerminal = (text: string): string =>
  text.replaceAll(INVISIBLE_CHARACTERS, (character) =>
    character === '\n' ? character : escapeJsonCharacter(character),
  );

/** Escapes each UTF-16 code unit separately, because a JSON escape sequence only has room for one. */
const escapeJsonCharacter = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** Writes data to standard output. On a terminal, control characters are escaped. */
export function writeData(data: string | Uint8Array): void {
  if (!isTerminal(process.stdout)) process.stdout.write(data);
  else
    process.stdout.write(escapeDataForTerminal(typeof data === 'string' ? data : Buffer.from(data).toString('utf8')));
}

/**
 * Passes UTF-8 chunks through, escaping control characters if standard output is a terminal. Characters may be split
 * between chunks.
 */
export async function* escapeForOutput(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | string> {
  if (!isTerminal(process.stdout)) return yield* chunks;
  const decoder = new TextDecoder();
  for await (const chunk of chunks) yield escapeDataForTerminal(decoder.decode(chunk, { stream: true }));
  yield escapeDataForTerminal(decoder.decode());
}

/**
 * Escapes invisible and control characters. Carriage returns are also escaped unless they end a line, because they move
 * the cursor.
 */
const escapeDataForTerminal = (text: string): string =>
  text.replaceAll(INVISIBLE_CHARACTERS, (found, index: number) =>
    found === '\n' || found === '\t' || (found === '\r' && text[index + 1] === '\n') ? found : escapeCharacter(found),
  );
