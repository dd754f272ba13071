import type { Visit } from '../../api/client.js';
import { toCurlCommand } from './curl.js';

const visit = (fields: object): Visit => ({ visit: { request_path: '/', request_method: 'GET', ...fields } }) as Visit;

describe('asCurl', () => {
  it('sends the path and headers to the site, with a separate option for each header value', () => {
    const headers = { 'User-Agent': 'GPTBot/1.2', Via: ['1.1 a', '1.1 b'], 'X-Count': 3, 'X-None': null };
    expect(
      toCurlCommand(visit({ request_path: '/a?b=c', request_headers: headers }), 'https://shop.example/base'),
    ).toBe(
      [
        `curl -i 'https://shop.example/a?b=c'`,
        `-H 'User-Agent: GPTBot/1.2'`,
        `-H 'Via: 1.1 a'`,
        `-H 'Via: 1.1 b'`,
        `-H 'X-Count: 3'`,
      ].join(' \\\n  '),
    );
  });

  it('omits redacted headers and connection headers', () => {
    const headers = { host: 'www.example.org', cookie: '[redacted]', connection: 'close', 'accept-encoding': 'br' };
    expect(toCurlCommand(visit({ request_headers: headers }), null)).toBe(`curl -i 'https://www.example.org/'`);
  });

  it('quotes visitor input so the shell never runs it', () => {
    const evil = {
      request_path: "/'; rm -rf /; '",
      request_method: "GET' ; id; '",
      request_headers: { a: "'$(id)`id`" },
    };
    const q = String.raw`'\''`;
    expect(toCurlCommand(visit(evil), 'https://s.example')).toBe(
      `curl -i 'https://s.example/${q}; rm -rf /; ${q}' -X 'GET${q} ; id; ${q}' \\\n  -H 'a: ${q}$(id)\`id\`'`,
    );
  });
});
