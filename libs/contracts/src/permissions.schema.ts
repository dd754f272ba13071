import { Type, type Static } from 'typebox';
import { CRAWL_PURPOSES, type CrawlPurpose } from '#libs/agents/vocabulary';
import { RobotsVersionSchema, type RobotsVersion } from './robots-version.schema.js';

/** Maximum number of days whose visits are compared with the statements. */
export const MAX_PERMISSION_DAYS = 31;
/** Maximum number of visits to read per report. */
export const MAX_PERMISSION_VISITS = 20_000;
/** Maximum number of robots.txt versions per report. */
export const MAX_PERMISSION_VERSIONS = 10;
/** Maximum number of statements per list, agents and example visits. */
export const MAX_PERMISSION_STATEMENTS = 10;
export const MAX_PERMISSION_AGENTS = 50;
export const MAX_PERMISSION_EXAMPLES = 5;

/** Ways to grant or refuse permission, in display order. */
export const PERMISSION_MECHANISMS = [
  'robots_rules',
  'purpose_token',
  'content_signal',
  'content_usage',
  'content_usage_header',
  'x_robots_tag',
  'license',
  'served',
] as const;
export type PermissionMechanism = (typeof PERMISSION_MECHANISMS)[number];

/** Outcomes from the least to the most restrictive. `conditional` requires a payment or a license. */
export const PERMISSION_OUTCOMES = ['allowed', 'conditional', 'disallowed'] as const;
export type PermissionOutcome = (typeof PERMISSION_OUTCOMES)[number];

/** Kinds of responses to agents. */
export const PERMISSION_ANSWERS = ['served', 'payment_required', 'refused', 'slowed', 'challenged', 'other'] as const;
export type PermissionAnswer = (typeof PERMISSION_ANSWERS)[number];

const nullable = <T>(type: string, extra: object = {}) => Type.Unsafe<T | null>({ type: [type, 'null'], ...extra });
const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Time = (description: string) => Type.String({ format: 'date-time', description });

const Purpose = Type.Unsafe<CrawlPurpose>({
  type: 'string',
  enum: Object.keys(CRAWL_PURPOSES),
  description: 'Purpose of the fetches. `user` stands for fetches on behalf of users, such as for AI answers.',
});
const Mechanism = Type.Unsafe<PermissionMechanism>({ type: 'string', enum: [...PERMISSION_MECHANISMS] });
const CombinedOutcome = (description: string) =>
  Type.Unsafe<PermissionOutcome | 'mixed' | null>({
    type: ['string', 'null'],
    enum: [...PERMISSION_OUTCOMES, 'mixed', null],
    description,
  });

const PermissionStatementSchema = Type.Object(
  {
    mechanism: Mechanism,
    outcome: Type.Unsafe<PermissionOutcome>({
      type: 'string',
      enum: [...PERMISSION_OUTCOMES],
      description: '`conditional` requires a payment or a license',
    }),
    user_agent: nullable<string>('string', {
      description: 'User agent of the robots.txt group, in lower case. Null if it applies to all agents.',
    }),
    text: Type.String({ description: 'Line in robots.txt, URL of the license, header or response' }),
    line: nullable<number>('integer', {
      minimum: 1,
      description: 'Line in robots.txt. Null if it is not in the file.',
    }),
  },
  { $id: 'PermissionStatement', description: 'Permission that a site grants or refuses' },
);

const Statements = (description: string) =>
  Type.Array(PermissionStatementSchema, { maxItems: MAX_PERMISSION_STATEMENTS, description });

const PermissionPurposeSchema = Type.Object(
  {
    purpose: Purpose,
    outcome: CombinedOutcome(
      'Most restrictive outcome of all mechanisms. `mixed` if it differs between agents. Null if nothing is stated.',
    ),
    cells: Type.Array(
      Type.Object({
        mechanism: Mechanism,
        outcome: CombinedOutcome('`mixed` if it differs between agents. Null if nothing is stated.'),
        statements: Statements('Statements, most restrictive first'),
      }),
      { description: 'One entry per mechanism' },
    ),
    answers: Type.Object(
      {
        served: Count('Number of visits with status 200–399'),
        payment_required: Count('Number of visits with status 402'),
        refused: Count('Number of visits with status 401, 403 or 451'),
        slowed: Count('Number of visits with status 429'),
        challenged: Count('Number of visits that got a challenge'),
        other: Count('Number of other visits'),
      },
      { description: 'Answers to the visits in the sample' },
    ),
  },
  { $id: 'PermissionPurpose' },
);

