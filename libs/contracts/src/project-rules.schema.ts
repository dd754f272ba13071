import { Type, type Static } from 'typebox';
import { agentBehaviors } from './agent-behavior.js';
import { AGENT_TYPES, type AgentType } from './agent-type.js';
import { ROBOTS_PATH } from './robots-path.js';
import { MAX_EXCLUSIONS, ROBOTS_TXT_FORMATS, TOKEN_LIST_FORMATS } from './rules.schema.js';
import { agentNames } from './statistics.schema.js';
import { StoredText } from './text.schema.js';
import { usageSignals } from './usage-signals.schema.js';

/** Output formats. The formats for robots.txt come first. */
export const RULE_FORMATS = [...ROBOTS_TXT_FORMATS, ...TOKEN_LIST_FORMATS] as const;
export type RuleFormat = (typeof RULE_FORMATS)[number];

/** Maximum number of rules versions kept per project. */
export const KEPT_RULES_VERSIONS = 10;
/** Days, up to now, covered by a rules trial. */
export const RULES_TRIAL_DAYS = 30;
/** Maximum number of visits whose paths a rules trial reads. If there are more, it reads a sample. */
export const MAX_TRIED_VISITS = 10_000;
/** Maximum number of agents listed by a rules trial. */
export const MAX_TRIED_AGENTS = 100;

const names = (description: string) =>
  Type.Optional(
    Type.Array(StoredText({ minLength: 1, maxLength: 200 }), {
      maxItems: MAX_EXCLUSIONS,
      description,
    }),
  );

const disallowing = {
  agent_types: Type.Array(Type.Unsafe<AgentType>({ type: 'string', enum: [...AGENT_TYPES] }), {
    uniqueItems: true,
    description: 'Agents of these types',
  }),
  agent_behaviors: agentBehaviors('Also agents with any of these behaviors, regardless of type'),
  excluded_agent_tokens: names('Tokens of excluded agents (case-insensitive)'),
  excluded_operator_names: names('Operators whose agents are excluded (case-insensitive)'),
  disallow: Type.Optional(
    Type.String({
      format: ROBOTS_PATH,
      maxLength: 2_048,
      description:
        'Path to disallow in robots.txt, with `*` and `$` as in RFC 9309. Empty: everything is allowed. Default: everything is disallowed.',
    }),
  ),
};

export const RulesSelectionSchema = Type.Object(
  {
    ...disallowing,
    format: Type.Unsafe<RuleFormat>({ type: 'string', enum: [...RULE_FORMATS], description: 'Output format' }),
    ...usageSignals,
  },
  {
    $id: 'RulesSelection',
    additionalProperties: false,
    description: 'Path, signals and license apply to robots.txt only. Other formats ignore them.',
  },
);

const rendered = {
  text: Type.String({ description: 'Text for the file' }),
  catalog_version: Type.String({ description: 'Catalog version used for rendering' }),
};

export const ProjectRulesSchema = Type.Object(rendered, { $id: 'ProjectRules' });

const versionFields = {
  id: Type.String({ format: 'uuid' }),
  selection: RulesSelectionSchema,
  catalog_version: rendered.catalog_version,
  saved_at: Type.String({ format: 'date-time' }),
  saved_by: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Name of the person who saved it, or null for programs and deleted accounts',
  }),
};
export const RulesVersionListSchema = Type.Object(
  { versions: Type.Array(Type.Object(versionFields), { description: `Newest first, up to ${KEPT_RULES_VERSIONS}` }) },
  { $id: 'RulesVersionList' },
);
export const RulesVersionSchema = Type.Object({ ...versionFields, text: rendered.text }, { $id: 'RulesVersion' });

const Time = (description: string) => Type.String({ format: 'date-time', description });
const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const RulesTrialRequestSchema = Type.Object(disallowing, {
  $id: 'RulesTrialRequest',
  additionalProperties: false,
});

export const RulesTrialSchema = Type.Object(
  {
    from: Time(`Start of the period: ${RULES_TRIAL_DAYS} days ago, to the quarter hour`),
    to: Time('End of the period (exclusive)'),
    visits: Count('Visits that the rules would have disallowed'),
    agents: Count('Agents with at least one such visit'),
    named_visits: Count('All visits of the agents named in the rules'),
    disregarding_agents: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      description:
        "Number of `agents` that fetched paths disallowed by the site's robots.txt in the same period, excluding agents that fetch on behalf of people. Null if no robots.txt version was known.",
    }),
    user_triggered_agents: Count(
      'Number of `agents` whose type fetches on behalf of people. Operators state that robots.txt does not apply to them.',
    ),
    read_visits: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      description: `Number of visits whose paths were read, up to about ${MAX_TRIED_VISITS}. Null if the counts were sufficient.`,
    }),
    unread_visits: Count('Visits of named agents that are missing from the sample. Not included in `visits`.'),
    is_estimated: Type.Boolean({ description: 'Whether `visits` is estimated from a sample' }),
    top_agents: Type.Array(
      Type.Object({
        ...agentNames,
        is_user_triggered: Type.Boolean({ description: 'Whether this type of agent fetches on behalf of people' }),
        visits: Count('Visits that the rules would have disallowed'),
        disregarded: Count("Visits in the same period that the site's robots.txt disallowed"),
      }),
      { maxItems: MAX_TRIED_AGENTS, description: 'Most visits first' },
    ),
  },
  { $id: 'RulesTrial', description: 'Visits that failed verification are not included' },
);

export type RulesTrialRequest = Static<typeof RulesTrialRequestSchema>;
export type RulesTrial = Static<typeof RulesTrialSchema>;
export type RulesSelection = Static<typeof RulesSelectionSchema>;
export type ProjectRules = Static<typeof ProjectRulesSchema>;
export type RulesVersion = Static<typeof RulesVersionSchema>;
export type RulesVersionList = Static<typeof RulesVersionListSchema>;
