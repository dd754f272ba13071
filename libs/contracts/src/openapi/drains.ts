import { DRAIN_SOURCES } from '#libs/drains';
import { Type } from 'typebox';
import {
  DRAIN_LIMITS,
  DrainListSchema,
  DrainReceiptSchema,
  DrainSettingsChangeSchema,
  DrainSettingsSchema,
  DrainSourceSchema,
  FirehoseReceiptSchema,
  FirehoseRefusalSchema,
} from '../drain.schema.js';
import { operation } from './operation.js';
import { BODY, one, PROJECT } from './parameters.js';

const MIB = 1024 * 1024;

export const receiveDrain = operation({
  method: 'post',
  path: '/drains/{source}',
  id: 'receiveDrain',
  access: 'token',
  purpose: 'drain',
  tag: 'Drains',
  summary: 'Record the visits of a log that a server, a CDN or a collector sends',
  description: [
    'JSON lines, an array of objects, one object, or what the source wraps its lines in, whatever Content-Type says. gzip,',
    'zlib and zstd are told by their first bytes. The token is a bearer token, the password of Basic authentication, the',
    'access key of Firehose or, if the project allows it, the parameter `token`. 200 means that the visits are safe. A line',
    'that cannot be read costs no other line. Lines that come again are recorded once.',
    `A body has up to ${DRAIN_LIMITS.bytes / MIB} MiB as sent, ${DRAIN_LIMITS.decodedBytes / MIB} MiB decoded`,
    `(${DRAIN_LIMITS.documentBytes / MIB} MiB where it is one JSON document), and ${DRAIN_LIMITS.lines} lines.`,
  ].join(' '),
  params: { source: { description: `One of: ${DRAIN_SOURCES.join(', ')}`, schema: DrainSourceSchema } },
  query: { token: one('The access token, if the project allows it here') },
  ignoresOtherQuery: true,
  headers: {
    'X-Amz-Firehose-Access-Key': Type.String({ description: 'The access token, from Firehose' }),
    'X-Amz-Firehose-Request-Id': Type.String({ description: 'Returned to Firehose' }),
    'X-Vercel-Signature': Type.String({ description: 'HMAC-SHA1 of the body, hex, where the project has a secret' }),
  },
  body: Type.Unsafe<unknown>({ description: 'Lines of a log' }),
  checksBody: 'bytes',
  maxRawBytes: DRAIN_LIMITS.bytes,
  answer: Type.Union([DrainReceiptSchema, FirehoseReceiptSchema]),
  answerHeaders: {
    'X-Vercel-Verify': 'To Vercel, where the project has it',
    RateLimit: 'Visits left, where a rate limit is set',
  },
  problems: [...BODY, 403, 404, 429],
  otherProblem: FirehoseRefusalSchema,
});

/** Fastly asks it before a service may log to this host; part of no interface. */
export const answerFastlyChallenge = operation({
  method: 'get',
  path: '/.well-known/fastly/logging/challenge',
  id: 'answerFastlyChallenge',
  access: 'open',
  tag: 'Drains',
  summary: 'Get the SHA-256 hashes of the Fastly service IDs that may log here, hex, one per line',
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
  summary: 'List log sources with their last batch and last unreadable lines',
  description: 'A batch shows two seconds after it was received.',
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

/** What people see and set of drains. */
export const DRAIN_OPERATIONS = [listDrains, getDrainSettings, changeDrainSettings];
