import { IDENTIFICATION_REASONS } from '#libs/agents/vocabulary';
import { Type, type Static } from 'typebox';
import { IDENTIFICATION_RESULTS, type IdentificationResult } from './enriched-visit.schema.js';
import { openEnum } from './open-enum.js';
import { SITE_PATH_PATTERN } from './patterns.js';

/** The query parameter that marks the request of a test visit. It also keeps caches from answering. */
export const TEST_VISIT_PARAMETER = 'agent-traffic-test';

const Id = Type.String({ format: 'uuid' });
const Time = Type.String({ format: 'date-time' });
const Milliseconds = Type.Integer({ minimum: 0 });
const nullable = <T>(type: string, extra: object = {}) => Type.Unsafe<T | null>({ type: [type, 'null'], ...extra });

/** Kept of what was refused: of each project, and of those whose token nobody knows. */
export const KEPT_REFUSED_REQUESTS = { project: 10, unknown: 100 };

/** A request that the public interface refused. No body, no header, no credential. */
export const RefusedRequestSchema = Type.Object(
  {
    id: Type.String(),
    refused_at: Type.String({ format: 'date-time', description: 'The last time' }),
    times: Type.Integer({ minimum: 1, description: 'Equal ones within a second are counted together' }),
    method: Type.String(),
    path: Type.String({ examples: ['/visits'] }),
    status: Type.Integer(),
    code: Type.String({ description: 'Kind of the problem, as in its `type`', examples: ['invalid-body'] }),
    title: Type.String(),
    detail: Type.String({ description: 'What is wrong; of several faults the first' }),
    pointer: nullable<string>('string', { description: 'JSON Pointer to the field at fault' }),
    token_name: nullable<string>('string', { description: 'The access token it was sent with, where that is known' }),
    client_address: Type.String(),
  },
  { $id: 'RefusedRequest' },
);
export const RefusedRequestListSchema = Type.Object(
  { refused_requests: Type.Array(RefusedRequestSchema, { description: 'Newest first' }) },
  { $id: 'RefusedRequestList' },
);

/** How a test visit can end. */
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
        description: "A page of the site; absent: the project's site address",
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
      description: '`waiting`: the site has answered, its report is waited for',
    }),
    url: nullable<string>('string', { description: 'What was requested last' }),
    outcome: Type.Unsafe<TestVisitOutcome | null>({ type: ['string', 'null'], enum: [...TEST_VISIT_OUTCOMES, null] }),
    message: nullable<string>('string', { description: 'What came of it, for people' }),
    next_steps: Type.Array(Type.String(), { description: 'What to do about it' }),
    answer: Type.Unsafe<SiteAnswer | null>({
      type: ['object', 'null'],
      description: 'What the site answered',
      properties: { status: Type.Integer(), milliseconds: Milliseconds },
      required: ['status', 'milliseconds'],
    }),
    report: Type.Unsafe<SiteReport | null>({
      type: ['object', 'null'],
      description: 'The visit that the site reported',
      properties: {
        visit_id: Id,
        milliseconds: Type.Integer({ minimum: 0, description: 'From the request to the stored visit' }),
        result: { type: 'string', enum: [...IDENTIFICATION_RESULTS] },
        reason: openEnum<string | null>([...IDENTIFICATION_REASONS, null], 'Why it is not verified'),
      },
      required: ['visit_id', 'milliseconds', 'result', 'reason'],
    }),
    refused_request: Type.Unsafe<RefusedRequest | null>({ anyOf: [RefusedRequestSchema, { type: 'null' }] }),
  },
  { $id: 'SiteTestVisit', description: 'A request of the test agent to the site, and what came of it' },
);

/** Nothing to say. */
export const NewSampleVisitSchema = Type.Object({}, { $id: 'NewSampleVisit', additionalProperties: false });

export const SampleVisitSchema = Type.Object(
  { visit_id: Type.String({ format: 'uuid', description: 'Of the visit, which shows a moment later' }) },
  { $id: 'SampleVisit' },
);

/** Header that marks a sample visit. */
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
