import { Type, type Static } from 'typebox';
import { agentBehaviors } from './agent-behavior.js';
import { AGENT_TYPES, type AgentType } from './agent-type.js';
import { ROBOTS_PATH } from './robots-path.js';
import { MAX_EXCLUSIONS, ROBOTS_TXT_FORMATS, TOKEN_LIST_FORMATS } from './rules.schema.js';
import { agentNames } from './statistics.schema.js';
import { StoredText } from './text.schema.js';
import { usageSignals } from './usage-signals.schema.js';

/** What rules can be rendered as; the first ones are robots.txt. */
export const RULE_FORMATS = [...ROBOTS_TXT_FORMATS, ...TOKEN_LIST_FORMATS] as const;
export type RuleFormat = (typeof RULE_FORMATS)[number];

/** Versions of a project's rules that are kept. */
export const KEPT_RULES_VERSIONS = 10;
/** Days, up to now, whose visits rules are tried on. */
export const RULES_TRIAL_DAYS = 30;
/** Visits whose paths a trial of rules reads at most; of more a sample. */
export const MAX_TRIED_VISITS = 10_000;
/** Agents that a trial of rules lists. */
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
  agent_behaviors: agentBehaviors('Also agents with one of these behaviors, whatever their type'),
  excluded_agent_tokens: names('But not these agents; compared ignoring case'),
  excluded_operator_names: names('Nor the agents of these operators; compared ignoring case'),
  disallow: Type.Optional(
    Type.String({
      format: ROBOTS_PATH,
      maxLength: 2_048,
      description: 'What is disallowed in robots.txt, `*` and `$` as in RFC 9309; empty allows all; absent: everything',
    }),
  ),
};

export const RulesSelectionSchema = Type.Object(
  {
    ...disallowing,
    format: Type.Unsafe<RuleFormat>({ type: 'string', enum: [...RULE_FORMATS], description: 'What the rules are for' }),
    ...usageSignals,
  },
  {
    $id: 'RulesSelection',
    additionalProperties: false,
    description: 'Path, signals and license are for robots.txt; in other formats they change nothing',
  },
);

const rendered = {
  text: Type.String({ description: 'As it goes into the file' }),
  catalog_version: Type.String({ description: 'Version of the list of agents that it was made with' }),
};

export const ProjectRulesSchema = Type.Object(rendered, { $id: 'ProjectRules' });

const versionFields = {
  id: Type.String({ format: 'uuid' }),
  selection: RulesSelectionSchema,
  catalog_version: rendered.catalog_version,
  saved_at: Type.String({ format: 'date-time' }),
  saved_by: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Name of the person who saved it; null for a program, or an account that is gone',
  }),
};
export const RulesVersionListSchema = Type.Object(
  { versions: Type.Array(Type.Object(versionFields), { description: `Newest first, ${KEPT_RULES_VERSIONS} at most` }) },
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
    from: Time(`Where counting starts: ${RULES_TRIAL_DAYS} days ago, to the quarter of an hour`),
    to: Time('Where it ends, exclusive'),
    visits: Count('Visits that the rules would have disallowed'),
    agents: Count('Agents with such a visit'),
    named_visits: Count('All visits of agents that the rules name'),
    disregarding_agents: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      description:
        'Of `agents`, those that fetched in the same days what the robots.txt of the site disallowed, without those that fetch on behalf of people; null where no version of it was known',
    }),
    user_triggered_agents: Count(
      'Of `agents`, those that fetch on behalf of people, by their type: operators say that robots.txt does not bind these',
    ),
    read_visits: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      description: `Visits whose paths were read, up to about ${MAX_TRIED_VISITS}; null where counts tell everything`,
    }),
    unread_visits: Count('Visits of named agents of which none was read; not in `visits`'),
    is_estimated: Type.Boolean({ description: 'Whether `visits` follows from a part of the visits' }),
    top_agents: Type.Array(
      Type.Object({
        ...agentNames,
        is_user_triggered: Type.Boolean({ description: 'It fetches on behalf of people, by its type' }),
        visits: Count('Visits that the rules would have disallowed'),
        disregarded: Count('Visits in the same days that the robots.txt of the site disallowed'),
      }),
      { maxItems: MAX_TRIED_AGENTS, description: 'Most visits first' },
    ),
  },
  { $id: 'RulesTrial', description: 'Visits that failed verification are in no number' },
);

export type RulesTrialRequest = Static<typeof RulesTrialRequestSchema>;
export type RulesTrial = Static<typeof RulesTrialSchema>;
export type RulesSelection = Static<typeof RulesSelectionSchema>;
export type ProjectRules = Static<typeof ProjectRulesSchema>;
export type RulesVersion = Static<typeof RulesVersionSchema>;
export type RulesVersionList = Static<typeof RulesVersionListSchema>;
