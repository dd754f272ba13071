import { toBearerHeader, toDrainUrl } from '../guide-text.js';
import { createJsonHeaders, formatCombinedLine, createSampleLines, toEpochSeconds } from '../sample-lines.js';
import type { Destination, DrainSender } from '../sender.js';

/**
 * Keys produced by Fluent Bit's `nginx` and `apache2` parsers (fluent-bit/conf/parsers.conf), and its own `date` key.
 */
const PARSER_KEYS = {
  time: 'date',
  method: 'method',
  path: 'path',
  status: 'code',
  size: 'size',
  referer: 'referer',
  user_agent: 'agent',
};

function toOutputConfig(destination: Destination): string {
  const { protocol, hostname, port, pathname } = new URL(toDrainUrl(destination, 'fluent-bit'));
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
      header: Authorization ${toBearerHeader(destination)}
      retry_limit: no_limits`;
}

const createLine = (now: Date, path: string): object => ({
  date: toEpochSeconds(now),
  log: formatCombinedLine(now, path),
});

export const fluentBit = {
  name: 'fluent-bit',
  label: 'Fluent Bit',
  keys: { ...PARSER_KEYS, client: 'remote' },
  // Keys produced by the `apache2` parser. They are tried last, because `host` means the Host header in other logs.
  fallbackKeys: { ...PARSER_KEYS, client: 'host' },
  sample: (options) => [
    {
      name: 'array',
      headers: createJsonHeaders(options),
      body: JSON.stringify(createSampleLines((path) => createLine(options.now, path))),
    },
  ],
  guide: {
    lead: 'Fluent Bit tails your servers’ logs and forwards them. Lines can be in any format supported by logs import, either raw or parsed to JSON.',
    parts: (destination) => [{ title: 'In fluent-bit.yaml', text: toOutputConfig(destination) }],
    settings: [],
    isRemote: false,
    verifiedBy:
      'Depends on the log. Agents with published IP addresses or host names can always be verified. Signatures require a log with all headers, such as Caddy’s JSON.',
    lacks: 'Anything that your log omits.',
  },
} as const satisfies DrainSender;
