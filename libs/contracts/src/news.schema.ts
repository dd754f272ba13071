import { IDENTIFICATION_REASONS } from '#libs/agents/vocabulary';
import { Type, type Static, type TSchema } from 'typebox';
import { openEnum } from './open-enum.js';
import { MAX_SAMPLED_VISITS } from './statistics.schema.js';

/** Items of one kind in an answer. */
export const MAX_NEWS_OF_KIND = 10;

const Time = (description: string) => Type.String({ format: 'date-time', description });
const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Text = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description });
/** One kind of item. A client passes over kinds that it does not know. */
const item = <const K extends string, P extends Record<string, TSchema>>(kind: K, description: string, fields: P) =>
  Type.Object({ kind: Type.Literal(kind, { type: 'string' }), ...fields }, { description });

const agent = {
  agent_id: Type.String({ format: 'uuid' }),
  agent_token: Text('null where the agent is no longer in the catalog'),
  agent_type_name: Text('Type of the agent'),
  operator_name: Text('The company behind it'),
};
const ownVisits = Count('Its visits, without those that failed verification');
const previousVisits = Count('As `visits`, in the range that it is compared with');

const SilenceSchema = item('silence', 'Nothing was reported where there were visits on earlier days', {
  since: Time('When the newest visit occurred'),
  expected_visits: Count('Visits at the same times of an earlier day'),
  days_before: Type.Integer({ minimum: 1, description: 'How many days earlier that was' }),
});

const ErrorsSchema = item('errors', 'Agents were answered with an error more often than before', {
  status: Type.Unsafe<'4xx' | '5xx'>({ type: 'string', enum: ['4xx', '5xx'], description: 'Class of the status' }),
  visits: Count('Visits of agents with such a status'),
  agent_visits: Count('All visits of agents'),
  previous_visits: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 0,
    description: 'As `visits`, in the range that it is compared with; null where visits do not reach back that far',
  }),
  previous_agent_visits: Count('As `agent_visits`, in the range that it is compared with'),
  page: Type.String({ description: 'The page with most of them, without its query' }),
  page_visits: Count('Of `visits`, those of that page'),
  is_sampled: Type.Boolean({
    description: `There were more than ${MAX_SAMPLED_VISITS} in this range or before: the newest ones are counted`,
  }),
});

const SpoofingSchema = item('spoofing', 'Networks failed verification as an agent that had not failed as it before', {
  ...agent,
  networks: Type.Integer({ minimum: 1, description: 'How many such networks' }),
  network: Type.String({ description: 'The one with most visits: /24 of IPv4, /48 of IPv6' }),
  visits: Count('Visits from these networks that failed verification'),
  reason: openEnum<string | null>([...IDENTIFICATION_REASONS, null], 'Of the newest one'),
});

const NewAgentSchema = item('new_agent', 'An agent visited for the first time', { ...agent, visits: ownVisits });

const AgentChangeSchema = item('agent_change', 'An agent visited more, or less, than before', {
  ...agent,
  visits: ownVisits,
  previous_visits: previousVisits,
});

const AddressListsSchema = item('address_lists', 'Address lists of operators cannot be fetched; for administrators', {
  failing: Type.Integer({
    minimum: 1,
    description: 'Lists whose last attempt failed and that were never fetched, or not for two days',
  }),
  lists: Count('All lists'),
});

export const NewsSchema = Type.Object(
  {
    from: Time('Where the range starts: the quarter of an hour that holds what was asked for'),
    to: Time('Where it ends, exclusive: the next full quarter of an hour'),
    compared_from: Time('Where the range that it is compared with starts'),
    compared_to: Time('Where that ends, exclusive'),
    items: Type.Array(
      Type.Union([SilenceSchema, ErrorsSchema, SpoofingSchema, NewAgentSchema, AgentChangeSchema, AddressListsSchema]),
      {
        description:
          'The most important of each kind in this order of kinds: `silence`, `errors`, `spoofing`, `new_agent`, ' +
          `\`agent_change\`, \`address_lists\`; then the second of each, and so on. At most ${MAX_NEWS_OF_KIND} of a kind`,
      },
    ),
  },
  { $id: 'News', description: 'Nothing is compared with a time from which there are no visits' },
);

export type News = Static<typeof NewsSchema>;
export type NewsItem = News['items'][number];
