import type { LogLine, ParsedLine } from '../log-line.js';
import { LogParser } from '../log-parser.js';
import { TEXT_FORMATS } from './formats.js';

/** Reads the lines of a single log and detects the format. */
function readAll(...lines: string[]): ParsedLine[] {
  const parser = new LogParser();
  return lines.map((text) => parser.read(Buffer.from(text).toString('latin1')));
}

function readLast(...lines: string[]): LogLine {
  const parsed = readAll(...lines).at(-1)!;
  if (!('line' in parsed)) throw new Error(JSON.stringify(parsed));
  return parsed.line;
}

const HEADER = { leftOut: 'header lines' };

describe('IIS', () => {
  const SOFTWARE = '#Software: Microsoft Internet Information Services 10.0';
  const FIELDS =
    '#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer) sc-status sc-substatus sc-win32-status time-taken';
  const LINE =
    '2015-05-17 10:05:03 10.0.0.1 GET /a b=c 443 - 192.0.2.7 Mozilla/5.0+(compatible;+bingbot/2.0;++http://www.bing.com/bingbot.htm) - 200 0 0 46';

  it('reads plus signs as spaces, times as UTC, and durations in milliseconds', () => {
    expect(readAll(SOFTWARE, '#Version: 1.0', '#Date: 2015-05-17 10:05:03', FIELDS)).toEqual([
      HEADER,
      HEADER,
      HEADER,
      HEADER,
    ]);
    expect(readLast(SOFTWARE, FIELDS, LINE)).toEqual({
      client: '192.0.2.7',
      time: '2015-05-17T10:05:03Z',
      method: 'GET',
      path: '/a?b=c',
      status: 200,
      userAgent: 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
      durationInMilliseconds: 46,
    });
  });

  it('ignores unknown columns, regardless of their names', () => {
    const fields = '#Fields: date time constructor c-ip cs-method cs-uri-stem __proto__ cs(toString)';
    expect(readLast(fields, '2015-05-17 10:05:03 x 192.0.2.7 GET /a x x')).toEqual({
      client: '192.0.2.7',
      time: '2015-05-17T10:05:03Z',
      method: 'GET',
      path: '/a',
      headers: { tostring: 'x' },
    });
  });

  it('applies columns that change within a log and reads custom columns', () => {
    const changed = '#Fields: date time cs-method cs-uri-stem c-ip sc-status cs-host X-Forwarded-For';
    expect(
      readLast(FIELDS, LINE, changed, '2015-05-17 10:05:03 GET /a 192.0.2.7 404 a.example 198.51.100.9,+10.0.0.1'),
    ).toMatchObject({
      host: 'a.example',
      status: 404,
      forwardedFor: '198.51.100.9, 10.0.0.1',
    });
    expect(readAll(changed, LINE)[1]).toEqual({ reason: 'the number of fields differs from the 8 listed in #Fields' });
  });
});

