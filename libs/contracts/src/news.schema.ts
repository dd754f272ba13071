import { IDENTIFICATION_REASONS } from '#libs/agents/vocabulary';
import { Type, type Static, type TSchema } from 'typebox';
import { ChangeCausesSchema } from './change-cause.schema.js';
import { robotsRefusedFields } from './compliance.schema.js';
import { openEnum } from './open-enum.js';
import { MAX_SAMPLED_VISITS } from './statistics.schema.js';

/** Maximum number of items per kind. */
export const MAX_NEWS_PER_KIND = 10;

const Time = (description: string) => Type.String({ format: 'date-time', description });
const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Text = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description });
/** Returns the schema for one kind of news item. Clients skip kinds they don't recognize. */
const item = <const K extends string, P extends Record<string, TSchema>>(kind: K, description: string, fields: P) =>
  Type.Object({ kind: Type.Literal(kind, { type: 'string' }), ...fields }, { description });

const agent = {
  agent_id: Type.String({ format: 'uuid' }),
  agent_token: Text('Agent token. Null if the agent is no longer in the catalog.'),
  agent_type_name: Text('Agent type'),
  operator_name: Text('Company that operates the agent'),
};
const genuineVisits = Count('Number of visits by the agent, excluding those that failed verification');
const previousVisits = Count('Same as `visits`, but for the comparison range');

const SilenceSchema = item(
  'silence',
  'The site has stopped reporting visits, although it reported some at the same time on an earlier day',
  {
    since: Time('Time of the most recent visit'),
    expected_visits: Count('Number of visits reported at the same time on the earlier day'),
    days_before: Type.Integer({
      minimum: 1,
      description: 'Number of days between the earlier day and the start of the silence',
    }),
  },
);

const outage = {
  from: Time('Start of the first quarter hour without visits'),
  to: Time('End of the last quarter hour without visits (exclusive)'),
  expected_visits: Count('Number of visits reported at the same time on the earlier day'),
  days_before: Type.Integer({ minimum: 1, description: 'Number of days between the earlier day and the outage' }),
};

const OutageSchema = item(
  'outage',
  'The site reported no visits for at least an hour, although it reported visits at the same time on an earlier day. Only in ranges of up to two days.',
  outage,
);

/** Returns the schema of an object that can be null. */
const nullable = <const P extends Record<string, TSchema>>(fields: P, description: string) =>
  Type.Union([Type.Object(fields), Type.Null()], { description });

const ErrorsSchema = item('errors', 'Agents received errors more often than before', {
  status: Type.Unsafe<'4xx' | '5xx'>({ type: 'string', enum: ['4xx', '5xx'], description: 'Status class' }),
  visits: Count('Number of visits by agents with a status in this class'),
  agent_visits: Count('Total number of visits by agents'),
  previous_visits: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 0,
    description: "Same as `visits`, but for the comparison range. Null if stored visits don't go back that far.",
  }),
  previous_agent_visits: Count('Same as `agent_visits`, but for the comparison range'),
  page: Type.String({
    description:
      'Page with the most errors: path without the query, `.md`, `.html`, `/index.md`, `/index.html` and slash at the end',
  }),
  page_visits: Count('Number of errors on this page'),
  is_sampled: Type.Boolean({
    description: `Whether only the ${MAX_SAMPLED_VISITS} most recent such visits in each range are counted because there are more. Never true if ClickHouse stores the visits.`,
  }),
  period: nullable(
    {
      from: Time('Start of the first quarter hour'),
      to: Time('End of the last quarter hour (exclusive)'),
      visits: Count('Number of errors in this period'),
    },
    'Shortest period with at least 90% of the errors, and the errors right before and after it. Null if it covers more than a quarter of the range, or if `is_sampled` is true.',
  ),
  outage: nullable(outage, 'Outage that borders on the period. It has no `outage` item of its own. Only for `5xx`.'),
});

