import { Type, type Static } from 'typebox';

/** RFC 9457 problem document, extended with the faults in the request. */
export const ProblemSchema = Type.Object(
  {
    type: Type.String({ description: 'URI of the problem type' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    instance: Type.String({ description: 'Request ID. Matches X-Request-Id.' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({ pointer: Type.String({ description: 'JSON Pointer (RFC 6901)' }), detail: Type.String() }),
        { description: 'Up to 100 errors found in the request' },
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
