import { Type, type TSchema } from 'typebox';
import { AGENT_TYPES, agentTypeNamed } from '../agent-type.js';
import { MAX_DAYS_OF_RANGE } from '../statistics.schema.js';
import { parseTimestamp, TIME_FAULT } from '../timestamp.js';
import type { PathParameter, QueryParameter } from './operation.js';

/** Returns an ID parameter. Values that aren't UUIDs are answered with 404. */
export const idOf = (noun: string): PathParameter => ({
  description: `ID of the ${noun}`,
  schema: Type.String({ format: 'uuid' }),
  noun,
});

/** Project in which the caller's role is checked. */
export const PROJECT = idOf('project');

export const AGENT: PathParameter = {
  ...idOf('agent'),
  description: 'ID of the agent (`agent_id` in the list of visiting agents)',
};

/** Returns a path parameter that accepts any text. */
export const key = (description: string): PathParameter => ({ description, schema: Type.String() });

/** Schema and parser of one query parameter value. */
interface Value<T> {
  schema: TSchema;
  /** Requirement that invalid values violate, for the problem detail. */
  fault: string;
  /** Returns null if the text is invalid. */
  read: (text: string) => T | null;
}

const TEXT: Value<string> = { schema: Type.String(), fault: '', read: (text) => text };

/** Returns a single-value parameter, null if absent. If repeated, the last value wins. */
export function one(description: string): QueryParameter<string | null>;
export function one<T>(description: string, value: Value<T>): QueryParameter<T | null>;
export function one(description: string, { schema, fault, read }: Value<unknown> = TEXT): QueryParameter {
  return {
    description,
    schema,
    fault,
    read: (texts) => {
      const values = texts.map(read);
      return values.includes(null) ? undefined : (values.at(-1) ?? null);
    },
  };
}

/** Limits the work per visit: each value is searched for separately. */
const MAX_VALUES = 50;

/** End of the description of a repeatable parameter. */
export const REPEATABLE = 'Repeat to match any of several values.';

/** Returns a repeatable parameter that matches any of its values, null if absent. */
export function several(description: string): QueryParameter<string[] | null>;
export function several<T>(description: string, value: Value<T>): QueryParameter<T[] | null>;
export function several(description: string, { schema, fault, read }: Value<unknown> = TEXT): QueryParameter {
  return {
    description: `${description}. ${REPEATABLE}`,
    schema: Type.Array(schema, { maxItems: MAX_VALUES }),
    fault,
    read: (texts) => {
      const values = texts.map(read);
      if (values.includes(null)) return undefined;
      return values.length === 0 ? null : values;
    },
  };
}

/** Returns the parameter with a default instead of null. */
export const withDefault = <T extends string | number>(
  { schema, read, ...parameter }: QueryParameter<T | null>,
  value: T,
): QueryParameter<T> => ({
  ...parameter,
  schema: { ...schema, default: value } as TSchema,
  read: (texts) => {
    const found = read(texts);
    return found === null ? value : found;
  },
});

/** Returns a value type with a custom parser. */
export const textThat = <T>(
  fault: string,
  read: (text: string) => T | null,
  schema: TSchema = TEXT.schema,
): Value<T> => ({ schema, fault, read });

export const oneOf = <const T extends string>(
  values: readonly T[],
  read: (text: string) => T | null = (text) => values.find((value) => value === text) ?? null,
): Value<T> => ({
  schema: Type.Unsafe<T>({ type: 'string', enum: [...values] }),
  fault: `must be one of: ${values.join(', ')}`,
  read,
});

export const wholeNumber = (minimum: number, maximum: number): Value<number> => ({
  schema: Type.Integer({ minimum, maximum }),
  fault: `must be a whole number from ${minimum} to ${maximum}`,
  read: (text) => {
    const number = /^\d+$/.test(text) && text.length <= String(maximum).length ? Number(text) : NaN;
    return number >= minimum && number <= maximum ? number : null;
  },
});

/** Time, parsed to milliseconds since the epoch. */
export const TIME = textThat(TIME_FAULT, parseTimestamp);
export const RANGE = {
  from: one('Start of the period (inclusive), in ISO 8601. Default: 24 hours before `to`.', TIME),
  to: one(
    `End of the period (exclusive), in ISO 8601, at most ${MAX_DAYS_OF_RANGE} days after \`from\`. Default: now.`,
    TIME,
  ),
};
export const AGENT_TYPE = oneOf(AGENT_TYPES, agentTypeNamed);

export const LIMIT = withDefault(
  one('Maximum number of items per page, 1–1000. Pages of large visits end at 4 MiB.', wholeNumber(1, 1_000)),
  50,
);

/** @param read returns null if the text is not a cursor of the list. */
export const cursor = <T>(read: (text: string) => T | null): QueryParameter<T | null> =>
  one('Cursor from the previous response', textThat('is invalid: omit it to start over', read));

/** Statuses of problems with a body. */
export const BODY = [400, 413, 415, 422] as const;
