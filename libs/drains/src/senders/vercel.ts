import { VERIFIED_BY_ADDRESS, toBearerHeader, toDrainUrl } from '../guide-text.js';
import { createJsonHeaders, SAMPLE, createSampleLines } from '../sample-lines.js';
import type { DrainSender } from '../sender.js';

const createLine = (now: Date, path: string): object => ({
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
  // Source: vercel.com/docs/drains/security.
  signature: { header: 'x-vercel-signature', algorithm: 'sha1', secret: 'vercelSecret' },
  verification: { header: 'x-vercel-verify', value: 'vercelVerify' },
  sample: (options) => [
    {
      name: `array, ${options.isSigned ? 'signed' : 'unsigned'}`,
      headers: createJsonHeaders(options),
      body: JSON.stringify(createSampleLines((path) => createLine(options.now, path))),
    },
  ],
  guide: {
    lead: 'A drain sends your deployments’ logs as they are written. In Vercel, go to your team settings → Drains → Add drain → Logs. Select all sources except Build, and the Production environment. Drains require a Pro or Enterprise plan.',
    parts: (destination) => [
      { title: 'Endpoint URL, with NDJSON or JSON format', text: toDrainUrl(destination, 'vercel') },
      { title: 'Custom header', text: `Authorization: ${toBearerHeader(destination)}` },
    ],
    settings: ['vercel_secret', 'vercel_verify'],
    isRemote: true,
    verifiedBy: VERIFIED_BY_ADDRESS,
    lacks:
      'Durations, and all headers except User-Agent and Referer, so signatures can’t be verified. Build output, previews and background revalidations are skipped.',
  },
} as const satisfies DrainSender;
