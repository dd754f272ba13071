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

/** Returns a 404, the same for missing resources and for those of other users. */
export const notFound = (what: string): ProblemError => new ProblemError('not-found', `There is no such ${what}.`);

/**
 * Returns the ID in lowercase.
 *
 * @throws ProblemError 404 if it isn't a UUID.
 */
export function requireId(id: string, what: string): string {
  if (!isUuid(id)) throw new ProblemError('not-found', `There is no such ${what}: its id must be a UUID.`);
  return id.toLowerCase();
}

/**
 * Reads the path parameters of an operation. Those with a noun are IDs.
 *
 * @throws ProblemError 404 if an ID isn't a UUID.
 */
export function readParams<O extends Operation>({ params = {} }: O, given: Record<string, string>): ParamsOf<O> {
  const read = Object.entries(params).map(([name, { noun }]) => [
    name,
    noun === undefined ? given[name]! : requireId(given[name]!, noun),
  ]);
  return Object.fromEntries(read) as ParamsOf<O>;
}

/** Maximum length of an invalid value that an error quotes, in characters. */
const MAX_SHOWN = 100;

type GivenQuery = Record<string, string | string[] | undefined>;

/**
 * Reads the query of an operation. Blank parameters count as absent. Text that PostgreSQL can't store is never valid.
 *
 * @throws ProblemError 422 with all invalid and all unknown parameters.
 */
export function readQuery<O extends Operation>(
  { query = {}, access, ignoresOtherQuery }: O,
  given: GivenQuery,
): QueryOf<O> {
  const faults: Fault[] = [];
  const wrong = new Map<string, string | undefined>();
  const read: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(query)) {
    const texts = [given[name] ?? []].flat().filter((text) => text !== '');
    if (!texts.every(isPostgresText)) {
      faults.push({ pointer: `/${name}`, detail: 'must not hold a NUL character or half of a surrogate pair' });
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
    // Operations that sites call don't quote the value, so their responses stay stable.
    if (access !== 'token')
      wrong.set(
        `/${name}`,
        texts.find((text) => parameter.read([text]) === undefined),
      );
  }
  for (const name of ignoresOtherQuery ? [] : Object.keys(given)) {
    if (Object.hasOwn(query, name)) continue;
    const known = Object.keys(query).join(', ');
    faults.push({ pointer: `/${name}`, detail: `is not a parameter; known are: ${known}` });
  }
  if (faults.length > 0) throw unfitQuery(faults, wrong);
  return read as QueryOf<O>;
}

/** Quotes an invalid value, truncated if it is long. */
function gotText(text: string | undefined): string {
  if (text === undefined) return '';
  return ` (got ${JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text)})`;
}

/**
 * Returns a 422 for invalid parameters.
 *
 * @param wrong Invalid values by pointer. Only `detail` quotes them, because `errors` can be shown next to the fields.
 */
export function unfitQuery(errors: Fault[], wrong: ReadonlyMap<string, string | undefined> = new Map()): ProblemError {
  const faults = errors.map(({ pointer, detail }) => `${pointer.slice(1)} ${detail}${gotText(wrong.get(pointer))}`);
  return new ProblemError('invalid-body', `The parameters are not valid: ${faults.join('; ')}.`, { errors });
}

/** Returns a 422 for invalid members of a body. */
export function unfitBody(errors: Fault[]): ProblemError {
  const faults = errors.map(({ pointer, detail }) => `${pointer || 'the body'} ${detail}`).join('; ');
  return new ProblemError('invalid-body', `The request body is not valid: ${faults}.`, { errors });
}

/** Returns {@link unfitBody} for a single member. */
export const invalidBody = (pointer: string, detail: string): ProblemError => unfitBody([{ pointer, detail }]);

/** Returns a function that checks and returns the body of an operation. It throws ProblemError 422 with all faults. */
export function bodyReader({ body, checksBody, bodyFault }: Operation): (body: unknown) => unknown {
  if (body === undefined) return () => undefined;
  if (checksBody !== undefined) return (given) => given;
  const schema = validator(body);
  return (given) => {
    if (schema.is(given)) return given;
    const errors = schema.faults(given);
    throw bodyFault === undefined ? unfitBody(errors) : new ProblemError('invalid-body', bodyFault, { errors });
  };
}
