import { Type, type Static } from 'typebox';
import { TrustedProxiesSchema } from './console.schema.js';

const Count = Type.Integer({ minimum: 0 });

/** How visitors reach a project's site, as far as its newest visits show. */
export const VisitorPathSchema = Type.Object(
  {
    is_stated: Type.Boolean({ description: 'Whether the project says how visitors reach its site' }),
    visits: Type.Integer({ minimum: 0, description: 'Number of visits that were looked at' }),
    unconfirmed_visits: Type.Integer({
      minimum: 0,
      description: 'Those of agents whose address came from a header that anyone can send',
    }),
    networks: Type.Array(Type.String(), {
      description: 'Operators of every known proxy network, for `networks` of `trusted_proxies`',
    }),
    proposal: Type.Union(
      [
        Type.Object({
          trusted_proxies: TrustedProxiesSchema,
          visits: { ...Count, description: 'Number of visits that took this path' },
        }),
        Type.Null(),
      ],
      { description: 'The setting that fits nearly all visits; null if none does, or if it is the current one' },
    ),
  },
  { $id: 'VisitorPath' },
);

export type VisitorPath = Static<typeof VisitorPathSchema>;
