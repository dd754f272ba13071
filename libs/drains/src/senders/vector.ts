import { toDrainUrl } from '../guide-text.js';
import { createJsonHeaders, formatCombinedLine, createSampleLines } from '../sample-lines.js';
import type { Destination, DrainSender } from '../sender.js';

const toSinkConfig = (destination: Destination): string => `sinks:
  agent_traffic:
    type: http
    inputs: [access_log] # your source
    uri: ${toDrainUrl(destination, 'vector')}
    method: post
    compression: gzip
    encoding:
      codec: json
    framing:
      method: newline_delimited
    auth:
      strategy: bearer
      token: ${destination.token}
    acknowledgements:
      enabled: true`;

const createLine = (now: Date, path: string): object => ({
  timestamp: now.toISOString(),
  source_type: 'file',
  message: formatCombinedLine(now, path),
});

export const vector = {
  name: 'vector',
  label: 'Vector',
  sample: (options) => [
    {
      name: 'array, zstd',
      headers: createJsonHeaders(options),
      body: JSON.stringify(createSampleLines((path) => createLine(options.now, path))),
      encoding: 'zstd',
    },
  ],
  guide: {
    lead: 'Vector tails your servers’ logs and forwards them. Lines can be in any format supported by logs import, either raw or parsed to JSON.',
    parts: (destination) => [{ title: 'In vector.yaml', text: toSinkConfig(destination) }],
    settings: [],
    isRemote: false,
    verifiedBy:
      'Depends on the log. Agents with published IP addresses or host names can always be verified. Signatures require a log with all headers, such as Caddy’s JSON.',
    lacks: 'Anything that your log omits.',
  },
} as const satisfies DrainSender;
