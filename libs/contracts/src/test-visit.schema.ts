import { IDENTIFICATION_REASONS } from '#libs/agents/vocabulary';
import { Type, type Static } from 'typebox';
import { IDENTIFICATION_RESULTS, type IdentificationResult } from './enriched-visit.schema.js';
import { openEnum } from './open-enum.js';
import { SITE_PATH_PATTERN } from './patterns.js';

/** Query parameter that marks a test visit. It also bypasses caches. */
export const TEST_VISIT_PARAMETER = 'agent-traffic-test';

const Id = Type.String({ format: 'uuid' });
const Time = Type.String({ format: 'date-time' });
const Milliseconds = Type.Integer({ minimum: 0 });
const nullable = <T>(type: string, extra: object = {}) => Type.Unsafe<T | null>({ type: [type, 'null'], ...extra });

/** Number of refused requests kept per project, and for unknown tokens. */
export const MAX_REFUSED_REQUESTS = { project: 10, unknown: 100 };

/** Request refused by the public API, without body, headers and credentials. */
export const RefusedRequestSchema = Type.Object(
  {
    id: Type.String(),
    refused_at: Type.String({ format: 'date-time', description: 'When the request was last refused' }),
    times: Type.Integer({ minimum: 1, description: 'Number of identical requests within a second' }),
    method: Type.String(),
    path: Type.String({ examples: ['/visits'] }),
    status: Type.Integer(),
    code: Type.String({ description: 'Problem code, as in the `type`', examples: ['invalid-body'] }),
    title: Type.String(),
    detail: Type.String({ description: 'Problem detail, or the first fault of several' }),
    pointer: nullable<string>('string', { description: 'JSON Pointer to the invalid field' }),
    token_name: nullable<string>('string', { description: 'Name of the access token used. Null if unknown.' }),
    client_address: Type.String(),
  },
  { $id: 'RefusedRequest' },
);
export const RefusedRequestListSchema = Type.Object(
  { refused_requests: Type.Array(RefusedRequestSchema, { description: 'Refused requests, newest first' }) },
  { $id: 'RefusedRequestList' },
);

export const TEST_VISIT_OUTCOMES = [
  'arrived',
  'no_site_address',
  'name_not_resolved',
  'address_refused',
  'connection_refused',
  'tls_failed',
  'timed_out',
  'unreachable',
  'redirected_away',
  'too_many_redirects',
  'not_reported',
  'report_refused',
  'reported_elsewhere',
  'interrupted',
] as const;
export type TestVisitOutcome = (typeof TEST_VISIT_OUTCOMES)[number];

export const NewSiteTestVisitSchema = Type.Object(
  {
    path: Type.Optional(
      Type.String({
        pattern: SITE_PATH_PATTERN,
        maxLength: 1_024,
        description: "Path of a page on the site. Default: the project's site address.",
      }),
    ),
  },
  { $id: 'NewSiteTestVisit', additionalProperties: false },
);

export const SiteTestVisitSchema = Type.Object(
  {
    id: Id,
    project_id: Id,
    started_at: Time,
    finished_at: nullable<string>('string', { format: 'date-time' }),
    stage: Type.Unsafe<'requesting' | 'waiting' | 'finished'>({
      type: 'string',
      enum: ['requesting', 'waiting', 'finished'],
      description:
        '`requesting`: the request is in flight. `waiting`: the site has responded but not yet reported the visit.',
    }),
    url: nullable<string>('string', { description: 'Last requested URL' }),
    outcome: Type.Unsafe<TestVisitOutcome | null>({ type: ['string', 'null'], enum: [...TEST_VISIT_OUTCOMES, null] }),
    message: nullable<string>('string', { description: 'Human-readable result' }),
    next_steps: Type.Array(Type.String(), { description: 'Suggested next steps' }),
    answer: Type.Unsafe<SiteAnswer | null>({
      type: ['object', 'null'],
      description: 'Response of the site',
      properties: { status: Type.Integer(), milliseconds: Milliseconds },
      required: ['status', 'milliseconds'],
    }),
    report: Type.Unsafe<SiteReport | null>({
      type: ['object', 'null'],
      description: 'Visit that the site reported',
      properties: {
        visit_id: Id,
        milliseconds: Type.Integer({
          minimum: 0,
          description: 'Time from the request until the visit was stored, in milliseconds',
        }),
        result: { type: 'string', enum: [...IDENTIFICATION_RESULTS] },
        reason: openEnum<string | null>([...IDENTIFICATION_REASONS, null], 'Why the visit is not verified'),
      },
      required: ['visit_id', 'milliseconds', 'result', 'reason'],
    }),
    refused_request: Type.Unsafe<RefusedRequest | null>({ anyOf: [RefusedRequestSchema, { type: 'null' }] }),
  },
  { $id: 'SiteTestVisit', description: 'Request of the test agent to the site, and its result' },
);

export const NewSampleVisitSchema = Type.Object({}, { $id: 'NewSampleVisit', additionalProperties: false });

export const SampleVisitSchema = Type.Object(
  { visit_id: Type.String({ format: 'uuid', description: 'ID of the visit. It becomes visible a moment later.' }) },
  { $id: 'SampleVisit' },
);

/** Header that marks sample visits. */
export const SAMPLE_VISIT_HEADER = 'x-agent-traffic-sample';

export interface SiteAnswer {
  status: number;
  milliseconds: number;
}

export interface SiteReport {
  visit_id: string;
  milliseconds: number;
  result: IdentificationResult;
  reason: string | null;
}

export type RefusedRequest = Static<typeof RefusedRequestSchema>;
export type SiteTestVisit = Static<typeof SiteTestVisitSchema>;
