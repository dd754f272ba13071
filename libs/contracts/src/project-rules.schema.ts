import { Type, type Static } from 'typebox';
import { AGENT_TYPES, type AgentType } from './agent-type.js';
import { ROBOTS_PATH } from './robots-path.js';
import { StoredText } from './text.schema.js';
import { MAX_EXCLUSIONS, ROBOTS_TXT_FORMATS, TOKEN_LIST_FORMATS } from './rules.schema.js';

/** What rules can be rendered as; the first ones are robots.txt. */
export const RULE_FORMATS = [...ROBOTS_TXT_FORMATS, ...TOKEN_LIST_FORMATS] as const;
export type RuleFormat = (typeof RULE_FORMATS)[number];

/** Versions of a project's rules that are kept. */
export const KEPT_RULES_VERSIONS = 10;

const names = (description: string) =>
  Type.Optional(
    Type.Array(StoredText({ minLength: 1, maxLength: 200 }), {
      maxItems: MAX_EXCLUSIONS,
      description,
    }),
  );

const selection = {
  agent_types: Type.Array(Type.Unsafe<AgentType>({ type: 'string', enum: [...AGENT_TYPES] }), {
    uniqueItems: true,
    description: 'Agents of these types; none gives an empty result',
  }),
  excluded_agent_tokens: names('But not these agents; compared ignoring case'),
  excluded_operator_names: names('Nor the agents of these operators; compared ignoring case'),
  disallow: Type.Optional(
    Type.String({
      format: ROBOTS_PATH,
      maxLength: 2_048,
      description: 'What is disallowed in robots.txt, `*` and `$` as in RFC 9309; empty allows all; absent: everything',
    }),
  ),
  format: Type.Unsafe<RuleFormat>({ type: 'string', enum: [...RULE_FORMATS], description: 'What the rules are for' }),
};

export const RulesSelectionSchema = Type.Object(selection, { $id: 'RulesSelection', additionalProperties: false });

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

export type RulesSelection = Static<typeof RulesSelectionSchema>;
export type ProjectRules = Static<typeof ProjectRulesSchema>;
export type RulesVersion = Static<typeof RulesVersionSchema>;
export type RulesVersionList = Static<typeof RulesVersionListSchema>;
