import { AUTOMATION_SIGNS, MAX_PATTERN_LENGTH } from '#libs/agents/vocabulary';
import { Type, type Static } from 'typebox';
import { nullableClientNetwork } from './client-network.schema.js';
import { AUTOMATION_VERDICTS } from './insights.schema.js';
import { openEnum } from './open-enum.js';
import { SingleLine } from './text.schema.js';

/** Maximum number of groups in a response. */
export const MAX_UNLISTED_GROUPS = 100;
/** Number of a group's newest visits to take networks and paths from. */
export const SAMPLED_VISITS_PER_GROUP = 20;
/** Maximum number of dismissed groups per project. */
export const MAX_DISMISSED = 1_000;
/** Number of days that a pattern trial covers, ending now. */
export const TRIAL_DAYS = 7;
/** Maximum number of patterns per trial. */
const MAX_PATTERNS = 50;
/** Maximum length of a user agent group, in characters. */
const MAX_GROUP_LENGTH = 200;

/** Automation verdicts that the report on unlisted programs includes. */
export const SUSPECTED_VERDICTS = AUTOMATION_VERDICTS.filter((verdict) => verdict !== 'unlikely');

const Time = (description: string) => Type.String({ format: 'date-time', description });
const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Group = (description: string) => Type.String({ description });
const USER_AGENT_GROUP = 'User-Agent in which versions, build numbers and IDs are replaced with `*`';

const UnlistedGroupSchema = Type.Object(
  {
    user_agent_group: Group(USER_AGENT_GROUP),
    visits: Count('Number of visits'),
    likely: Count('Number of `visits` that were likely automated'),
    signs: Type.Array(openEnum<string>(Object.keys(AUTOMATION_SIGNS), 'Sign of automation'), {
      description: 'Signs of automation in any of the visits',
    }),
    networks: Type.Array(
      Type.Object({
        prefix: Type.String({ description: 'Network in CIDR notation' }),
        client_network: nullableClientNetwork('Network operator. Null if unknown.'),
      }),
      { description: `Networks of the ${SAMPLED_VISITS_PER_GROUP} most recent stored visits, most frequent first` },
    ),
    paths: Type.Array(Type.String(), { description: 'Paths of the same visits, without queries, most frequent first' }),
    probed_paths: Type.Array(Type.String(), {
      description:
        'Paths of the same visits that vulnerability scanners typically request, most frequent first. Empty unless at least half of the visits requested such paths.',
    }),
    first_seen_at: Time('Time of the first visit in the time range, rounded down to a quarter hour or a day (UTC)'),
    last_seen_at: Time('Time of the last visit. If the visit is not stored, it is rounded like `first_seen_at`.'),
  },
  { $id: 'UnlistedGroup' },
);

export const UnlistedSchema = Type.Object(
  {
    from: Time('Start of the time range, rounded down to a quarter hour'),
    to: Time('End of the time range (exclusive), rounded up to a quarter hour'),
    likely: Count('Number of visits that were likely automated'),
    unclear: Count('Number of visits with a single sign of automation, which visits by people can also show'),
    groups: Type.Array(UnlistedGroupSchema, {
      description: `The ${MAX_UNLISTED_GROUPS} most frequent groups, excluding dismissed groups`,
    }),
    other_groups: Count('Number of groups that are not listed'),
    other_visits: Count(
      'Number of visits in groups that are not listed, including groups that were too numerous to count separately',
    ),
    dismissed_visits: Count('Number of visits in dismissed groups'),
    has_network_names: Type.Boolean({ description: 'Whether the names of network operators are available' }),
  },
  { $id: 'Unlisted', description: 'Programs among the unknown visitors, grouped by their User-Agent' },
);

export const DismissedUserAgentSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    user_agent_group: Group(USER_AGENT_GROUP),
    dismissed_at: Time('Time at which the group was dismissed'),
    dismissed_by: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description:
        'Name of the person who dismissed the group. Null if an API key was used or the account has since been deleted.',
    }),
  },
  { $id: 'DismissedUserAgent' },
);
export const DismissedUserAgentsSchema = Type.Object(
  {
    dismissed: Type.Array(DismissedUserAgentSchema, {
      description: `Up to ${MAX_DISMISSED} dismissed groups, newest first`,
    }),
  },
  { $id: 'DismissedUserAgents' },
);
export const NewDismissedUserAgentSchema = Type.Object(
  {
    user_agent_group: SingleLine({
      minLength: 1,
      maxLength: MAX_GROUP_LENGTH,
      description: 'Group from the list of unlisted programs',
    }),
  },
  { $id: 'NewDismissedUserAgent', additionalProperties: false },
);

export const PatternTrialSchema = Type.Object(
  {
    user_agent_patterns: Type.Array(Type.String({ minLength: 1, maxLength: MAX_PATTERN_LENGTH }), {
      minItems: 1,
      maxItems: MAX_PATTERNS,
      description: 'User-Agent patterns in the same syntax as for agents',
    }),
  },
  { $id: 'PatternTrial', additionalProperties: false },
);
export const PatternTrialResultSchema = Type.Object(
  {
    from: Time(`Start of the trial period, ${TRIAL_DAYS} days ago`),
    groups: Count('Number of groups of unlisted user agents that match a pattern'),
    visits: Count('Number of visits in these groups since `from`'),
    browser_visits: Count('Number of `visits` with the user agent of a common browser'),
    browsers: Type.Object(
      {
        tried: Count('Number of tested user agents of common browsers'),
        matching: Count(
          'Number of these user agents that match a pattern. If this is not 0, the patterns would identify people as agents.',
        ),
        example: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          description: 'One of the matching user agents. Null if none match.',
        }),
      },
      { description: 'Matches among user agents of common browsers' },
    ),
  },
  { $id: 'PatternTrialResult', description: 'Visits that an agent with these patterns would have matched' },
);

export type UnlistedGroup = Static<typeof UnlistedGroupSchema>;
export type Unlisted = Static<typeof UnlistedSchema>;
export type DismissedUserAgent = Static<typeof DismissedUserAgentSchema>;
export type DismissedUserAgents = Static<typeof DismissedUserAgentsSchema>;
export type PatternTrialResult = Static<typeof PatternTrialResultSchema>;
