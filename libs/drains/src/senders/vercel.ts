import { BY_ADDRESS, bearer, urlOf } from '../guide-text.js';
import { bearerJson, SAMPLE, sampleLines } from '../sample-lines.js';
import type { DrainSender } from '../sender.js';

const line = (now: Date, path: string): object => ({
  id: crypto.randomUUID(),
  deploymentId: 'dpl_test',
  source: 'static',
  host: SAMPLE.host,
  timestamp: now.getTime(),
  projectId: 'prj_test',
  level: 'info',
  environment: 'production',
  requestId: crypto.randomUUID(),
  proxy: {
    timestamp: now.getTime(),
    method: 'GET',
    host: SAMPLE.host,
    path,
    userAgent: [SAMPLE.userAgent],
    region: 'fra1',
    statusCode: 200,
    clientIp: SAMPLE.client,
  },
});

export const vercel = {
  name: 'vercel',
  label: 'Vercel',
  // vercel.com/docs/drains/security
  signature: { header: 'x-vercel-signature', algorithm: 'sha1', secret: 'vercelSecret' },
  verification: { header: 'x-vercel-verify', value: 'vercelVerify' },
  sample: (options) => [
    {
      name: `an array, ${options.isSigned ? 'signed' : 'not signed'}`,
      headers: bearerJson(options),
      body: JSON.stringify(sampleLines((path) => line(options.now, path))),
    },
  ],
  guide: {
    lead: 'A drain sends the logs of your deployments as they are written. In Vercel: team settings → Drains → Add drain → Logs, with all sources but Build and the environment Production. Plans Pro and Enterprise have drains.',
    parts: (destination) => [
      { title: 'Endpoint URL, with the format NDJSON or JSON', text: urlOf(destination, 'vercel') },
      { title: 'Custom header', text: `Authorization: ${bearer(destination)}` },
    ],
    settings: ['vercel_secret', 'vercel_verify'],
    isRemote: true,
    verifiedBy: BY_ADDRESS,
    lacks:
      'Durations, and all headers but the user agent and the referer, so no signatures. Build output, previews and background revalidations are left out.',
  },
} as const satisfies DrainSender;
