import { IDENTIFICATION_REASONS } from '#libs/agents/vocabulary';
import { Type, type Static, type TSchema } from 'typebox';
import { openEnum } from './open-enum.js';
import { MAX_SAMPLED_VISITS } from './statistics.schema.js';

/** Maximum number of items per kind. */
export const MAX_NEWS_OF_KIND = 10;

const Time = (description: string) => Type.String({ format: 'date-time', description });
const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Text = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description });
/** Returns the schema of one kind of item. Clients skip kinds they don't know. */
const item = <const K extends string, P extends Record<string, TSchema>>(kind: K, description: string, fields: P) =>
  Type.Object({ kind: Type.Literal(kind, { type: 'string' }), ...fields }, { description });

const agent = {
  agent_id: Type.String({ format: 'uuid' }),
  agent_token: Text('Agent token, or null if the agent is no longer in the catalog'),
  agent_type_name: Text('Agent type'),
  operator_name: Text('Operator of the agent'),
};
const genuineVisits = Count('Visits of the agent, without those that failed verification');
const previousVisits = Count('Same as `visits`, in the comparison range');

const SilenceSchema = item('silence', 'No visits are reported, unlike at the same time on an earlier day', {
  since: Time('Time of the newest visit'),
  expected_visits: Count('Visits at the same times of an earlier day'),
  days_before: Type.Integer({ minimum: 1, description: 'Number of days between the silence and the earlier day' }),
});

const ErrorsSchema = item('errors', 'Agents received errors more often than before', {
  status: Type.Unsafe<'4xx' | '5xx'>({ type: 'string', enum: ['4xx', '5xx'], description: 'Status class' }),
  visits: Count('Visits of agents with such a status'),
  agent_visits: Count('All visits of agents'),
  previous_visits: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 0,
    description: 'Same as `visits`, in the comparison range. Null if stored visits do not go back that far.',
  }),
  previous_agent_visits: Count('Same as `agent_visits`, in the comparison range'),
  page: Type.String({ description: 'Page with the most errors, without its query' }),
  page_visits: Count('Errors on this page'),
  is_sampled: Type.Boolean({
    description: `Whether either range has more than ${MAX_SAMPLED_VISITS} such visits, so only the newest are counted`,
  }),
});

const SpoofingSchema = item('spoofing', 'Networks failed verification as an agent for the first time', {
  ...agent,
  networks: Type.Integer({ minimum: 1, description: 'Number of these networks' }),
  network: Type.String({ description: 'Network with the most visits: /24 for IPv4, /48 for IPv6' }),
  visits: Count('Visits from these networks that failed verification'),
  reason: openEnum<string | null>([...IDENTIFICATION_REASONS, null], 'Reason for the newest failure'),
});

const NewAgentSchema = item('new_agent', 'An agent visited for the first time', { ...agent, visits: genuineVisits });

const AgentChangeSchema = item('agent_change', 'An agent visited more or less often than before', {
  ...agent,
  visits: genuineVisits,
  previous_visits: previousVisits,
});

const AddressListsSchema = item(
  'address_lists',
  'Address lists of operators cannot be fetched. Only for administrators.',
  {
    failing: Type.Integer({
      minimum: 1,
      description: 'Number of lists whose last fetch failed and that have had no successful fetch in two days',
    }),
    lists: Count('Number of all lists'),
  },
);

export const NewsSchema = Type.Object(
  {
    from: Time('Start of the range, rounded down to a quarter hour'),
    to: Time('End of the range (exclusive), rounded up to a quarter hour'),
    compared_from: Time('Start of the comparison range'),
    compared_to: Time('End of the comparison range (exclusive)'),
    items: Type.Array(
      Type.Union([SilenceSchema, ErrorsSchema, SpoofingSchema, NewAgentSchema, AgentChangeSchema, AddressListsSchema]),
      {
        description:
          'First the most important item of each kind, in the order `silence`, `errors`, `spoofing`, `new_agent`, ' +
          `\`agent_change\`, \`address_lists\`, then the second of each, and so on. Up to ${MAX_NEWS_OF_KIND} per kind.`,
      },
    ),
  },
  { $id: 'News', description: 'If the comparison range has no visits, there are no comparisons' },
);

export type News = Static<typeof NewsSchema>;
export type NewsItem = News['items'][number];
