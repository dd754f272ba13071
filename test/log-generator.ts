/** Generated access log in the combined format, with the expected import results. */
interface GeneratedLog {
  /** Log lines, each terminated by a line feed. */
  text: string;
  /** Number of lines that describe visits. */
  readable: number;
  /** Line numbers of unreadable lines, starting at 1. */
  unreadable: number[];
  /** Number of readable lines by agent. All browsers are counted as `browser`. */
  agents: Record<string, number>;
}

interface LogOptions {
  lines: number;
  seed?: number;
  /** Makes every nth line unreadable. Default: 0, which makes all lines readable. */
  unreadableEvery?: number;
  /** Earliest possible time of the first line. */
  start?: Date;
}

const AGENTS: [name: string, userAgent: string][] = [
  ['Googlebot', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
  ['bingbot', 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)'],
  ['GPTBot', 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)'],
  [
    'ClaudeBot',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
  ],
  ['CCBot', 'CCBot/2.0 (https://commoncrawl.org/faq/)'],
  ['browser', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'],
  [
    'browser',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  ],
  // Apache and nginx escape quotes and tabs like this.
  ['browser', 'Mozilla/5.0 (X11; \\"quoted\\" Linux) Gecko/20100101 Firefox/128.0'],
  ['browser', 'Mozilla/5.0 (X11; \\x22quoted\\x22 Linux)\\tGecko/20100101 Firefox/128.0'],
  ['browser', 'Mozilla/5.0 (Linux; Android 15; Тест 试验) AppleWebKit/537.36 Chrome/138.0.0.0 Mobile Safari/537.36'],
  ['browser', '-'],
];
const PATHS = [
  '/',
  '/articles/1?page=2',
  '/статья/1',
  '/caf\\xc3\\xa9',
  '/a b/c',
  '/say/\\"hello\\"',
  '/robots.txt',
  '/日本語',
];
const REFERERS = ['-', 'https://example.com/', 'https://example.com/?q=\\"x\\"', 'https://пример.example/'];
const METHODS = ['GET', 'GET', 'GET', 'HEAD', 'POST'];
const STATUSES = ['200', '200', '200', '301', '304', '404', '500'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Generates an access log. The same options produce the same log on any machine. */
export function generateLog({
  lines,
  seed = 1,
  unreadableEvery: brokenEvery = 0,
  start = new Date('2026-05-17T10:05:03Z'),
}: LogOptions): GeneratedLog {
  const random = seededRandom(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const log: GeneratedLog = { text: '', readable: 0, unreadable: [], agents: {} };
  const text: string[] = [];
  let time = start.getTime();
  for (let number = 1; number <= lines; number += 1) {
    time += Math.floor(random() * 5) * 1_000;
    const address = pick([
      `192.0.2.${number % 250}`,
      `203.0.113.${number % 200}`,
      `2001:db8::${(number % 65_535).toString(16)}`,
    ]);
    const origin = `${address} - ${random() < 0.1 ? 'frank' : '-'} [${formatLogTime(time)}]`;
    const request = `${pick(METHODS)} ${pick(PATHS)} HTTP/1.1`;
    const [name, userAgent] = pick(AGENTS);
    const end = `${pick(STATUSES)} ${random() < 0.1 ? '-' : Math.floor(random() * 50_000)}`;
    if (brokenEvery > 0 && number % brokenEvery === 0) {
      log.unreadable.push(number);
      text.push(createUnreadableLine(Math.floor(random() * 6), origin, request, end));
      continue;
    }
    log.readable += 1;
    log.agents[name] = (log.agents[name] ?? 0) + 1;
    text.push(`${origin} "${request}" ${end} "${pick(REFERERS)}" "${userAgent}"`);
  }
  log.text = text.map((line) => `${line}\n`).join('');
  return log;
}

function createUnreadableLine(kind: number, origin: string, request: string, end: string): string {
  return [
    `${origin} "-" 408 - "-" "-"`,
    `${origin} "\\x16\\x03\\x01\\x02\\x00\\x01" 400 226 "-" "-"`,
    `${origin} "${request}`,
    `${origin.replace(/\[.*/, '')} "${request}" ${end} "-" "-"`,
    `${origin.replace(/\[\d\d\/\w+/, '[31/Feb')} "${request}" ${end} "-" "-"`,
    '\u0000\u0001 not a log line \ufffd',
  ][kind]!;
}

function formatLogTime(milliseconds: number): string {
  const [date, clock] = new Date(milliseconds).toISOString().split('T') as [string, string];
  const [year, month, day] = date.split('-') as [string, string, string];
  return `${day}/${MONTHS[Number(month) - 1]}/${year}:${clock.slice(0, 8)} +0000`;
}

/** Returns a mulberry32 generator, which produces the same numbers on any platform. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixedState = Math.imul(state ^ (state >>> 15), state | 1);
    mixedState ^= mixedState + Math.imul(mixedState ^ (mixedState >>> 7), mixedState | 61);
    return ((mixedState ^ (mixedState >>> 14)) >>> 0) / 4_294_967_296;
  };
}