describe('CloudFront', () => {
  const FIELDS =
    '#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version fle-status fle-encrypted-fields c-port time-to-first-byte x-edge-detailed-result-type sc-content-type sc-content-len sc-range-start sc-range-end';
  const LINE =
    '2019-12-04\t21:02:31\tLAX1\t392\t192.0.2.100\tGET\td111111abcdef8.cloudfront.net\t/a%2520b.html\t200\t-\tMozilla/5.0%2520(compatible;%20GPTBot/1.2)\tq=%25C3%25A9\t-\tHit\tSOX4xwn4XV6Q4rgb7XiVGOHms_BGlTAC4KyHmureZmBNrjGdRLiNIQ==\tshop.example\thttps\t23\t0.001\t-\tTLSv1.2\tECDHE-RSA-AES128-GCM-SHA256\tHit\tHTTP/2.0\t-\t-\t11040\t0.001\tHit\ttext/html%3B%20charset=utf-8\t78\t-\t-';

  it('reads standard logs, including doubly encoded user agents', () => {
    expect(readAll('#Version: 1.0', FIELDS)).toEqual([HEADER, HEADER]);
    const visit = {
      client: '192.0.2.100',
      time: '2019-12-04T21:02:31Z',
      method: 'GET',
      path: '/a%20b.html?q=%C3%A9',
      host: 'shop.example',
      status: 200,
      size: 78,
      userAgent: 'Mozilla/5.0 (compatible; GPTBot/1.2)',
      durationInMilliseconds: 1,
      responseHeaders: { 'content-type': 'text/html; charset=utf-8' },
      id: 'SOX4xwn4XV6Q4rgb7XiVGOHms_BGlTAC4KyHmureZmBNrjGdRLiNIQ==',
      cache: 'hit',
    };
    expect(readLast('#Version: 1.0', FIELDS, LINE)).toEqual(visit);
    expect(readLast(LINE)).toEqual(visit);
  });

  it('omits the status if the viewer disconnected first', () => {
    expect(readLast(LINE.replace('\t200\t', '\t000\t'))).not.toHaveProperty('status');
  });

  it('recognizes IIS logs by their columns', () => {
    expect(
      readLast('#Version: 1.0', '#Fields: date time c-ip cs-method cs-uri-stem', '2019-12-04 21:02:31 192.0.2.7 GET /')
        .path,
    ).toBe('/');
  });

  it('reads real-time logs, which contain the host in another column', () => {
    const line =
      '1575493351.123\t192.0.2.100\t0.002\t200\t392\tGET\thttps\tshop.example\t/a?b=c\t23\tLAX1\tSOX4==\td111111abcdef8.cloudfront.net\t0.003\tHTTP/2.0\tIPv4\tGPTBot/1.2\t-\t-\tb=c\tHit\t-\tTLSv1.2\tECDHE\tHit';
    const visit = {
      client: '192.0.2.100',
      time: '2019-12-04T21:02:31.123Z',
      method: 'GET',
      path: '/a?b=c',
      host: 'shop.example',
      status: 200,
      size: 392,
      isSizeWithHeaders: true,
      userAgent: 'GPTBot/1.2',
      durationInMilliseconds: 3,
      id: 'SOX4==',
      cache: 'hit',
    };
    expect(readLast(line)).toEqual(visit);
    expect(readLast(`${line}\t-\tan\tadded\tcolumn`)).toEqual(visit);
    expect(
      readLast('#Fields: timestamp c-ip cs-method cs-uri-stem', '1575493351.123\t192.0.2.100\tGET\t/a'),
    ).toMatchObject({ path: '/a' });
  });
});

describe('AWS ALB', () => {
  const LINE =
    'h2 2018-07-02T22:23:00.186641Z app/my-loadbalancer/50dc6c495c0c9188 10.0.1.252:48160 10.0.0.66:9000 0.001 0.002 0.026 200 200 5 257 "GET https://shop.example:443/a?b=c HTTP/2.0" "say \\"hi\\"" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 arn:aws:x "Root=1-58337327-72bd00b0343d75b906739c42" "-" "-" 1 2018-07-02T22:22:48.364000Z "waf,forward" "-" "-" "10.0.0.66:80" "200" "-" "-" TID_1 "added"';
  const VISIT = {
    client: '10.0.1.252',
    time: '2018-07-02T22:22:48.364000Z',
    method: 'GET',
    path: '/a?b=c',
    host: 'shop.example',
    status: 200,
    size: 257,
    isSizeWithHeaders: true,
    userAgent: 'say "hi"',
    durationInMilliseconds: 29,
  };

  it('adds up the processing times and ignores fields added later', () => {
    expect(readLast(LINE)).toEqual(VISIT);
  });

  it.each(['2001:db8::1', '[2001:db8::1]'])('reads the address %s with a port', (address) => {
    expect(readLast(LINE.replace('10.0.1.252', address)).client.replace(/[[\]]/g, '')).toBe('2001:db8::1');
  });

  it("omits the duration if the request wasn't forwarded", () => {
    expect(readLast(LINE.replace('0.001 0.002 0.026 200 200', '-1 -1 -1 403 -'))).not.toHaveProperty(
      'durationInMilliseconds',
    );
  });

  it('leaves out malformed requests', () => {
    expect(readAll(LINE.replace(/"GET [^"]*"/, '"- http://10.0.0.1:80- -"'))).toEqual([
      { leftOut: 'malformed requests' },
    ]);
  });
});

