import { Type, type Static } from 'typebox';
import { agentBehaviors } from './agent-behavior.js';
import { AGENT_TYPES, type AgentType } from './agent-type.js';
import { ROBOTS_PATH } from './robots-path.js';
import { MAX_EXCLUSIONS, ROBOTS_TXT_FORMATS, TOKEN_LIST_FORMATS } from './rules.schema.js';
import { agentNames } from './statistics.schema.js';
import { StoredText } from './text.schema.js';
import { usageSignals } from './usage-signals.schema.js';

/** Output formats, starting with those for robots.txt. */
export const RULE_FORMATS = [...ROBOTS_TXT_FORMATS, ...TOKEN_LIST_FORMATS] as const;
export type RuleFormat = (typeof RULE_FORMATS)[number];
/** Formats for lists of the address ranges that agents' operators publish. */
export const ADDRESS_LIST_FORMATS = [
  'nginx-geo',
  'haproxy-addresses',
  'nftables',
  'aws-ip-sets',
  'crowdsec',
  'anubis',
] as const;
export type AddressListFormat = (typeof ADDRESS_LIST_FORMATS)[number];

/** Maximum number of rules versions retained per project. */
export const MAX_RULES_VERSIONS = 10;
/** Number of days that a rules trial covers, ending now. */
export const RULES_TRIAL_DAYS = 30;
/** Maximum number of visits whose paths a rules trial checks. If there are more, it checks a sample. */
export const MAX_TRIAL_VISITS = 10_000;
/** Maximum number of agents listed by a rules trial. */
export const MAX_TRIAL_AGENTS = 100;

const names = (description: string) =>
  Type.Optional(
    Type.Array(StoredText({ minLength: 1, maxLength: 200 }), {
      maxItems: MAX_EXCLUSIONS,
      description,
    }),
  );

const ruleFields = {
  agent_types: Type.Array(Type.Unsafe<AgentType>({ type: 'string', enum: [...AGENT_TYPES] }), {
    uniqueItems: true,
    description: 'Types of agents that the rules apply to',
  }),
  agent_behaviors: agentBehaviors('Behaviors of other agents that the rules also apply to, regardless of type'),
  agent_tokens: names('Tokens of other agents that the rules also apply to (case-insensitive)'),
  excluded_agent_tokens: names('Tokens of excluded agents (case-insensitive)'),
  excluded_operator_names: names('Operators whose agents are excluded (case-insensitive)'),
  disallow: Type.Optional(
    Type.String({
      format: ROBOTS_PATH,
      maxLength: 2_048,
      description:
        'Path to disallow in robots.txt, with `*` and `$` as in RFC 9309. If empty, everything is allowed. By default, everything is disallowed.',
    }),
  ),
};

export const RulesSelectionSchema = Type.Object(
  {
    ...ruleFields,
    format: Type.Unsafe<RuleFormat>({ type: 'string', enum: [...RULE_FORMATS], description: 'Output format' }),
    ...usageSignals,
  },
  {
    $id: 'RulesSelection',
    additionalProperties: false,
    description:
      'Rules to generate. The path, signals and license only apply to robots.txt. Other formats ignore them.',
  },
);

export const RulesRenderingSchema = Type.Object(
  {
    ...RulesSelectionSchema.properties,
    format: Type.Unsafe<RuleFormat | AddressListFormat>({
      type: 'string',
      enum: [...RULE_FORMATS, ...ADDRESS_LIST_FORMATS],
      description:
        'Output format. The last six are lists of the address ranges that the selected agents are verified by. They ' +
        'stay the same, byte for byte, until the ranges change.',
    }),
  },
  {
    $id: 'RulesRendering',
    additionalProperties: false,
    description: 'Rules or address lists to generate. The path, signals and license only apply to robots.txt.',
  },
);

const renderedFields = {
  text: Type.String({ description: 'Content of the generated file' }),
  catalog_version: Type.String({ description: 'Catalog version that the rules were generated from' }),
};

export const ProjectRulesSchema = Type.Object(renderedFields, { $id: 'ProjectRules' });

const versionFields = {
  id: Type.String({ format: 'uuid' }),
  selection: RulesSelectionSchema,
  catalog_version: renderedFields.catalog_version,
  saved_at: Type.String({ format: 'date-time' }),
  saved_by: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description:
      'Name of the person who saved the version. Null if an API key was used or the account has since been deleted.',
  }),
};
export const RulesVersionListSchema = Type.Object(
  {
    versions: Type.Array(Type.Object(versionFields), {
      description: `The ${MAX_RULES_VERSIONS} most recent versions, newest first`,
    }),
  },
  { $id: 'RulesVersionList' },
);
export const RulesVersionSchema = Type.Object({ ...versionFields, text: renderedFields.text }, { $id: 'RulesVersion' });

const Time = (description: string) => Type.String({ format: 'date-time', description });
const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const RulesTrialRequestSchema = Type.Object(ruleFields, {
  $id: 'RulesTrialRequest',
  additionalProperties: false,
});

export const RulesTrialSchema = Type.Object(
  {
    from: Time(`Start of the time range: ${RULES_TRIAL_DAYS} days ago, accurate to the quarter hour`),
    to: Time('End of the time range (exclusive)'),
    visits: Count('Number of visits that the rules would have disallowed'),
    agents: Count('Number of agents with at least one such visit'),
    named_visits: Count('Total number of visits by the agents named in the rules'),
    disregarding_agents: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      description:
        "Number of `agents` that fetched paths disallowed by the site's robots.txt in the same time range, excluding agents that fetch pages on behalf of users. Null if no robots.txt version was known.",
    }),
    user_triggered_agents: Count(
      'Number of `agents` that fetch pages on behalf of users. According to their operators, robots.txt does not apply to them.',
    ),
    read_visits: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      description: `Number of visits whose paths were checked. If PostgreSQL stores the visits, it is at most about ${MAX_TRIAL_VISITS}. Null if the visit counts alone were sufficient.`,
    }),
    unread_visits: Count('Number of visits by named agents that are not in the sample. Not included in `visits`.'),
    is_estimated: Type.Boolean({ description: 'Whether `visits` is estimated from a sample' }),
    top_agents: Type.Array(
      Type.Object({
        ...agentNames,
        is_user_triggered: Type.Boolean({ description: 'Whether agents of this type fetch pages on behalf of users' }),
        visits: Count('Number of visits that the rules would have disallowed'),
        disregarded: Count("Number of visits in the same time range that the site's robots.txt disallowed"),
      }),
      { maxItems: MAX_TRIAL_AGENTS, description: 'Agents, sorted by visits in descending order' },
    ),
  },
  {
    $id: 'RulesTrial',
    description: 'Effect that the rules would have had. Visits that failed verification are not included.',
  },
);

export type RulesTrialRequest = Static<typeof RulesTrialRequestSchema>;
export type RulesTrial = Static<typeof RulesTrialSchema>;
export type RulesSelection = Static<typeof RulesSelectionSchema>;
export type RulesRendering = Static<typeof RulesRenderingSchema>;
export type ProjectRules = Static<typeof ProjectRulesSchema>;
export type RulesVersion = Static<typeof RulesVersionSchema>;
export type RulesVersionList = Static<typeof RulesVersionListSchema>;
