import { stripVTControlCharacters, styleText } from 'node:util';

const COLORS = ['cyan', 'magenta', 'yellow', 'blue', 'green', 'red', 'gray'] as const;
const LEVELS: Record<string, 'gray' | 'yellow' | 'red'> = { debug: 'gray', warn: 'yellow', error: 'red', fatal: 'red' };

/** Prints the output of several processes. Each line starts with the process name in color. */
export class LogPrinter {
  private readonly output: { write(text: string): unknown };
  private readonly names: string[] = [];
  private readonly partialLines = new Map<string, string>();

  constructor(output: { write(text: string): unknown }) {
    this.output = output;
  }

  print(name: string, text: string): void {
    const lines = ((this.partialLines.get(name) ?? '') + text).split('\n');
    this.partialLines.set(name, lines.pop()!);
    if (!this.names.includes(name)) this.names.push(name);
    const label = styleText(COLORS[this.names.indexOf(name) % COLORS.length]!, name.padEnd(12));
    for (const line of lines) if (line.trim() !== '') this.output.write(`${label} ${formatLine(line)}\n`);
  }
}

/** Formats a JSON log line from our services for humans. */
function formatLine(line: string): string {
  if (!line.startsWith('{')) return stripVTControlCharacters(line);
  try {
    const { time, level, msg, service: _, ...rest } = JSON.parse(line) as Record<string, unknown>;
    const details = Object.keys(rest).length === 0 ? '' : ` ${styleText('gray', JSON.stringify(rest))}`;
    const message = LEVELS[String(level)] === undefined ? String(msg) : styleText(LEVELS[String(level)]!, String(msg));
    return `${String(time).slice(11, 19)} ${message}${details}`;
  } catch {
    return line;
  }
}
