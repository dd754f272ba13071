import { Type, type TSchema } from 'typebox';
import { AGENT_TYPES, agentTypeNamed } from '../agent-type.js';
import { MAX_DAYS_OF_RANGE } from '../statistics.schema.js';
import { parseTimestamp, TIME_SENTENCE } from '../timestamp.js';
import type { PathParameter, QueryParameter } from './operation.js';

/** The id of something: a UUID. No other text names one, so that the answer to it is 404. */
export const idOf = (noun: string): PathParameter => ({
  description: `The ${noun}`,
  schema: Type.String({ format: 'uuid' }),
  noun,
});

/** The project whose roles count. */
export const PROJECT = idOf('project');

/** An agent that visits a project. */
export const AGENT: PathParameter = {
  ...idOf('agent'),
  description: 'The agent: its `agent_id` in the list of agents that visit the project',
};

/** A text that only the operation understands. */
export const key = (description: string): PathParameter => ({ description, schema: Type.String() });

/** How one value of a query parameter is documented, and what it means. */
interface Value<T> {
  schema: TSchema;
  /** What a value must be. */
  fault: string;
  /** Returns null for a text that does not fit. */
  read: (text: string) => T | null;
}

const TEXT: Value<string> = { schema: Type.String(), fault: '', read: (text) => text };

/** A parameter with one value, of which the last counts; null when there is none. */
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

/** What is looked for in every visit: each value costs as much as the first. */
const MAX_VALUES = 50;

/** A parameter that, given several times, means "one of them"; null when there is none. */
export function several(description: string): QueryParameter<string[] | null>;
export function several<T>(description: string, value: Value<T>): QueryParameter<T[] | null>;
export function several(description: string, { schema, fault, read }: Value<unknown> = TEXT): QueryParameter {
  return {
    description: `${description}; repeated: one of them`,
    schema: Type.Array(schema, { maxItems: MAX_VALUES }),
    fault,
    read: (texts) => {
      const values = texts.map(read);
      if (values.includes(null)) return undefined;
      return values.length === 0 ? null : values;
    },
  };
}

/** A parameter that is never null. */
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

/** A text of some form. */
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

/** Milliseconds since the epoch. */
export const TIME = textThat(TIME_SENTENCE, parseTimestamp);
/** Of visits, or of what happened meanwhile. */
export const RANGE = {
  from: one('Not before this time, ISO 8601; default 24 hours before `to`', TIME),
  to: one(`Before this time, ISO 8601, at most ${MAX_DAYS_OF_RANGE} days after \`from\`; default now`, TIME),
};
export const AGENT_TYPE = oneOf(AGENT_TYPES, agentTypeNamed);

export const LIMIT = withDefault(
  one('Items of a page, at most; pages of large visits end at 4 MiB', wholeNumber(1, 1_000)),
  50,
);

/** @param read returns null for a text that is not a cursor of the list. */
export const cursor = <T>(read: (text: string) => T | null): QueryParameter<T | null> =>
  one('From an earlier answer', textThat('is not valid: start again without one', read));

/** Problems of a body. */
export const BODY = [400, 413, 415, 422] as const;