const PermissionContradictionSchema = Type.Object(
  {
    purpose: Purpose,
    mechanism: Mechanism,
    permissions: Statements('Statements that grant permission'),
    restrictions: Statements('More restrictive statements, which take precedence'),
    agents: Type.Array(Type.String(), {
      maxItems: MAX_PERMISSION_AGENTS,
      description: 'Tokens of the catalog agents that both apply to',
    }),
    visits: Count('Number of visits in the sample that show the contradiction'),
    examples: Type.Array(
      Type.Object({
        id: Type.String({ format: 'uuid' }),
        occurred_at: Time('Time of the visit'),
        agent_token: Type.String(),
        path: Type.String({ description: 'Path without the query string, truncated to 500 characters' }),
        status: nullable<number>('integer', { description: 'Response status. Null if unknown.' }),
      }),
      {
        maxItems: MAX_PERMISSION_EXAMPLES,
        description:
          'Newest of these visits: those that were refused or whose response has the header, or else any visits by the agents',
      },
    ),
  },
  { $id: 'PermissionContradiction', description: 'Explicit permission that a more restrictive statement overrides' },
);

const PermissionMatrixSchema = Type.Object(
  {
    version: Type.Unsafe<RobotsVersion | null>({
      anyOf: [RobotsVersionSchema, { type: 'null' }],
      description: 'Version of robots.txt. Null if none is known.',
    }),
    visits: Count('Number of visits in the sample that were judged by this version'),
    purposes: Type.Array(PermissionPurposeSchema, { description: 'One entry per purpose' }),
    contradictions: Type.Array(PermissionContradictionSchema),
    licenses: Type.Array(
      Type.Object({
        url: Type.String(),
        checked_at: nullable<string>('string', {
          format: 'date-time',
          description: 'Time of the last fetch. Null if it has not been fetched.',
        }),
        fault: nullable<string>('string', {
          description: 'Problem with the license, so that it is ignored. Null if it is valid or has not been fetched.',
        }),
      }),
      { description: 'RSL licenses that the version links to' },
    ),
  },
  { $id: 'PermissionMatrix' },
);

export const PermissionsSchema = Type.Object(
  {
    from: Time('Start of the time range'),
    to: Time('End of the time range (exclusive)'),
    host: nullable<string>('string', { description: 'Host. Null if the project has none.' }),
    mechanisms: Type.Array(
      Type.Object({
        mechanism: Mechanism,
        label: Type.String({ examples: ['Content-Signal'] }),
        references: Type.Array(
          Type.Object({
            name: Type.String({ examples: ['draft-ietf-aipref-vocab-08'] }),
            date: nullable<string>('string', { description: 'Date of publication. Null if it has no versions.' }),
            url: Type.String(),
          }),
          { description: 'Documents that define the mechanism' },
        ),
      }),
      { description: 'Mechanisms, in display order' },
    ),
    sample: Type.Object(
      {
        visits: Count('Number of visits read'),
        is_partial: Type.Boolean({ description: 'Whether there are more visits in the range' }),
      },
      { description: 'Visits that headers and responses are based on: the newest ones of each day' },
    ),
    matrices: Type.Array(PermissionMatrixSchema, {
      maxItems: MAX_PERMISSION_VERSIONS,
      description: 'One matrix per version of robots.txt in the range, newest first',
    }),
  },
  { $id: 'Permissions', description: 'Permissions that a host grants and refuses, by purpose and mechanism' },
);

export type Permissions = Static<typeof PermissionsSchema>;
export type PermissionMatrixItem = Permissions['matrices'][number];
export type PermissionStatement = Static<typeof PermissionStatementSchema>;
