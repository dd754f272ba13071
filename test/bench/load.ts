import autocannon from 'autocannon';

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

/** Returns a visit as reported by a middleware, about 600 bytes. Every third one is a crawler's. */
export const visit = (number: number) => ({
  request_path: `/articles/${number % 300}?page=${number % 7}`,
  request_method: 'GET',
  request_headers: {
    host: 'www.example.com',
    'user-agent': number % 3 === 0 ? BOT : BROWSER,
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'accept-encoding': 'gzip, deflate, br',
    'accept-language': 'en-US,en;q=0.9',
    'x-forwarded-for': `203.0.113.${number % 250}`,
    referer: 'https://www.example.com/',
  },
  response_status_code: 200,
  response_headers: { 'content-type': 'text/html; charset=utf-8' },
  response_duration_in_milliseconds: 12.5,
});

export const visits = (count: number) => Array.from({ length: count }, (_, number) => visit(number));

/** Body of an identification request: a crawler's headers, whose address must be looked up in its IP ranges. */
export const identification = { id: '1', request_headers: visit(0).request_headers };

export interface LoadOptions {
  url: string;
  token: string;
  perRequest?: number;
  /** Operation to call instead of `/visits`. */
  operation?: { path: string; body: unknown };
  connections: number;
  /** Duration in seconds. Ignored if there is an amount. */
  duration?: number;
  /** Number of requests. */
  amount?: number;
}

/** Measures the requests per second. @throws Error if a request fails. */
export async function requestsPerSecond({
  url,
  token,
  perRequest = 1,
  operation = { path: '/visits', body: visits(perRequest) },
  connections,
  duration,
  amount,
}: LoadOptions): Promise<number> {
  const started = performance.now();
  const result = await autocannon({
    url: url + operation.path,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(operation.body),
    connections,
    // With an amount, autocannon only stops when it takes a sample. The default is once a second.
    ...(amount === undefined ? { duration } : { amount, sampleInt: 20 }),
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refusals, ${result.errors} errors`);
  return amount === undefined
    ? result.requests.total / result.duration
    : (amount * 1_000) / (performance.now() - started);
}

export const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1]!;
