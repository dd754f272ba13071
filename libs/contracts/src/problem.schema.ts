import { Type, type Static } from 'typebox';

/** RFC 9457 problem document, with the faults of the body. */
export const ProblemSchema = Type.Object(
  {
    type: Type.String({ description: 'Problem type' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    instance: Type.String({ description: 'Request ID, as in X-Request-Id' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({ pointer: Type.String({ description: 'JSON Pointer (RFC 6901)' }), detail: Type.String() }),
        { description: 'Faults of the body, up to 100' },
      ),
    ),
    current: Type.Optional(
      Type.Unknown({ description: 'Current state of the resource, if someone else changed it first' }),
    ),
  },
  { $id: 'Problem' },
);

export type Problem = Static<typeof ProblemSchema>;

export interface Fault {
  /** JSON Pointer (RFC 6901) to the invalid or missing value. */
  pointer: string;
  detail: string;
}
