import type { DeadLetterWithBody } from '#libs/contracts';
import { localTime, escapeInvisible } from './terminal-text.js';

/** Maximum number of bytes to show of a binary body. */
const MAX_SHOWN_BYTES = 4_096;

export function renderDeadLetter(letter: DeadLetterWithBody): string {
  const facts: [string, string][] = [
    ['ID', letter.id],
    ['Failed', localTime(letter.failed_at)],
    ['Reason', letter.reason],
    ['Detail', letter.detail],
    ['Step', letter.step],
    ['Project', letter.project_id ?? '-'],
    ['Topic', letter.topic],
    ['Partition', letter.partition === null ? '-' : String(letter.partition)],
    ['Offset', letter.offset ?? '-'],
    ['Key', letter.key ?? '-'],
    ['Replayed', letter.replayed_at ? localTime(letter.replayed_at) : '-'],
  ];
  const headers = Object.entries(letter.headers).map(
    ([name, value]) => `  ${escapeInvisible(name)}: ${escapeInvisible(value)}`,
  );
  return [
    ...facts.map(([name, value]) => `${name.padEnd(11)}${escapeInvisible(value)}`),
    '',
    'Headers',
    ...(headers.length > 0 ? headers : ['  none']),
    '',
    `Body (${letter.size} bytes)`,
    renderBody(Buffer.from(letter.value_base64, 'base64')),
  ].join('\n');
}

function renderBody(bytes: Buffer): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return (
      hexDump(bytes.subarray(0, MAX_SHOWN_BYTES)) +
      (bytes.length > MAX_SHOWN_BYTES ? '\n… (use --raw for the complete body)' : '')
    );
  }
  return escapeInvisible(text, '\n\t');
}

function hexDump(bytes: Buffer): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const part = bytes.subarray(at, at + 16);
    const hex = [...part].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const ascii = part.toString('latin1').replace(/[^ -~]/g, '.');
    lines.push(`${at.toString(16).padStart(8, '0')}  ${hex.padEnd(47)}  ${ascii}`);
  }
  return lines.join('\n');
}
