import { bearer, urlOf } from '../guide-text.js';
import { bearerJson, combinedLine, sampleLines, secondsOf } from '../sample-lines.js';
import type { Destination, DrainSender } from '../sender.js';

/** Keys set by Fluent Bit's `nginx` and `apache2` parsers (fluent-bit/conf/parsers.conf), plus its own `date`. */
const PARSED = {
  time: 'date',
  method: 'method',
  path: 'path',
  status: 'code',
  size: 'size',
  referer: 'referer',
  user_agent: 'agent',
};

function outputOf(destination: Destination): string {
  const { protocol, hostname, port, pathname } = new URL(urlOf(destination, 'fluent-bit'));
  const isTls = protocol === 'https:';
  return `pipeline:
  outputs:
    - name: http
      match: '*' # the tag of your access log
      host: ${hostname}
      port: ${port || (isTls ? 443 : 80)}
      tls: ${isTls ? 'on' : 'off'}
      uri: ${pathname}
      format: json_lines
      compress: gzip
      header: Authorization ${bearer(destination)}
      retry_limit: no_limits`;
}

const line = (now: Date, path: string): object => ({ date: secondsOf(now), log: combinedLine(now, path) });

export const fluentBit = {
  name: 'fluent-bit',
  label: 'Fluent Bit',
  keys: { ...PARSED, client: 'remote' },
  // Keys of the `apache2` parser. Tried last because `host` is the Host header in other logs.
  fallbackKeys: { ...PARSED, client: 'host' },
  sample: (options) => [
    {
      name: 'an array',
      headers: bearerJson(options),
      body: JSON.stringify(sampleLines((path) => line(options.now, path))),
    },
  ],
  guide: {
    lead: 'Fluent Bit follows your servers’ logs and sends them on. Lines can be in any format that logs import reads, raw or parsed to JSON.',
    parts: (destination) => [{ title: 'In fluent-bit.yaml', text: outputOf(destination) }],
    settings: [],
    isRemote: false,
    verifiedBy: 'What the log allows: addresses always, signatures if it has all headers, as Caddy’s JSON does.',
    lacks: 'Whatever your log leaves out.',
  },
} as const satisfies DrainSender;
