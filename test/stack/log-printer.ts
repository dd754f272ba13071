import { stripVTControlCharacters, styleText } from 'node:util';

const COLORS = ['cyan', 'magenta', 'yellow', 'blue', 'green', 'red', 'gray'] as const;
const LEVELS: Record<string, 'gray' | 'yellow' | 'red'> = { debug: 'gray', warn: 'yellow', error: 'red', fatal: 'red' };

/** Prints the output of several processes, each line with the name of its process in color. */
export class LogPrinter {
  private readonly output: { write(text: string): unknown };
  private readonly names: string[] = [];
  private readonly unfinished = new Map<string, string>();

  constructor(output: { write(text: string): unknown }) {
    this.output = output;
  }

  print(name: string, text: string): void {
    const lines = ((this.unfinished.get(name) ?? '') + text).split('\n');
    this.unfinished.set(name, lines.pop()!);
    if (!this.names.includes(name)) this.names.push(name);
    const label = styleText(COLORS[this.names.indexOf(name) % COLORS.length]!, name.padEnd(12));
    for (const line of lines) if (line.trim() !== '') this.output.write(`${label} ${readable(line)}\n`);
  }
}

/** Formats a JSON log line of our services for reading. */
function readable(line: string): string {
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
