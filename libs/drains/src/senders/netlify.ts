import { VERIFIED_BY_ADDRESS, toDrainUrl } from '../guide-text.js';
import { JSON_HEADERS, toNdjson, SAMPLE, createSampleLines } from '../sample-lines.js';
import type { DrainSender } from '../sender.js';

const createLine = (now: Date, path: string): object => ({
  timestamp: now.toISOString(),
  log_type: 'traffic',
  request_id: crypto.randomUUID(),
  method: 'GET',
  url: `https://${SAMPLE.host}${path}`,
  status_code: 200,
  duration: 12,
  client_ip: SAMPLE.client,
  user_agent: SAMPLE.userAgent,
});

export const netlify = {
  name: 'netlify',
  label: 'Netlify',
  sample: ({ token, now }) => [
    {
      name: 'lines, token in the URL',
      headers: JSON_HEADERS,
      query: `?token=${token}`,
      body: toNdjson(createSampleLines((path) => createLine(now, path))),
    },
  ],
  guide: {
    lead: 'A log drain sends a site’s traffic. Netlify can’t set headers, so first allow the access token in the URL below and save. Then select your site in Netlify and go to Logs & metrics → Log drains → Enable a log drain → General HTTP endpoint. Log drains require the Enterprise plan.',
    parts: (destination) => [
      {
        title: 'Full URL, with NDJSON format',
        text: `${toDrainUrl(destination, 'netlify')}?token=${destination.token}`,
      },
      { title: 'Log types', text: 'Traffic' },
    ],
    settings: ['allows_token_in_url'],
    isRemote: true,
    verifiedBy: `${VERIFIED_BY_ADDRESS} Leave “Exclude PII” turned off, because it removes addresses and user agents.`,
    lacks: 'All headers except User-Agent and Referer, so signatures can’t be verified.',
  },
} as const satisfies DrainSender;
