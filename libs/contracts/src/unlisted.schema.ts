import { AUTOMATION_SIGNS, MAX_PATTERN_LENGTH } from '#libs/agents/vocabulary';
import { Type, type Static } from 'typebox';
import { clientNetwork } from './client-network.schema.js';
import { AUTOMATION_VERDICTS } from './insights.schema.js';
import { openEnum } from './open-enum.js';
import { SingleLine } from './text.schema.js';

/** Groups in one answer. */
export const MAX_UNLISTED_GROUPS = 100;
/** The newest visits of a group that its networks and paths are taken from. */
export const SAMPLED_OF_GROUP = 20;
/** Groups that a project can dismiss. */
export const MAX_DISMISSED = 1_000;
/** Days, up to now, whose visits patterns are tried on. */
export const TRIAL_DAYS = 7;
/** Patterns in one trial. */
const MAX_PATTERNS = 50;
/** Characters. */
const MAX_GROUP_LENGTH = 200;

/** Verdicts that make a visit one of the unlisted. */
export const SUSPECTED = AUTOMATION_VERDICTS.filter((verdict) => verdict !== 'unlikely');

const Time = (description: string) => Type.String({ format: 'date-time', description });
const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Group = (description: string) => Type.String({ description });
const USER_AGENT_GROUP = 'User agent with `*` for versions, build numbers and ids';

const UnlistedGroupSchema = Type.Object(
  {
    user_agent_group: Group(USER_AGENT_GROUP),
    visits: Count('Visits'),
    likely: Count('Of these, visits that a program likely made'),
    signs: Type.Array(openEnum<string>(Object.keys(AUTOMATION_SIGNS), 'A sign'), {
      description: 'What speaks for a program in any of its visits',
    }),
    networks: Type.Array(
      Type.Object({
        prefix: Type.String({ description: 'As CIDR' }),
        client_network: clientNetwork('Who runs it; null where nothing is known'),
      }),
      { description: `Of its newest ${SAMPLED_OF_GROUP} visits that are stored, the most frequent first` },
    ),
    paths: Type.Array(Type.String(), { description: 'The same for paths, without queries' }),
    first_seen_at: Time(
      'When the first of the range was counted: the quarter of an hour, or the day (UTC), that it is in',
    ),
    last_seen_at: Time('When the last one occurred; where it is not stored, as `first_seen_at`'),
  },
  { $id: 'UnlistedGroup' },
);

export const UnlistedSchema = Type.Object(
  {
    from: Time('Where counting starts: the quarter of an hour that holds what was asked for'),
    to: Time('Where it ends, exclusive: the next full quarter of an hour'),
    likely: Count('Visits that a program likely made'),
    unclear: Count('Visits with a single sign, which people may have, too'),
    groups: Type.Array(UnlistedGroupSchema, {
      description: `The most frequent ${MAX_UNLISTED_GROUPS}, without those that were dismissed`,
    }),
    other_groups: Count('Groups beyond these'),
    other_visits: Count('Visits of groups beyond these, and of those too many to tell apart'),
    dismissed_visits: Count('Visits of groups that were dismissed'),
    has_network_names: Type.Boolean({ description: 'Whether networks are named by their operators' }),
  },
  { $id: 'Unlisted', description: 'Programs among the unknown visitors, by user agent' },
);

export const DismissedUserAgentSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    user_agent_group: Group(USER_AGENT_GROUP),
    dismissed_at: Time('When'),
    dismissed_by: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Name of the person who did; null for a program, or an account that is gone',
    }),
  },
  { $id: 'DismissedUserAgent' },
);
export const DismissedUserAgentsSchema = Type.Object(
  { dismissed: Type.Array(DismissedUserAgentSchema, { description: `The newest first, ${MAX_DISMISSED} at most` }) },
  { $id: 'DismissedUserAgents' },
);
export const NewDismissedUserAgentSchema = Type.Object(
  {
    user_agent_group: SingleLine({
      minLength: 1,
      maxLength: MAX_GROUP_LENGTH,
      description: 'As the list of unlisted programs has it',
    }),
  },
  { $id: 'NewDismissedUserAgent', additionalProperties: false },
);

export const PatternTrialSchema = Type.Object(
  {
    user_agent_patterns: Type.Array(Type.String({ minLength: 1, maxLength: MAX_PATTERN_LENGTH }), {
      minItems: 1,
      maxItems: MAX_PATTERNS,
      description: 'As an agent has them',
    }),
  },
  { $id: 'PatternTrial', additionalProperties: false },
);
export const PatternTrialResultSchema = Type.Object(
  {
    from: Time(`${TRIAL_DAYS} days before now`),
    groups: Count('Groups of unlisted user agents in which a pattern matches'),
    visits: Count('Their visits since `from`'),
    browser_visits: Count('Of these, visits whose user agent is that of a browser of people'),
    browsers: Type.Object(
      {
        tried: Count('User agents of common browsers of people'),
        matching: Count('Those in which a pattern matches: more than 0 makes people agents'),
        example: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'One of those' }),
      },
      { description: 'What the patterns find among the browsers of people' },
    ),
  },
  { $id: 'PatternTrialResult', description: 'What an agent with these patterns would have been named in' },
);

export type UnlistedGroup = Static<typeof UnlistedGroupSchema>;
export type Unlisted = Static<typeof UnlistedSchema>;
export type DismissedUserAgent = Static<typeof DismissedUserAgentSchema>;
export type DismissedUserAgents = Static<typeof DismissedUserAgentsSchema>;
export type PatternTrialResult = Static<typeof PatternTrialResultSchema>;
