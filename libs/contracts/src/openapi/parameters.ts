import { Type, type TSchema } from 'typebox';
import { AGENT_TYPES, findAgentType } from '../agent-type.js';
import { MAX_RANGE_DAYS } from '../statistics.schema.js';
import { parseTimestamp, TIME_FAULT } from '../timestamp.js';
import type { PathParameter, QueryParameter } from './operation.js';

/** Returns a path parameter for a UUID. Any other value results in a 404 response. */
export const idParameter = (noun: string): PathParameter => ({
  description: `ID of the ${noun}`,
  schema: Type.String({ format: 'uuid' }),
  noun,
});

/** Project that the caller must have a role in. */
export const PROJECT = idParameter('project');

export const AGENT: PathParameter = {
  ...idParameter('agent'),
  description: 'Agent ID (`agent_id` in the list of visiting agents)',
};

/** Returns a path parameter that accepts any text. */
export const textParameter = (description: string): PathParameter => ({ description, schema: Type.String() });

/** Schema and parser of one query parameter value. */
interface Value<T> {
  schema: TSchema;
  /** Problem detail for invalid values, such as "must be a project ID". */
  fault: string;
  /** Returns null if the text is invalid. */
  read: (text: string) => T | null;
}

const TEXT: Value<string> = { schema: Type.String(), fault: '', read: (text) => text };

/** Returns a parameter with a single value, or null if it is absent. If it is repeated, the last value wins. */
export function singleParameter(description: string): QueryParameter<string | null>;
export function singleParameter<T>(description: string, value: Value<T>): QueryParameter<T | null>;
export function singleParameter(description: string, { schema, fault, read }: Value<unknown> = TEXT): QueryParameter {
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

/** Maximum number of values per parameter. Visits are compared with each value separately. */
const MAX_VALUES = 50;

/** Last sentence in the description of a repeatable parameter. */
export const REPEAT_NOTE = 'Repeat the parameter to match any of several values.';

/** Returns a repeatable parameter that matches any of its values, or null if it is absent. */
export function repeatableParameter(description: string): QueryParameter<string[] | null>;
export function repeatableParameter<T>(description: string, value: Value<T>): QueryParameter<T[] | null>;
export function repeatableParameter(
  description: string,
  { schema, fault, read }: Value<unknown> = TEXT,
): QueryParameter {
  return {
    description: `${description}. ${REPEAT_NOTE}`,
    schema: Type.Array(schema, { maxItems: MAX_VALUES }),
    fault,
    read: (texts) => {
      const values = texts.map(read);
      if (values.includes(null)) return undefined;
      return values.length === 0 ? null : values;
    },
  };
}

/** Replaces null with a default value. */
export const withDefault = <T extends string | number>(
  { schema, read, ...parameter }: QueryParameter<T | null>,
  value: T,
): QueryParameter<T> => ({
  ...parameter,
  schema: { ...schema, default: value } as TSchema,
  read: (texts) => {
    const parsed = read(texts);
    return parsed === null ? value : parsed;
  },
});

/** Returns a value type with a custom parser. */
export const parsedText = <T>(
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

/** Value type for a time, parsed to milliseconds since the epoch. */
export const TIME = parsedText(TIME_FAULT, parseTimestamp);
export const RANGE = {
  from: singleParameter('Start of the time range (inclusive, ISO 8601). Default: 24 hours before `to`.', TIME),
  to: singleParameter(
    `End of the time range (exclusive, ISO 8601), at most ${MAX_RANGE_DAYS} days after \`from\`. Default: now.`,
    TIME,
  ),
};
export const AGENT_TYPE = oneOf(AGENT_TYPES, findAgentType);

export const LIMIT = withDefault(
  singleParameter(
    'Maximum number of items per page, 1–1000. Default: 50. If visits are large, a page contains at most 4 MiB.',
    wholeNumber(1, 1_000),
  ),
  50,
);

/** @param read Returns null if the text isn't a valid cursor for the list. */
export const cursor = <T>(read: (text: string) => T | null): QueryParameter<T | null> =>
  singleParameter('Cursor from the previous response', parsedText('is invalid. Omit it to start over', read));

/** Problem statuses for operations that accept a body. */
export const BODY = [400, 413, 415, 422] as const;
