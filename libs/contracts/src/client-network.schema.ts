import { Type, type Static } from 'typebox';
import { EnrichedVisitSchema, type EnrichedVisit } from './enriched-visit.schema.js';

const nullable = <T>(type: string, extra: object) => Type.Unsafe<T | null>({ type: [type, 'null'], ...extra });

const ClientNetworkSchema = Type.Object(
  {
    prefix: nullable<string>('string', {
      description:
        "Network in ASN_FILE that contains the address, in CIDR notation. Null if the file doesn't list an operator for the address.",
      examples: ['192.0.2.0/24'],
    }),
    as_number: nullable<number>('integer', { description: 'Autonomous system number (ASN) of the network' }),
    operator_name: nullable<string>('string', { description: 'Organization that operates the autonomous system' }),
    country_code: nullable<string>('string', { description: 'Country code (ISO 3166-1 alpha-2)', examples: ['DE'] }),
  },
  {
    $id: 'ClientNetwork',
    description:
      'Network of a client address. It is looked up in GEOIP_FILE and ASN_FILE on every request and is never stored.',
  },
);

export type ClientNetwork = Static<typeof ClientNetworkSchema>;

/** Returns the schema for the `client_network` field in responses that contain a client address. */
export const nullableClientNetwork = (description = 'Network of the client address. Null if unknown.') =>
  Type.Unsafe<ClientNetwork | null>({ anyOf: [ClientNetworkSchema, { type: 'null' }], description });

export const TimelineVisitSchema = Type.Unsafe<TimelineVisit>(
  Type.Object(
    { ...EnrichedVisitSchema.properties, client_network: nullableClientNetwork() },
    { $id: 'TimelineVisit', description: 'Enriched visit as published, with its client network' },
  ),
);

export type TimelineVisit = EnrichedVisit & { client_network: ClientNetwork | null };
