import { Type, type Static } from 'typebox';
import { AGENT_TYPES, RENAMED_AGENT_TYPES } from './agent-type.js';
import { ROBOTS_PATH } from './robots-path.js';
import { nullableUsageSignals } from './usage-signals.schema.js';

/** Maximum number of excluded agents, and of excluded operators, per request. */
export const MAX_EXCLUSIONS = 10_000;

/** Formats of a robots.txt file. `blocks`: one block per token. `grouped`: a single block for all tokens. */
export const ROBOTS_TXT_FORMATS = ['blocks', 'grouped'] as const;
/** All formats except `json` and `text` are web server configurations. */
export const TOKEN_LIST_FORMATS = ['json', 'text', 'nginx-map', 'apache', 'caddy', 'haproxy'] as const;

export type RobotsTxtFormat = (typeof ROBOTS_TXT_FORMATS)[number];
export type TokenListFormat = (typeof TOKEN_LIST_FORMATS)[number];

/** Returns an optional enum field. Null is treated as absent. */
const optionalEnum = <T extends string>(values: readonly T[], description: string) =>
  Type.Optional(Type.Unsafe<T | null>({ type: ['string', 'null'], enum: [...values, null], description }));

const names = (description: string) =>
  Type.Optional(
    Type.Unsafe<string[] | null>({
      type: ['array', 'null'],
      items: { type: 'string' },
      maxItems: MAX_EXCLUSIONS,
      description,
    }),
  );

const selection = {
  agent_types: Type.Array(
    Type.Unsafe<string>({ type: 'string', enum: [...AGENT_TYPES, ...Object.keys(RENAMED_AGENT_TYPES)] }),
    {
      description: 'Agent types to include. If empty, the result is empty.',
      examples: [['AI Data Scraper', 'Scraper']],
    },
  ),
  excluded_agent_tokens: names('Tokens of the agents to exclude (case-insensitive)'),
  excluded_operator_names: names('Operators whose agents are excluded (case-insensitive)'),
};

export const RobotsTxtRequestSchema = Type.Object(
  {
    ...selection,
    disallow: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        format: ROBOTS_PATH,
        maxLength: 2_048,
        default: '/',
        description: 'Path to disallow, with `*` and `$` as in RFC 9309. An empty path allows everything.',
        examples: ['/private/'],
      }),
    ),
    format: optionalEnum(
      ROBOTS_TXT_FORMATS,
      '`blocks` generates one block per token. `grouped` generates a single block for all tokens. Default: `blocks`.',
    ),
    ...nullableUsageSignals,
  },
  { $id: 'RobotsTxtRequest', additionalProperties: true },
);

export const UserAgentTokenListRequestSchema = Type.Object(
  {
    ...selection,
    format: optionalEnum(
      TOKEN_LIST_FORMATS,
      '`json`, `text` (one token per line), or a configuration snippet for nginx, Apache, Caddy or HAProxy that blocks these agents. Default: `json`.',
    ),
  },
  { $id: 'UserAgentTokenListRequest', additionalProperties: true },
);

export type RobotsTxtRequest = Static<typeof RobotsTxtRequestSchema>;
export type UserAgentTokenListRequest = Static<typeof UserAgentTokenListRequestSchema>;
