import {
  IDENTIFICATION_REASONS,
  IDENTIFICATION_RESULTS,
  METHODS,
  type IdentificationResult,
  type VerificationMethod,
} from '#libs/agents/vocabulary';
import { Type, type Static } from 'typebox';
import { AGENT_TYPES } from './agent-type.js';
import { EvidenceSchema } from './evidence.schema.js';
import { AutomationSchema, ReferralSchema, RobotsJudgmentSchema } from './insights.schema.js';
import { openEnum } from './open-enum.js';
import { VisitSchema, type Visit } from './visit.schema.js';

export { IDENTIFICATION_RESULTS, type IdentificationResult } from '#libs/agents/vocabulary';

const nullable = (type: string, extra: object = {}) => Type.Unsafe<string | null>({ type: [type, 'null'], ...extra });

/** What a project keeps of visits of unknown visitors. */
export const UNKNOWN_VISITORS = ['kept', 'reduced', 'counted'] as const;
export type UnknownVisitors = (typeof UNKNOWN_VISITORS)[number];

export const EnrichedIdentificationSchema = Type.Object(
  {
    result: openEnum<IdentificationResult>(IDENTIFICATION_RESULTS, 'Whether the visitor is who it says it is'),
    agent_id: nullable('string', { description: 'UUIDv5 of the lower-cased token' }),
    agent_token: nullable('string', { description: 'Product token of the agent; null for an unknown one' }),
    agent_url: nullable('string', { description: 'Where its operator describes it' }),
    agent_type_name: nullable('string', { description: 'What kind of agent it is', examples: [AGENT_TYPES[13]] }),
    operator_name: nullable('string', { description: 'The company behind it' }),
    method: openEnum<VerificationMethod | null>(
      [...(Object.keys(METHODS) as VerificationMethod[]), null],
      'What decided',
    ),
    reason: openEnum<string | null>([...IDENTIFICATION_REASONS, null], 'Why the result is what it is'),
    evidence: EvidenceSchema,
    catalog_version: Type.String({ description: 'Version of the list of agents it was looked up in' }),
  },
  { $id: 'EnrichedIdentification', description: 'Who it was, and how that is known' },
);

const ReidentifiedSchema = Type.Object(
  {
    at: Type.String({ format: 'date-time', description: 'When it was judged as it is now' }),
    earlier: Type.Object(
      {
        identification: Type.Unsafe<Static<typeof EnrichedIdentificationSchema>>({
          type: 'object',
          description: 'Without evidence where that is not kept',
        }),
        robots: Type.Optional(RobotsJudgmentSchema),
        referral: Type.Optional(ReferralSchema),
        automation: Type.Optional(AutomationSchema),
      },
      { description: 'The members of these names as they were when the visit was received' },
    ),
  },
  {
    description: 'Of a visit that was identified again after it was stored: when, and its first judgment',
  },
);

/** Message body on `visits.enriched.v1`; an item of the timeline has its network beside it. Times are RFC 3339, UTC, ms. */
export const EnrichedVisitSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'UUIDv7; the same on every redelivery' }),
    project_id: Type.String({ format: 'uuid', description: 'The project that reported it' }),
    received_at: Type.String({ format: 'date-time', description: 'When it was reported; the time in the id' }),
    occurred_at: Type.String({ format: 'date-time', description: 'Never after received_at' }),
    client_address: nullable('string', { description: 'IPv4 or IPv6 address, or null when none can be believed' }),
    visit: VisitSchema,
    identification: EnrichedIdentificationSchema,
    robots: Type.Optional(RobotsJudgmentSchema),
    referral: Type.Optional(ReferralSchema),
    automation: Type.Optional(AutomationSchema),
    kept_as: Type.Optional(
      openEnum<Exclude<UnknownVisitors, 'kept'>>(
        ['reduced', 'counted'],
        'What the project keeps of a visit of an unknown visitor; absent where it is all. `reduced`: without address, and with few headers. `counted`: nothing but the counts, and this message',
      ),
    ),
    reidentified: Type.Optional(ReidentifiedSchema),
  },
  { $id: 'EnrichedVisit' },
);

export type EnrichedIdentification = Static<typeof EnrichedIdentificationSchema>;
export type EnrichedVisit = Omit<Static<typeof EnrichedVisitSchema>, 'visit'> & { visit: Visit };
