import { Type, type Static } from 'typebox';
import { EnrichedVisitSchema, type EnrichedVisit } from './enriched-visit.schema.js';

const nullable = <T>(type: string, extra: object) => Type.Unsafe<T | null>({ type: [type, 'null'], ...extra });

const ClientNetworkSchema = Type.Object(
  {
    prefix: nullable<string>('string', {
      description: 'The network that ASN_FILE has for the address, as CIDR; null where it has no operator for it',
      examples: ['192.0.2.0/24'],
    }),
    as_number: nullable<number>('integer', { description: 'Autonomous system (AS) that it belongs to' }),
    operator_name: nullable<string>('string', { description: 'The organization behind that autonomous system' }),
    country_code: nullable<string>('string', { description: 'ISO 3166-1 alpha-2', examples: ['DE'] }),
  },
  {
    $id: 'ClientNetwork',
    description: "What the files GEOIP_FILE and ASN_FILE say of a client's address when it is read; it is not stored",
  },
);

export type ClientNetwork = Static<typeof ClientNetworkSchema>;

/** The field of every answer that has a client's address. */
export const clientNetwork = (description = 'Whose network the client address is in; null where nothing is known') =>
  Type.Unsafe<ClientNetwork | null>({ anyOf: [ClientNetworkSchema, { type: 'null' }], description });

/** An item of the timeline. */
export const TimelineVisitSchema = Type.Unsafe<TimelineVisit>(
  Type.Object(
    { ...EnrichedVisitSchema.properties, client_network: clientNetwork() },
    { $id: 'TimelineVisit', description: 'An enriched visit as it was published, and what is known of its network' },
  ),
);

export type TimelineVisit = EnrichedVisit & { client_network: ClientNetwork | null };
