import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LogParser } from '#libs/access-log';
import { DRAIN_SENDERS, drainSender, type DrainSource } from './senders.js';

const DESTINATION = { address: 'https://agents.example', token: 'agt_abc' };
/** Returns the text without its layout. */
const words = (text: string): string => text.replaceAll(/[\s`,]/g, '');
const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/connect/drains.md'), 'utf8');

const partsOf = (source: DrainSource) =>
  Object.fromEntries(
    drainSender(source)
      .guide.parts(DESTINATION)
      .map(({ title, text }) => [title, text]),
  );

const SENDERS = DRAIN_SENDERS.map((sender) => [sender.name, sender] as const);

it.each(SENDERS)('%s: the guide contains the address and the token', (source, { guide }) => {
  const text = Object.values(guide.parts(DESTINATION))
    .map((part) => part.text)
    .join('\n');
  expect(text).toContain(DESTINATION.token);
  if (source === 'fluent-bit') expect(text).toMatch(/host: agents\.example\n +port: 443\n +tls: on\n +uri: \/drains\//);
  else expect(text).toContain(`${DESTINATION.address}/drains/${source}`);
});

it.each(SENDERS)('%s: the documentation contains every part of the guide', (_, { guide }) => {
  for (const { text } of guide.parts({ address: 'https://traffic.example.com', token: 'agt_…' })) {
    expect(words(PAGE)).toContain(words(text));
  }
});

it('lists all senders in the documentation', () => {
  const rows = [...PAGE.matchAll(/^\| `([a-z-]+)` +\|/gm)].map(([, name]) => name);
  expect(rows).toEqual(DRAIN_SENDERS.map(({ name }) => name));
});

it('uses the port of the instance and no TLS for Fluent Bit with an http address', () => {
  const [part] = drainSender('fluent-bit').guide.parts({ ...DESTINATION, address: 'http://127.0.0.1:3000' });
  expect(part!.text).toMatch(/port: 3000\n +tls: off\n/);
});

it('creates a filter and a job within the limits of Cloudflare', () => {
  const filter = partsOf('cloudflare-logpush')['Filter, so that you don’t pay for images, styles and scripts']!;
  // developers.cloudflare.com/logs/logpush/logpush-job/filters
  expect(filter.length).toBeLessThan(1_000);
  const parts = drainSender('cloudflare-logpush').guide.parts(DESTINATION);
  const job = JSON.parse(parts.at(-1)!.text) as Record<string, unknown>;
  expect(job).toMatchObject({
    filter,
    destination_conf: expect.stringContaining('?header_Authorization=Bearer%20agt_'),
  });
});

it('creates a log format for Fastly that the parser reads, including signatures', () => {
  const format = partsOf('fastly')['Log format']!;
  expect(format).not.toContain('\n');
  const values = { 'time.start.msec': '1795514400123', 'time.elapsed.usec': '2500', 'client.ip': '192.0.2.1' };
  const more = { 'resp.status': '404', 'resp.body_bytes_written': '10', 'json.escape(req.url)': '/a?b' };
  const written = format.replaceAll(/%\{(.*?)\}V/g, (_, variable: string) => {
    const header = /^if\(req\.http\.([\w-]+), json\.escape\(req\.http\.\1\), ""\)$/.exec(variable)?.[1];
    return header ?? ({ ...values, ...more } as Record<string, string>)[variable] ?? 'x';
  });
  expect(new LogParser().read(written)).toEqual({
    line: expect.objectContaining({
      time: '2026-11-24T10:00:00.123Z',
      client: '192.0.2.1',
      path: '/a?b',
      status: 404,
      size: 10,
      durationInMilliseconds: 2.5,
      userAgent: 'User-Agent',
      headers: { signature: 'Signature', 'signature-input': 'Signature-Input', 'signature-agent': 'Signature-Agent' },
    }),
  });
});
