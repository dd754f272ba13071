import { parseCurlText, parseCurlWords } from './curl-command.js';

const headersOf = (text: string): Record<string, unknown> => parseCurlText(text).headers;

it('parses commands copied from browsers', () => {
  const copied = String.raw`curl 'https://example.com/a?b=1&c=2' \
  -H 'accept: text/html' \
  -H $'x-note: it\'s \u0021' \
  -H 'user-agent: Mozilla/5.0 (X11; $HOME)' \
  --data-raw '{"a":"b c"}' --compressed`;
  expect(parseCurlText(copied)).toEqual({
    method: 'POST',
    path: '/a?b=1&c=2',
    headers: {
      accept: 'text/html',
      'x-note': "it's !",
      'user-agent': 'Mozilla/5.0 (X11; $HOME)',
      Host: 'example.com',
      ':scheme': 'https',
      'Content-Type': 'application/x-www-form-urlencoded',
    },
  });
});

it('parses options the way curl does', () => {
  expect(
    parseCurlWords(['curl', '-sSLXPUT', '-HX-A:1', '-H', 'x-a: 2', '-b', 'a=b', '-o', '-', 'example.com:8080/x']),
  ).toEqual({
    method: 'PUT',
    path: '/x',
    headers: { 'X-A': ['1', '2'], Host: 'example.com:8080', ':scheme': 'http', 'User-Agent': 'curl/8', Accept: '*/*' },
  });
  expect(headersOf('curl -A GPTBot/1.2 -e https://a.example --url https://b.example')).toMatchObject({
    'User-Agent': 'GPTBot/1.2',
    Referer: 'https://a.example',
    Host: 'b.example',
  });
  expect(headersOf("curl -A '' -H 'Accept:' -H 'X-Empty;' -H 'Host: c.example' https://b.example")).toEqual({
    'X-Empty': '',
    Host: 'c.example',
    ':scheme': 'https',
  });
  const method = (text: string) => parseCurlText(text).method;
  expect(method('curl -I https://b.example')).toBe('HEAD');
  expect(method('curl -T file https://b.example')).toBe('PUT');
  expect(method('curl -G -d a=b https://b.example')).toBe('GET');
  expect(method("curl --json '{}' https://b.example -X PATCH")).toBe('PATCH');
});

it('ignores shell operators and comments after the command', () => {
  expect(parseCurlText('$ curl -s https://b.example/a*b?c=[1] | jq . > x').path).toBe('/a*b?c=[1]');
  expect(parseCurlText('curl https://b.example/#top # comment').path).toBe('/');
});

it.each([
  ['wget https://b.example', 'Not a curl command'],
  ['curl -s', 'has no URL'],
  ['curl --frobnicate https://b.example', 'curl option --frobnicate is not supported'],
  ['curl -sy= https://b.example -H', 'option -H requires a value'],
  ['curl -H @headers.txt https://b.example', 'Headers from a file'],
  ['curl -H nonsense https://b.example', 'Invalid header: nonsense'],
  ['curl https://a.example https://b.example', 'more than one URL'],
  ['curl https://a.example --next https://b.example', 'more than one request'],
  ['curl ftp://a.example', 'Not an http(s) URL'],
  ['curl https://a.example/?a=1&b=2', 'contains an unquoted &'],
])('explains why it rejects the curl command %p', (text, expected) => {
  expect(() => parseCurlText(text)).toThrow(expected);
});
