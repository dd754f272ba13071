import { Type, type Static } from 'typebox';
import { TrustedProxiesSchema } from './console.schema.js';

const Count = Type.Integer({ minimum: 0 });

/** Network path between visitors and a project's site, based on the newest visits. */
export const VisitorPathSchema = Type.Object(
  {
    is_stated: Type.Boolean({ description: 'Whether the project has configured how visitors reach its site' }),
    visits: Type.Integer({ minimum: 0, description: 'Number of visits analyzed' }),
    unconfirmed_visits: Type.Integer({
      minimum: 0,
      description: 'Number of agent visits whose address came from a header that anyone can forge',
    }),
    networks: Type.Array(Type.String(), {
      description: 'Operators of known proxy networks, for `trusted_proxies.networks`',
    }),
    proposal: Type.Union(
      [
        Type.Object({
          trusted_proxies: TrustedProxiesSchema,
          visits: { ...Count, description: 'Number of visits that took this path' },
        }),
        Type.Null(),
      ],
      {
        description:
          'Proposed setting, which fits nearly all visits. Null if no setting fits or the project already uses the proposed one.',
      },
    ),
  },
  { $id: 'VisitorPath' },
);

export type VisitorPath = Static<typeof VisitorPathSchema>;
