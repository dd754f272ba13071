import { Type, type Static } from 'typebox';

/** RFC 9457 problem document, with the places in the body that are at fault. */
export const ProblemSchema = Type.Object(
  {
    type: Type.String({ description: 'Identifies the kind of problem' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    instance: Type.String({ description: 'The request id, as in X-Request-Id' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({ pointer: Type.String({ description: 'JSON Pointer (RFC 6901)' }), detail: Type.String() }),
        { description: 'The first 100 faults of the body' },
      ),
    ),
    current: Type.Optional(
      Type.Unknown({ description: 'Of a change that somebody else came before: what was to be changed, as it is now' }),
    ),
  },
  { $id: 'Problem' },
);

export type Problem = Static<typeof ProblemSchema>;

/** One fault of a body. */
export interface Fault {
  /** JSON Pointer (RFC 6901) to the value at fault, or to where a missing one belongs. */
  pointer: string;
  detail: string;
}
