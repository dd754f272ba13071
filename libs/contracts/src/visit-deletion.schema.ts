import { Type, type Static } from 'typebox';
import { IP_ADDRESS } from './ip-address.js';

const Count = Type.Integer({ minimum: 0 });

export const VisitDeletionSchema = Type.Object(
  {
    address: Type.Optional(
      Type.String({
        format: IP_ADDRESS,
        description: 'Address whose visits are deleted, as the client address or anywhere else in the visit',
        examples: ['203.0.113.7'],
      }),
    ),
    project_id: Type.Optional(Type.String({ format: 'uuid', description: 'Project ID. Default: all projects.' })),
    cursor: Type.Optional(Type.String({ description: '`next_cursor` of the previous response' })),
  },
  { $id: 'VisitDeletion', additionalProperties: false, minProperties: 1 },
);

export const VisitDeletionResultSchema = Type.Object(
  {
    deleted: Type.Object(
      { visits: Count, dead_letters: Count, refused_requests: Count },
      { description: 'Number of items deleted by this request' },
    ),
    waiting: Type.Integer({
      minimum: 0,
      description:
        'Reports with matching visits that wait for Kafka in the outbox. Repeat the deletion once they are stored. 0 while `next_cursor` is set.',
    }),
    progress: Type.Number({ minimum: 0, maximum: 1, description: 'Progress from 0 to 1' }),
    next_cursor: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Cursor for the next request, or null at the end',
    }),
  },
  { $id: 'VisitDeletionResult' },
);

export type VisitDeletion = Static<typeof VisitDeletionSchema>;
export type VisitDeletionResult = Static<typeof VisitDeletionResultSchema>;