describe('HAProxy', () => {
  const LINE =
    'Feb  6 12:14:14 localhost haproxy[14389]: 10.0.1.2:33317 [06/Feb/2009:12:14:14.655] http-in~ static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {GPTBot/1.2 #7Bx#7D|a.example} {Apache} "GET /index.html?a=b HTTP/1.1"';

  it('reads local times, and reads captured headers if #Fields lists their names', () => {
    const visit = {
      client: '10.0.1.2',
      time: new Date(2009, 1, 6, 12, 14, 14, 655).toISOString(),
      method: 'GET',
      path: '/index.html?a=b',
      status: 200,
      size: 2750,
      isSizeWithHeaders: true,
      durationInMilliseconds: 109,
    };
    expect(readLast(LINE.replace('GPTBot/1.2 #7Bx#7D', 'x'))).toEqual(visit);
    const parser = new LogParser(TEXT_FORMATS.find(({ name }) => name === 'haproxy')!);
    expect(parser.read('#Fields: User-Agent, Host')).toEqual(HEADER);
    expect(parser.read(LINE)).toEqual({ line: { ...visit, userAgent: 'GPTBot/1.2 {x}', host: 'a.example' } });
  });

  it.each([
    ['{shop.example|Mozilla/5.0 (X11; Linux x86_64; rv:140.0)}', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0)'],
    ['{GPTBot/1.2 (+https://openai.com/gptbot)|shop.example}', 'GPTBot/1.2 (+https://openai.com/gptbot)'],
    ['{curl/8.10.1 #7Bx#7D|shop.example} {nginx/1.27.2}', 'curl/8.10.1 {x}'],
    ['{nginx/1.27.2}', undefined],
    ['{Apache/2.4.62 (Debian)|text/html}', undefined],
    ['{HTTP/1.1 proxy|shop.example} {nginx/1.27.2}', undefined],
    ['{Mozilla/5.0 (X11)|GPTBot/1.2 (+https://openai.com/gptbot)}', undefined],
    ['{https://shop.example/a|198.51.100.9}', undefined],
  ])('recognizes a captured user agent without #Fields: %s', (captures, userAgent) => {
    expect(readLast(LINE.replace(/\{.*\}/, captures)).userAgent).toBe(userAgent);
  });

  it('reads lines without captures, IPv6 addresses and aborted requests', () => {
    const line = LINE.slice(LINE.indexOf('10.0.1.2:'))
      .replace(/ \{.*\}/, '')
      .replace('10.0.1.2:', '2001:db8::1:');
    expect(readLast(line)).toMatchObject({ client: '2001:db8::1', path: '/index.html?a=b' });
    const early = readLast(line.replace('10/0/30/69/109 200 2750', '-1/-1/-1/-1/5000 -1 0'));
    expect(early).not.toHaveProperty('status');
    expect(early.durationInMilliseconds).toBe(5_000);
    expect(readLast(line.replace('/109 200 2750', '/+109 200 +2750'))).toMatchObject({
      size: 2_750,
      durationInMilliseconds: 109,
    });
  });

  it('leaves out malformed requests and explains how to avoid truncated lines', () => {
    expect(readAll(LINE.replace(/"GET [^"]*"/, '"<BADREQ>"'))).toEqual([{ leftOut: 'malformed requests' }]);
    expect(readAll(LINE.slice(0, -12))).toEqual([{ reason: expect.stringContaining('increase “len”') }]);
  });
});

it("distinguishes Traefik's common format from the combined format", () => {
  const combined = '192.0.2.7 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/2.0" 200 12 "-" "GPTBot/1.2"';
  const visit = {
    client: '192.0.2.7',
    time: '2015-05-17T10:05:03+00:00',
    method: 'GET',
    path: '/a',
    status: 200,
    size: 12,
    userAgent: 'GPTBot/1.2',
  };
  expect(readLast(`${combined} 7 "web@docker" "http://10.0.0.2:80" 46ms`)).toEqual({
    ...visit,
    durationInMilliseconds: 46,
  });
  expect(readLast(combined)).toEqual(visit);
});

it('reads the default Envoy format and uses the last X-Forwarded-For entry as the client', () => {
  const line =
    '[2016-04-15T20:17:00.310Z] "POST /api/v1/locations HTTP/2" 204 - 154 0 226 100 "198.51.100.9, 192.0.2.7" "nsq2http" "cc21d9b0-cf5c-432b-8c7e-98aeb7988cd2" "locations" "tcp://10.0.2.1:80"';
  const visit = {
    client: '192.0.2.7',
    time: '2016-04-15T20:17:00.310Z',
    method: 'POST',
    path: '/api/v1/locations',
    host: 'locations',
    status: 204,
    size: 0,
    userAgent: 'nsq2http',
    durationInMilliseconds: 226,
  };
  expect(readLast(line)).toEqual({ ...visit, forwardedFor: '198.51.100.9' });
  expect(readLast(line.replace('198.51.100.9, ', ''))).toEqual(visit);
  expect(readLast(line.replace('HTTP/2" 204', 'HTTP/2" 0'))).not.toHaveProperty('status');
});
