import { PAYMENT_RESPONSE_HEADERS } from '#libs/payments';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LogParser } from '#libs/access-log';
import { DRAIN_SENDERS, getDrainSender, type DrainSource } from './senders.js';

const DESTINATION = { address: 'https://agents.example', token: 'agt_abc' };
/** Removes whitespace, backticks and commas, so that texts with different layouts can be compared. */
const stripLayout = (text: string): string => text.replaceAll(/[\s`,]/g, '');
const DOCUMENTATION = readFileSync(join(import.meta.dirname, '../../../docs/connect/drains.md'), 'utf8');

const getParts = (source: DrainSource) =>
  Object.fromEntries(
    getDrainSender(source)
      .guide.parts(DESTINATION)
      .map(({ title, text }) => [title, text]),
  );

const SENDERS = DRAIN_SENDERS.map((sender) => [sender.name, sender] as const);

it.each(SENDERS)('includes the instance URL and the token in the %s guide', (source, { guide }) => {
  const text = Object.values(guide.parts(DESTINATION))
    .map((part) => part.text)
    .join('\n');
  expect(text).toContain(DESTINATION.token);
  if (source === 'fluent-bit') expect(text).toMatch(/host: agents\.example\n +port: 443\n +tls: on\n +uri: \/drains\//);
  else expect(text).toContain(`${DESTINATION.address}/drains/${source}`);
});

it.each(SENDERS)('documents every part of the %s guide', (_, { guide }) => {
  for (const { text } of guide.parts({ address: 'https://traffic.example.com', token: 'agt_…' })) {
    expect(stripLayout(DOCUMENTATION)).toContain(stripLayout(text));
  }
});

it('documents all senders in order', () => {
  const rows = [...DOCUMENTATION.matchAll(/^\| `([a-z-]+)` +\|/gm)].map(([, name]) => name);
  expect(rows).toEqual(DRAIN_SENDERS.map(({ name }) => name));
});

it("uses the instance's port and no TLS for Fluent Bit if the instance URL is http", () => {
  const [part] = getDrainSender('fluent-bit').guide.parts({ ...DESTINATION, address: 'http://127.0.0.1:3000' });
  expect(part!.text).toMatch(/port: 3000\n +tls: off\n/);
});

it("creates a filter and a job within Cloudflare's limits", () => {
  const filter = getParts('cloudflare-logpush')['Filter that excludes images, styles and scripts, to save costs']!;
  // developers.cloudflare.com/logs/logpush/logpush-job/filters
  expect(filter.length).toBeLessThan(1_000);
  const parts = getDrainSender('cloudflare-logpush').guide.parts(DESTINATION);
  const job = JSON.parse(parts.at(-1)!.text) as Record<string, unknown>;
  expect(job).toMatchObject({
    filter,
    destination_conf: expect.stringContaining('?header_Authorization=Bearer%20agt_'),
  });
});

it('creates a Fastly log format that the parser supports, including signatures', () => {
  const format = getParts('fastly')['Log format']!;
  expect(format).not.toContain('\n');
  const values = { 'time.start.msec': '1795514400123', 'time.elapsed.usec': '2500', 'client.ip': '192.0.2.1' };
  const moreValues = { 'resp.status': '404', 'resp.body_bytes_written': '10', 'json.escape(req.url)': '/a?b' };
  const formattedLine = format.replaceAll(/%\{(.*?)\}V/g, (_, variable: string) => {
    const header = /^if\((?:req|resp)\.http\.([\w-]+), json\.escape\((?:req|resp)\.http\.\1\), ""\)$/.exec(
      variable,
    )?.[1];
    return header ?? ({ ...values, ...moreValues } as Record<string, string>)[variable] ?? 'x';
  });
  expect(new LogParser().read(formattedLine)).toEqual({
    line: expect.objectContaining({
      time: '2026-11-24T10:00:00.123Z',
      client: '192.0.2.1',
      path: '/a?b',
      status: 404,
      size: 10,
      durationInMilliseconds: 2.5,
      userAgent: 'User-Agent',
      headers: {
        signature: 'Signature',
        'signature-input': 'Signature-Input',
        'signature-agent': 'Signature-Agent',
        'mcp-method': 'Mcp-Method',
        'mcp-name': 'Mcp-Name',
        'mcp-protocol-version': 'Mcp-Protocol-Version',
        'crawler-exact-price': 'crawler-exact-price',
        'crawler-max-price': 'crawler-max-price',
      },
      responseHeaders: {
        'content-type': 'Content-Type',
        ...Object.fromEntries(PAYMENT_RESPONSE_HEADERS.map((name) => [name, name])),
      },
    }),
  });
});
