import { Type, type Static } from 'typebox';
import { IP_ADDRESS } from './ip-address.js';

const Count = Type.Integer({ minimum: 0 });

export const VisitDeletionSchema = Type.Object(
  {
    address: Type.Optional(
      Type.String({
        format: IP_ADDRESS,
        description: 'What holds this address, as the visitor or anywhere else in the visit',
        examples: ['203.0.113.7'],
      }),
    ),
    project_id: Type.Optional(Type.String({ format: 'uuid', description: 'Only of this project; absent: of all' })),
    cursor: Type.Optional(Type.String({ description: '`next_cursor` of the answer before' })),
  },
  { $id: 'VisitDeletion', additionalProperties: false, minProperties: 1 },
);

export const VisitDeletionResultSchema = Type.Object(
  {
    deleted: Type.Object(
      { visits: Count, dead_letters: Count, refused_requests: Count },
      { description: 'By this request' },
    ),
    waiting: Type.Integer({
      minimum: 0,
      description:
        'Reports with such visits that wait for Kafka in the outbox: delete again when they are stored. 0 while there is a next_cursor',
    }),
    progress: Type.Number({ minimum: 0, maximum: 1, description: 'Share of what is to be looked through' }),
    next_cursor: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'To go on with; null at the end',
    }),
  },
  { $id: 'VisitDeletionResult' },
);

export type VisitDeletion = Static<typeof VisitDeletionSchema>;
export type VisitDeletionResult = Static<typeof VisitDeletionResultSchema>;
