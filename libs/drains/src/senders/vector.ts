import { urlOf } from '../guide-text.js';
import { bearerJson, combinedLine, sampleLines } from '../sample-lines.js';
import type { Destination, DrainSender } from '../sender.js';

const sinkOf = (destination: Destination): string => `sinks:
  agent_traffic:
    type: http
    inputs: [access_log] # your source
    uri: ${urlOf(destination, 'vector')}
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

const line = (now: Date, path: string): object => ({
  timestamp: now.toISOString(),
  source_type: 'file',
  message: combinedLine(now, path),
});

export const vector = {
  name: 'vector',
  label: 'Vector',
  sample: (options) => [
    {
      name: 'an array, zstd',
      headers: bearerJson(options),
      body: JSON.stringify(sampleLines((path) => line(options.now, path))),
      encoding: 'zstd',
    },
  ],
  guide: {
    lead: 'Vector follows your servers’ logs and sends them on. Lines can be in any format that logs import reads, raw or parsed to JSON.',
    parts: (destination) => [{ title: 'In vector.yaml', text: sinkOf(destination) }],
    settings: [],
    isRemote: false,
    verifiedBy: 'What the log allows: addresses always, signatures if it has all headers, as Caddy’s JSON does.',
    lacks: 'Whatever your log leaves out.',
  },
} as const satisfies DrainSender;
