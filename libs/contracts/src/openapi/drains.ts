import { DRAIN_SENDERS, DRAIN_SOURCES } from '#libs/drains';
import { Type } from 'typebox';
import {
  DRAIN_LIMITS,
  DrainListSchema,
  DrainReceiptSchema,
  DrainSettingsChangeSchema,
  DrainSettingsSchema,
  DrainSourceSchema,
  FirehoseReceiptSchema,
  FirehoseErrorSchema,
} from '../drain.schema.js';
import { operation } from './operation.js';
import { BODY, singleParameter, PROJECT } from './parameters.js';

const MIB = 1024 * 1024;

export const receiveDrain = operation({
  method: 'post',
  path: '/drains/{source}',
  id: 'receiveDrain',
  access: 'token',
  purpose: 'drain',
  tag: 'Drains',
  summary: 'Record visits from the logs of a server, CDN or log collector',
  description: [
    'Accepts JSON Lines, an array of objects, a single object, or the wrapper format of the source. The Content-Type',
    'header is ignored, and gzip, zlib and zstd are detected from the first bytes. Send the access token as a bearer token,',
    'as the Basic authentication password, in a sender-specific header or, if the project allows it, in the `token`',
    'parameter. Status 200 means that the visits are stored durably. Unreadable lines are skipped. Duplicates are ignored.',
    `Limits: ${DRAIN_LIMITS.bytes / MIB} MiB as sent, ${DRAIN_LIMITS.decodedBytes / MIB} MiB decoded`,
    `(${DRAIN_LIMITS.documentBytes / MIB} MiB for a single JSON document), and ${DRAIN_LIMITS.lines} lines.`,
  ].join(' '),
  params: { source: { description: `One of: ${DRAIN_SOURCES.join(', ')}`, schema: DrainSourceSchema } },
  query: { token: singleParameter('Access token. Only accepted if the project allows tokens in URLs.') },
  ignoresOtherQuery: true,
  headers: {
    ...Object.fromEntries(
      DRAIN_SENDERS.flatMap(({ label, tokenHeader }) =>
        tokenHeader === undefined
          ? []
          : [[tokenHeader, Type.String({ description: `Access token, sent by ${label}` })]],
      ),
    ),
    'X-Amz-Firehose-Request-Id': Type.String({ description: 'Request ID, returned to Firehose' }),
    'X-Vercel-Signature': Type.String({
      description: 'Hex-encoded HMAC-SHA1 of the body. Required if the project has a Vercel secret.',
    }),
  },
  body: Type.Unsafe<unknown>({ description: 'Log lines' }),
  checksBody: 'bytes',
  maxRawBytes: DRAIN_LIMITS.bytes,
  answer: Type.Union([DrainReceiptSchema, FirehoseReceiptSchema]),
  answerHeaders: {
    'X-Vercel-Verify': 'Verification token for Vercel, if the project has one',
    RateLimit: 'Number of visits remaining before the rate limit is reached. Absent if no rate limit is set.',
  },
  problems: [...BODY, 403, 404, 429],
  otherProblem: FirehoseErrorSchema,
});

/** Fastly calls this before it allows a service to send logs to this host. Excluded from the OpenAPI documents. */
export const answerFastlyChallenge = operation({
  method: 'get',
  path: '/.well-known/fastly/logging/challenge',
  id: 'answerFastlyChallenge',
  access: 'open',
  tag: 'Drains',
  summary: 'Get the hex-encoded SHA-256 hashes of the Fastly service IDs that are allowed to send logs, one per line',
  mediaType: 'text/plain',
  answer: Type.String(),
  problems: [404],
});

export const listDrains = operation({
  method: 'get',
  path: '/api/projects/{id}/drains',
  id: 'listDrains',
  access: 'viewer',
  tag: 'Connecting a site',
  summary: 'List log sources, including their last batch and most recent unreadable lines',
  description: 'A batch appears in the list two seconds after it is received.',
  params: { id: PROJECT },
  answer: DrainListSchema,
  problems: [404],
});

export const getDrainSettings = operation({
  method: 'get',
  path: '/api/projects/{id}/drain-settings',
  id: 'getDrainSettings',
  version: 'read',
  access: 'viewer',
  tag: 'Connecting a site',
  summary: "Get a project's drain settings",
  params: { id: PROJECT },
  answer: DrainSettingsSchema,
  problems: [404],
});

export const changeDrainSettings = operation({
  method: 'patch',
  path: '/api/projects/{id}/drain-settings',
  id: 'changeDrainSettings',
  version: 'change',
  access: 'member',
  tag: 'Connecting a site',
  summary: "Update a project's drain settings",
  params: { id: PROJECT },
  body: DrainSettingsChangeSchema,
  answer: DrainSettingsSchema,
  problems: [404, ...BODY],
});

/** Drain operations in the dashboard API. */
export const DRAIN_OPERATIONS = [listDrains, getDrainSettings, changeDrainSettings];
