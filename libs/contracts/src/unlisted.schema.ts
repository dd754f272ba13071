import { AUTOMATION_SIGNS, MAX_PATTERN_LENGTH } from '#libs/agents/vocabulary';
import { Type, type Static } from 'typebox';
import { clientNetwork } from './client-network.schema.js';
import { AUTOMATION_VERDICTS } from './insights.schema.js';
import { openEnum } from './open-enum.js';
import { SingleLine } from './text.schema.js';

/** Maximum number of groups in a response. */
export const MAX_UNLISTED_GROUPS = 100;
/** Number of newest visits per group from which networks and paths are taken. */
export const SAMPLED_OF_GROUP = 20;
/** Maximum number of dismissed groups per project. */
export const MAX_DISMISSED = 1_000;
/** Days, up to now, covered by a pattern trial. */
export const TRIAL_DAYS = 7;
/** Maximum number of patterns per trial. */
const MAX_PATTERNS = 50;
/** Maximum length of a group in characters. */
const MAX_GROUP_LENGTH = 200;

/** Automation verdicts of visits in the unlisted report. */
export const SUSPECTED_VERDICTS = AUTOMATION_VERDICTS.filter((verdict) => verdict !== 'unlikely');

const Time = (description: string) => Type.String({ format: 'date-time', description });
const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Group = (description: string) => Type.String({ description });
const USER_AGENT_GROUP = 'User agent with `*` for versions, build numbers and IDs';

const UnlistedGroupSchema = Type.Object(
  {
    user_agent_group: Group(USER_AGENT_GROUP),
    visits: Count('Visits'),
    likely: Count('Number of `visits` that were likely automated'),
    signs: Type.Array(openEnum<string>(Object.keys(AUTOMATION_SIGNS), 'Sign of automation'), {
      description: 'Signs of automation in any of the visits',
    }),
    networks: Type.Array(
      Type.Object({
        prefix: Type.String({ description: 'Network in CIDR notation' }),
        client_network: clientNetwork('Operator of the network, or null if unknown'),
      }),
      { description: `Networks of the newest ${SAMPLED_OF_GROUP} stored visits, most frequent first` },
    ),
    paths: Type.Array(Type.String(), { description: 'Paths of the same visits, without queries, most frequent first' }),
    first_seen_at: Time('Time of the first visit in the range, rounded down to a quarter hour or a day (UTC)'),
    last_seen_at: Time('Time of the last visit. If the visit is not stored, rounded like `first_seen_at`.'),
  },
  { $id: 'UnlistedGroup' },
);

export const UnlistedSchema = Type.Object(
  {
    from: Time('Start of the range, rounded down to a quarter hour'),
    to: Time('End of the range (exclusive), rounded up to a quarter hour'),
    likely: Count('Visits that were likely automated'),
    unclear: Count('Visits with a single sign of automation, which visits of people can also have'),
    groups: Type.Array(UnlistedGroupSchema, {
      description: `${MAX_UNLISTED_GROUPS} most frequent groups, without dismissed ones`,
    }),
    other_groups: Count('Number of groups not listed'),
    other_visits: Count('Visits of groups not listed, including those that were too many to count separately'),
    dismissed_visits: Count('Visits of dismissed groups'),
    has_network_names: Type.Boolean({ description: 'Whether the names of network operators are available' }),
  },
  { $id: 'Unlisted', description: 'Programs among the unknown visitors, by user agent' },
);

export const DismissedUserAgentSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    user_agent_group: Group(USER_AGENT_GROUP),
    dismissed_at: Time('Time of the dismissal'),
    dismissed_by: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Name of the person who dismissed it, or null for programs and deleted accounts',
    }),
  },
  { $id: 'DismissedUserAgent' },
);
export const DismissedUserAgentsSchema = Type.Object(
  { dismissed: Type.Array(DismissedUserAgentSchema, { description: `Newest first, up to ${MAX_DISMISSED}` }) },
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
      description: 'User agent patterns, in the syntax of agents',
    }),
  },
  { $id: 'PatternTrial', additionalProperties: false },
);
export const PatternTrialResultSchema = Type.Object(
  {
    from: Time(`${TRIAL_DAYS} days before now`),
    groups: Count('Groups of unlisted user agents that match a pattern'),
    visits: Count('Visits of these groups since `from`'),
    browser_visits: Count('Number of `visits` with the user agent of a common browser'),
    browsers: Type.Object(
      {
        tried: Count('Number of tested user agents of common browsers'),
        matching: Count('Number of these that match a pattern. If it is not 0, people would be identified as agents.'),
        example: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          description: 'One of the matching user agents',
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
