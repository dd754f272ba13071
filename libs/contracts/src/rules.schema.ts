import { Type, type Static } from 'typebox';
import { AGENT_TYPES, RENAMED_AGENT_TYPES } from './agent-type.js';
import { ROBOTS_PATH } from './robots-path.js';
import { nullableUsageSignals } from './usage-signals.schema.js';

/** Names of one kind that a request excludes, at most. */
export const MAX_EXCLUSIONS = 10_000;

/** `blocks` is the interface's: a block for each token. `grouped` says the same in one block of many lines. */
export const ROBOTS_TXT_FORMATS = ['blocks', 'grouped'] as const;
/** `json` is the interface's; all but `text` and it are for the configuration of a server. */
export const TOKEN_LIST_FORMATS = ['json', 'text', 'nginx-map', 'apache', 'caddy', 'haproxy'] as const;

export type RobotsTxtFormat = (typeof ROBOTS_TXT_FORMATS)[number];
export type TokenListFormat = (typeof TOKEN_LIST_FORMATS)[number];

/** A field that may be absent or null, which is the same. */
const choice = <T extends string>(values: readonly T[], description: string) =>
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
    { description: 'Agents of these types; none gives an empty result', examples: [['AI Data Scraper', 'Scraper']] },
  ),
  excluded_agent_tokens: names('But not these agents; compared ignoring case'),
  excluded_operator_names: names('Nor the agents of these operators; compared ignoring case'),
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
        description: 'Which URLs are disallowed, `*` and `$` as in RFC 9309; empty allows all',
        examples: ['/private/'],
      }),
    ),
    format: choice(ROBOTS_TXT_FORMATS, '`blocks` (default): one for each token; `grouped`: one for all of them'),
    ...nullableUsageSignals,
  },
  { $id: 'RobotsTxtRequest', additionalProperties: true },
);

export const UserAgentTokenListRequestSchema = Type.Object(
  {
    ...selection,
    format: choice(
      TOKEN_LIST_FORMATS,
      '`json` (default), `text` (one a line), or a part of the configuration of nginx, Apache, Caddy or HAProxy that refuses these agents',
    ),
  },
  { $id: 'UserAgentTokenListRequest', additionalProperties: true },
);

export type RobotsTxtRequest = Static<typeof RobotsTxtRequestSchema>;
export type UserAgentTokenListRequest = Static<typeof UserAgentTokenListRequestSchema>;
