import {
  isPostgresText,
  isUuid,
  validator,
  type Fault,
  type Operation,
  type ParamsOf,
  type QueryOf,
} from '#libs/contracts';
import { ProblemError } from '../problem.js';

/** Returns a 404 error that is the same for missing resources and for other users' resources. */
export const notFound = (resourceName: string): ProblemError =>
  new ProblemError('not-found', `This ${resourceName} doesn't exist.`);

/**
 * Validates a UUID and returns it in lowercase.
 *
 * @throws {ProblemError} 404 if the ID isn't a UUID.
 */
export function requireId(id: string, resourceName: string): string {
  if (!isUuid(id)) throw new ProblemError('not-found', `This ${resourceName} doesn't exist. Its ID must be a UUID.`);
  return id.toLowerCase();
}

/**
 * Reads an operation's path parameters. Parameters with a noun are IDs.
 *
 * @throws {ProblemError} 404 if an ID isn't a UUID.
 */
export function readParams<O extends Operation>({ params = {} }: O, rawValues: Record<string, string>): ParamsOf<O> {
  const read = Object.entries(params).map(([name, { noun }]) => [
    name,
    noun === undefined ? rawValues[name]! : requireId(rawValues[name]!, noun),
  ]);
  return Object.fromEntries(read) as ParamsOf<O>;
}

/** Maximum number of characters to quote from an invalid value. */
const MAX_QUOTED_LENGTH = 100;

type RawQuery = Record<string, string | string[] | undefined>;

/**
 * Reads an operation's query. Blank parameters count as absent. Text that PostgreSQL can't store is always invalid.
 *
 * @throws {ProblemError} 422 listing all invalid and unknown parameters.
 */
export function readQuery<O extends Operation>(
  { query = {}, access, ignoresOtherQuery }: O,
  rawValues: RawQuery,
): QueryOf<O> {
  const faults: Fault[] = [];
  const invalidValues = new Map<string, string | undefined>();
  const read: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(query)) {
    const texts = [rawValues[name] ?? []].flat().filter((text) => text !== '');
    if (!texts.every(isPostgresText)) {
      faults.push({ pointer: `/${name}`, detail: 'must not contain NUL characters or unpaired surrogates' });
      continue;
    }
    const { maxItems } = parameter.schema as { maxItems?: number };
    if (maxItems !== undefined && texts.length > maxItems) {
      faults.push({ pointer: `/${name}`, detail: `must have ${maxItems} values or fewer` });
      continue;
    }
    read[name] = parameter.read(texts);
    if (read[name] !== undefined) continue;
    faults.push({ pointer: `/${name}`, detail: parameter.fault });
    // Don't quote the value in responses to sites, so these responses remain stable.
    if (access !== 'token')
      invalidValues.set(
        `/${name}`,
        texts.find((text) => parameter.read([text]) === undefined),
      );
  }
  for (const name of ignoresOtherQuery ? [] : Object.keys(rawValues)) {
    if (Object.hasOwn(query, name)) continue;
    const validNames = Object.keys(query).join(', ');
    faults.push({ pointer: `/${name}`, detail: `is not a known parameter. Valid parameters: ${validNames}` });
  }
  if (faults.length > 0) throw invalidQueryError(faults, invalidValues);
  return read as QueryOf<O>;
}

function quoteValue(text: string | undefined): string {
  if (text === undefined) return '';
  return ` (got ${JSON.stringify(text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH)}…` : text)})`;
}

/**
 * Returns a 422 error for invalid parameters.
 *
 * @param invalidValues Invalid values by pointer. Only `detail` quotes them because a UI may show `errors` next to the input
 *   fields.
 */
export function invalidQueryError(
  errors: Fault[],
  invalidValues: ReadonlyMap<string, string | undefined> = new Map(),
): ProblemError {
  const faults = errors.map(
    ({ pointer, detail }) => `${pointer.slice(1)} ${detail}${quoteValue(invalidValues.get(pointer))}`,
  );
  return new ProblemError('invalid-body', `The parameters are invalid: ${faults.join('; ')}.`, { errors });
}

/** Returns a 422 error for invalid members of a body. */
export function invalidBodyError(errors: Fault[]): ProblemError {
  const faults = errors.map(({ pointer, detail }) => `${pointer || 'the body'} ${detail}`).join('; ');
  return new ProblemError('invalid-body', `The request body is invalid: ${faults}.`, { errors });
}

/** Like {@link invalidBodyError}, but for a single member. */
export const invalidBody = (pointer: string, detail: string): ProblemError => invalidBodyError([{ pointer, detail }]);

/** Returns a function that validates and returns an operation's body. It throws a 422 ProblemError with all faults. */
export function bodyReader({ body, checksBody, bodyFault }: Operation): (body: unknown) => unknown {
  if (body === undefined) return () => undefined;
  if (checksBody !== undefined) return (rawValues) => rawValues;
  const schema = validator(body);
  return (rawValues) => {
    if (schema.is(rawValues)) return rawValues;
    const errors = schema.faults(rawValues);
    throw bodyFault === undefined ? invalidBodyError(errors) : new ProblemError('invalid-body', bodyFault, { errors });
  };
}
