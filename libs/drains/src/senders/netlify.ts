import { BY_ADDRESS, urlOf } from '../guide-text.js';
import { JSON_TYPE, ndjson, SAMPLE, sampleLines } from '../sample-lines.js';
import type { DrainSender } from '../sender.js';

const line = (now: Date, path: string): object => ({
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
      name: 'lines, with the token in the address',
      headers: JSON_TYPE,
      query: `?token=${token}`,
      body: ndjson(sampleLines((path) => line(now, path))),
    },
  ],
  guide: {
    lead: 'A log drain sends the traffic of a site. Netlify can’t set a header, so first allow the access token in the URL below and save. Then, in Netlify: your site → Logs & metrics → Log drains → Enable a log drain → General HTTP endpoint. The plan Enterprise has log drains.',
    parts: (destination) => [
      {
        title: 'Full URL, with the format NDJSON',
        text: `${urlOf(destination, 'netlify')}?token=${destination.token}`,
      },
      { title: 'Log types', text: 'Traffic' },
    ],
    settings: ['allows_token_in_url'],
    isRemote: true,
    verifiedBy: `${BY_ADDRESS} Leave “Exclude PII” off: it removes addresses and user agents.`,
    lacks: 'All headers but the user agent and the referer, so no signatures.',
  },
} as const satisfies DrainSender;