const SpoofingSchema = item('spoofing', 'Visits from new networks claimed to be an agent but failed verification', {
  ...agent,
  networks: Type.Integer({ minimum: 1, description: 'Number of new networks' }),
  network: Type.String({ description: 'Network with the most visits (a /24 for IPv4, a /48 for IPv6)' }),
  visits: Count('Number of visits from these networks that failed verification'),
  reason: openEnum<string | null>(
    [...IDENTIFICATION_REASONS, null],
    'Reason the most recent visit failed verification',
  ),
});

const ImpersonationSchema = item(
  'impersonation',
  'One network claimed to be agents of several operators. Replaces the `spoofing` items about these visits.',
  {
    network: Type.String({ description: 'Network in CIDR notation (a /24 for IPv4, a /48 for IPv6)' }),
    visits: Count(
      'Number of visits from the network that claimed to be these agents and failed verification or could not be verified',
    ),
    spoofed: Count('Number of these visits that failed verification. The others could not be verified.'),
    previous_visits: previousVisits,
    agents: Type.Array(
      Type.Object({ ...agent, visits: Count('Number of these visits that claimed to be this agent') }),
      { description: 'Claimed agents, sorted by `visits` in descending order' },
    ),
  },
);

const RobotsRefusedSchema = item(
  'robots_refused',
  `Agents got HTML, a challenge, a refusal or an error instead of robots.txt in at least half of their requests for it. Never learning the rules, they can't follow them.`,
  {
    ...robotsRefusedFields,
    agents: { ...robotsRefusedFields.agents, maxItems: MAX_NEWS_PER_KIND },
    agent_count: Count('Total number of such agents'),
  },
);

const NewAgentSchema = item('new_agent', 'An agent visited for the first time', { ...agent, visits: genuineVisits });

const AgentChangeSchema = item('agent_change', 'An agent visited more or less often than before', {
  ...agent,
  visits: genuineVisits,
  previous_visits: previousVisits,
  causes: ChangeCausesSchema,
});

const AddressListsSchema = item(
  'address_lists',
  "IP address lists published by operators can't be fetched. Shown only to administrators.",
  {
    failing: Type.Integer({
      minimum: 1,
      description: 'Number of lists whose last fetch failed and that have not been fetched successfully for two days',
    }),
    lists: Count('Total number of lists'),
    agents: Type.Array(Type.Object({ ...agent, visits: genuineVisits }), {
      maxItems: MAX_NEWS_PER_KIND,
      description: 'Agents that visited and whose lists are all failing, sorted by `visits` in descending order',
    }),
    agent_count: Count('Total number of such agents'),
  },
);

export const NewsSchema = Type.Object(
  {
    from: Time('Start of the time range, rounded down to a quarter hour'),
    to: Time('End of the time range (exclusive), rounded up to a quarter hour'),
    compared_from: Time('Start of the comparison range'),
    compared_to: Time('End of the comparison range (exclusive)'),
    items: Type.Array(
      Type.Union([
        SilenceSchema,
        OutageSchema,
        ErrorsSchema,
        SpoofingSchema,
        ImpersonationSchema,
        RobotsRefusedSchema,
        NewAgentSchema,
        AgentChangeSchema,
        AddressListsSchema,
      ]),
      {
        description:
          'The most important item of each kind, in the order `silence`, `outage`, `errors`, `spoofing`, `robots_refused`, `new_agent`, ' +
          `\`agent_change\`, \`address_lists\`, followed by the second most important of each kind, and so on. Up to ${MAX_NEWS_PER_KIND} per kind. ` +
          'An `impersonation` item has the position of the first item that it replaces.',
      },
    ),
  },
  {
    $id: 'News',
    description:
      'Noteworthy changes in a time range. Contains no comparisons if there were no visits in the comparison range.',
  },
);

export type News = Static<typeof NewsSchema>;
export type NewsItem = News['items'][number];
