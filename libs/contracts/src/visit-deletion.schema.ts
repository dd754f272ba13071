import { Type, type Static } from 'typebox';
import { IP_ADDRESS } from './ip-address.js';

const Count = Type.Integer({ minimum: 0 });

export const VisitDeletionSchema = Type.Object(
  {
    address: Type.Optional(
      Type.String({
        format: IP_ADDRESS,
        description:
          'IP address whose visits to delete. Matches the client address and occurrences anywhere else in a visit.',
        examples: ['203.0.113.7'],
      }),
    ),
    project_id: Type.Optional(
      Type.String({
        format: 'uuid',
        description:
          'ID of the project whose visits to delete. By default, visits from the address are deleted in all projects.',
      }),
    ),
    cursor: Type.Optional(Type.String({ description: '`next_cursor` from the previous response' })),
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
        'Number of reports with matching visits that are waiting in the outbox to be sent to Kafka. Repeat the deletion once they are stored. Always 0 while `next_cursor` is set.',
    }),
    progress: Type.Number({ minimum: 0, maximum: 1, description: 'Progress, from 0 to 1' }),
    next_cursor: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Cursor for the next request. Null if the deletion is complete.',
    }),
  },
  { $id: 'VisitDeletionResult' },
);

export type VisitDeletion = Static<typeof VisitDeletionSchema>;
export type VisitDeletionResult = Static<typeof VisitDeletionResultSchema>;
