import { Type, type Static } from 'typebox';
import { EnrichedVisitSchema, type EnrichedVisit } from './enriched-visit.schema.js';

const nullable = <T>(type: string, extra: object) => Type.Unsafe<T | null>({ type: [type, 'null'], ...extra });

const ClientNetworkSchema = Type.Object(
  {
    prefix: nullable<string>('string', {
      description: 'Network of the address in ASN_FILE, in CIDR notation. Null if the file has no operator for it.',
      examples: ['192.0.2.0/24'],
    }),
    as_number: nullable<number>('integer', { description: 'Autonomous system (AS) number of the network' }),
    operator_name: nullable<string>('string', { description: 'Organization that operates the autonomous system' }),
    country_code: nullable<string>('string', { description: 'Country code (ISO 3166-1 alpha-2)', examples: ['DE'] }),
  },
  {
    $id: 'ClientNetwork',
    description: 'Network of a client address, looked up in GEOIP_FILE and ASN_FILE on every read. Not stored.',
  },
);

export type ClientNetwork = Static<typeof ClientNetworkSchema>;

/** Returns the schema of the `client_network` field of responses that contain a client address. */
export const clientNetwork = (description = 'Network of the client address. Null if unknown.') =>
  Type.Unsafe<ClientNetwork | null>({ anyOf: [ClientNetworkSchema, { type: 'null' }], description });

export const TimelineVisitSchema = Type.Unsafe<TimelineVisit>(
  Type.Object(
    { ...EnrichedVisitSchema.properties, client_network: clientNetwork() },
    { $id: 'TimelineVisit', description: 'Enriched visit as published, with its client network' },
  ),
);

export type TimelineVisit = EnrichedVisit & { client_network: ClientNetwork | null };
