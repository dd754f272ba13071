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

/** How a project stores visits of unknown visitors. */
export const UNKNOWN_VISITORS = ['kept', 'reduced', 'counted'] as const;
export type UnknownVisitors = (typeof UNKNOWN_VISITORS)[number];

export const EnrichedIdentificationSchema = Type.Object(
  {
    result: openEnum<IdentificationResult>(
      IDENTIFICATION_RESULTS,
      'Whether the visitor is the agent that it claims to be',
    ),
    agent_id: nullable('string', { description: 'Agent ID: UUIDv5 of the lower-cased token' }),
    agent_token: nullable('string', { description: 'Product token of the agent. Null for unknown visitors.' }),
    agent_url: nullable('string', { description: "URL of the operator's page about the agent" }),
    agent_type_name: nullable('string', { description: 'Agent type', examples: [AGENT_TYPES[13]] }),
    operator_name: nullable('string', { description: 'Company that operates the agent' }),
    method: openEnum<VerificationMethod | null>(
      [...(Object.keys(METHODS) as VerificationMethod[]), null],
      'Verification method that determined the result',
    ),
    reason: openEnum<string | null>([...IDENTIFICATION_REASONS, null], 'Reason for the result'),
    evidence: EvidenceSchema,
    catalog_version: Type.String({ description: 'Version of the agent catalog used' }),
  },
  { $id: 'EnrichedIdentification', description: 'Identified agent, and how it was verified' },
);

const ReidentifiedSchema = Type.Object(
  {
    at: Type.String({ format: 'date-time', description: 'When the visit was re-identified' }),
    earlier: Type.Object(
      {
        identification: Type.Unsafe<Static<typeof EnrichedIdentificationSchema>>({
          type: 'object',
          description: 'Earlier identification. Has no evidence if evidence is not kept.',
        }),
        robots: Type.Optional(RobotsJudgmentSchema),
        referral: Type.Optional(ReferralSchema),
        automation: Type.Optional(AutomationSchema),
      },
      { description: 'Values of these fields when the visit was received' },
    ),
  },
  {
    description: 'Time of the re-identification, and the original values. Absent if the visit was never re-identified.',
  },
);

/** Message body on `visits.enriched.v1`. Times are RFC 3339 in UTC with milliseconds. */
export const EnrichedVisitSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Visit ID: a UUIDv7 that stays the same on redelivery' }),
    project_id: Type.String({ format: 'uuid', description: 'ID of the project that reported the visit' }),
    received_at: Type.String({
      format: 'date-time',
      description: 'When the visit was reported. Equals the time in the ID.',
    }),
    occurred_at: Type.String({
      format: 'date-time',
      description: 'When the visit occurred. Never after `received_at`.',
    }),
    client_address: nullable('string', { description: 'Client IPv4 or IPv6 address. Null if none can be trusted.' }),
    visit: VisitSchema,
    identification: EnrichedIdentificationSchema,
    robots: Type.Optional(RobotsJudgmentSchema),
    referral: Type.Optional(ReferralSchema),
    automation: Type.Optional(AutomationSchema),
    kept_as: Type.Optional(
      openEnum<Exclude<UnknownVisitors, 'kept'>>(
        ['reduced', 'counted'],
        'How the visit of an unknown visitor is stored. `reduced`: without address, and with few headers. `counted`: only counted, and published in this message. Absent if stored in full.',
      ),
    ),
    reidentified: Type.Optional(ReidentifiedSchema),
  },
  { $id: 'EnrichedVisit' },
);

export type EnrichedIdentification = Static<typeof EnrichedIdentificationSchema>;
export type EnrichedVisit = Omit<Static<typeof EnrichedVisitSchema>, 'visit'> & { visit: Visit };
