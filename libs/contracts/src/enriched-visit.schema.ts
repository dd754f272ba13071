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
import { MAX_VISIT_DECISIONS, PolicyDecisionSchema } from './policy.schema.js';
import { openEnum } from './open-enum.js';
import { VisitSchema, type Visit } from './visit.schema.js';

export { IDENTIFICATION_RESULTS, type IdentificationResult } from '#libs/agents/vocabulary';

const nullable = (type: string, extra: object = {}) => Type.Unsafe<string | null>({ type: [type, 'null'], ...extra });

/** Storage modes for visits from unknown visitors. */
export const UNKNOWN_VISITORS = ['kept', 'reduced', 'counted'] as const;
export type UnknownVisitors = (typeof UNKNOWN_VISITORS)[number];

export const EnrichedIdentificationSchema = Type.Object(
  {
    result: openEnum<IdentificationResult>(IDENTIFICATION_RESULTS, 'Whether the visitor is the agent it claims to be'),
    agent_id: nullable('string', {
      description: 'Agent ID (UUIDv5 of the lowercase token). Null for unknown visitors.',
    }),
    agent_token: nullable('string', { description: 'Product token of the agent. Null for unknown visitors.' }),
    agent_url: nullable('string', { description: "URL of the operator's page about the agent. Null if unknown." }),
    agent_type_name: nullable('string', { description: 'Agent type', examples: [AGENT_TYPES[13]] }),
    operator_name: nullable('string', { description: 'Company that operates the agent. Null if unknown.' }),
    method: openEnum<VerificationMethod | null>(
      [...(Object.keys(METHODS) as VerificationMethod[]), null],
      'Verification method that determined the result',
    ),
    reason: openEnum<string | null>([...IDENTIFICATION_REASONS, null], 'Reason for the result'),
    evidence: EvidenceSchema,
    catalog_version: Type.String({ description: 'Version of the agent catalog used for the identification' }),
  },
  { $id: 'EnrichedIdentification', description: 'Identified agent and how it was verified' },
);

const ReidentifiedSchema = Type.Object(
  {
    at: Type.String({ format: 'date-time', description: 'Time of the re-identification' }),
    earlier: Type.Object(
      {
        identification: Type.Unsafe<Static<typeof EnrichedIdentificationSchema>>({
          type: 'object',
          description: "Original identification. Doesn't include evidence if evidence is not retained.",
        }),
        robots: Type.Optional(RobotsJudgmentSchema),
        referral: Type.Optional(ReferralSchema),
        automation: Type.Optional(AutomationSchema),
      },
      { description: 'Values of these fields when the visit was received' },
    ),
  },
  {
    description:
      'Time of the re-identification and the original values. Absent if the visit has never been re-identified.',
  },
);

/** Message body on `visits.enriched.v1`. Times are RFC 3339 in UTC with milliseconds. */
export const EnrichedVisitSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Visit ID (UUIDv7). Duplicates have the same ID.' }),
    project_id: Type.String({ format: 'uuid', description: 'ID of the project that reported the visit' }),
    received_at: Type.String({
      format: 'date-time',
      description: 'Time at which the visit was reported. Matches the timestamp in the ID.',
    }),
    occurred_at: Type.String({
      format: 'date-time',
      description: 'Time of the visit. Never later than `received_at`.',
    }),
    client_address: nullable('string', {
      description: 'IPv4 or IPv6 address of the client. Null if no trustworthy address is available.',
    }),
    visit: VisitSchema,
    identification: EnrichedIdentificationSchema,
    robots: Type.Optional(RobotsJudgmentSchema),
    referral: Type.Optional(ReferralSchema),
    automation: Type.Optional(AutomationSchema),
    decisions: Type.Optional(
      Type.Array(PolicyDecisionSchema, {
        minItems: 1,
        maxItems: MAX_VISIT_DECISIONS,
        description:
          "Decisions of the project's policy, from the response header `agent-traffic-decision`. Absent if no rule matched.",
      }),
    ),
    kept_as: Type.Optional(
      openEnum<Exclude<UnknownVisitors, 'kept'>>(
        ['reduced', 'counted'],
        'How a visit from an unknown visitor is stored. `reduced` visits are stored without the address and with few headers. `counted` visits are published in this message and counted, but not stored. Absent if the visit is stored in full.',
      ),
    ),
    reidentified: Type.Optional(ReidentifiedSchema),
  },
  { $id: 'EnrichedVisit' },
);

export type EnrichedIdentification = Static<typeof EnrichedIdentificationSchema>;
export type EnrichedVisit = Omit<Static<typeof EnrichedVisitSchema>, 'visit'> & { visit: Visit };
