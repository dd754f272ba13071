import autocannon from 'autocannon';

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';
const CRAWLER = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

/** Returns a visit of about 600 bytes, as a middleware reports it. Every third visit comes from a crawler. */
export const createVisit = (number: number) => ({
  request_path: `/articles/${number % 300}?page=${number % 7}`,
  request_method: 'GET',
  request_headers: {
    host: 'www.example.com',
    'user-agent': number % 3 === 0 ? CRAWLER : BROWSER,
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

export const createVisits = (count: number) => Array.from({ length: count }, (_, number) => createVisit(number));

/**
 * Body of an identification request with a crawler's headers. Identifying it includes looking up the client address in
 * IP ranges.
 */
export const identificationRequest = { id: '1', request_headers: createVisit(0).request_headers };

export interface LoadOptions {
  url: string;
  token: string;
  perRequest?: number;
  /** Operation to call instead of `/visits`. */
  operation?: { path: string; body: unknown };
  connections: number;
  /** Duration in seconds. Ignored if `amount` is set. */
  duration?: number;
  /** Number of requests. */
  amount?: number;
}

/**
 * Measures the requests per second.
 *
 * @throws {Error} if a request fails
 */
export async function measureRequestRate({
  url,
  token,
  perRequest = 1,
  operation = { path: '/visits', body: createVisits(perRequest) },
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
    // autocannon only stops when it takes a sample. By default, it takes one per second, which is too rare for a fixed
    // number of requests.
    ...(amount === undefined ? { duration } : { amount, sampleInt: 20 }),
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} requests were rejected, ${result.errors} failed`);
  return amount === undefined
    ? result.requests.total / result.duration
    : (amount * 1_000) / (performance.now() - started);
}

export const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1]!;
