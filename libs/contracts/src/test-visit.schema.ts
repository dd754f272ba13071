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

/** Maximum number of rejected requests retained per project, and for all unknown tokens. */
export const MAX_REJECTED_REQUESTS = { project: 10, unknown: 100 };

/** Request that the public API rejected, without its body, headers and credentials. */
export const RejectedRequestSchema = Type.Object(
  {
    id: Type.String(),
    refused_at: Type.String({ format: 'date-time', description: 'Time at which the request was last rejected' }),
    times: Type.Integer({ minimum: 1, description: 'Number of identical requests received within a second' }),
    method: Type.String(),
    path: Type.String({ examples: ['/visits'] }),
    status: Type.Integer(),
    code: Type.String({ description: 'Problem code, as in the problem `type`', examples: ['invalid-body'] }),
    title: Type.String(),
    detail: Type.String({ description: 'Problem detail, or the first of several errors' }),
    pointer: nullable<string>('string', { description: 'JSON Pointer to the invalid field. Null if there is none.' }),
    token_name: nullable<string>('string', { description: 'Name of the access token used. Null if unknown.' }),
    client_address: Type.String(),
  },
  { $id: 'RefusedRequest' },
);
export const RejectedRequestListSchema = Type.Object(
  { refused_requests: Type.Array(RejectedRequestSchema, { description: 'Rejected requests, newest first' }) },
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
        "`requesting` means the request is in flight. `waiting` means the site has responded but hasn't reported the visit yet.",
    }),
    url: nullable<string>('string', { description: 'Last requested URL' }),
    outcome: Type.Unsafe<TestVisitOutcome | null>({ type: ['string', 'null'], enum: [...TEST_VISIT_OUTCOMES, null] }),
    message: nullable<string>('string', { description: 'Human-readable result' }),
    next_steps: Type.Array(Type.String(), { description: 'Suggested next steps' }),
    answer: Type.Unsafe<SiteResponse | null>({
      type: ['object', 'null'],
      description: 'Response from the site. Null if there is none yet.',
      properties: { status: Type.Integer(), milliseconds: Milliseconds },
      required: ['status', 'milliseconds'],
    }),
    report: Type.Unsafe<SiteReport | null>({
      type: ['object', 'null'],
      description: 'Visit that the site reported. Null if there is none yet.',
      properties: {
        visit_id: Id,
        milliseconds: Type.Integer({
          minimum: 0,
          description: 'Time from the request until the visit was stored, in milliseconds',
        }),
        result: { type: 'string', enum: [...IDENTIFICATION_RESULTS] },
        reason: openEnum<string | null>([...IDENTIFICATION_REASONS, null], 'Reason the visit is not verified'),
      },
      required: ['visit_id', 'milliseconds', 'result', 'reason'],
    }),
    refused_request: Type.Unsafe<RejectedRequest | null>({ anyOf: [RejectedRequestSchema, { type: 'null' }] }),
  },
  { $id: 'SiteTestVisit', description: 'Request from the test agent to the site, and its result' },
);

export const NewSampleVisitSchema = Type.Object({}, { $id: 'NewSampleVisit', additionalProperties: false });

export const SampleVisitSchema = Type.Object(
  { visit_id: Type.String({ format: 'uuid', description: 'ID of the visit, which becomes visible a moment later' }) },
  { $id: 'SampleVisit' },
);

/** Request header that marks sample visits. */
export const SAMPLE_VISIT_HEADER = 'x-agent-traffic-sample';

export interface SiteResponse {
  status: number;
  milliseconds: number;
}

export interface SiteReport {
  visit_id: string;
  milliseconds: number;
  result: IdentificationResult;
  reason: string | null;
}

export type RejectedRequest = Static<typeof RejectedRequestSchema>;
export type SiteTestVisit = Static<typeof SiteTestVisitSchema>;
