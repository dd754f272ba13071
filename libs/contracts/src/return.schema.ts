import { Type, type Static } from 'typebox';
import { agentNames } from './statistics.schema.js';

/** Maximum number of periods in which a report searches for visits under another identity, newest first. */
export const MAX_RETURN_WINDOWS = 5_000;
/** Maximum number of other identities per visitor. */
export const MAX_RETURNS = 20;

const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const ReturnSchema = Type.Object({
  ...agentNames,
  agent_id: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'ID of the other agent. Null for unknown visitors.',
  }),
  is_spoofed: Type.Boolean({ description: 'Whether the visits failed verification as this agent' }),
  address_visits: Count('Number of visits from the same addresses'),
  network_visits: Count('Number of visits from the same networks (/24 for IPv4, /48 for IPv6)'),
  first_at: Type.String({ format: 'date-time', description: 'Time of the first visit' }),
  visit_ids: Type.Array(Type.String({ format: 'uuid' }), {
    description: 'IDs of some of the first visits, from the same address if there are any',
  }),
});

/** Visits under another identity. */
export type Return = Static<typeof ReturnSchema>;
