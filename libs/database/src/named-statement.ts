import type { PreparedStatement } from './prepared-query.js';

interface NamedStatement extends PreparedStatement {
  /** Parameter names, in the order of their numbers. */
  parameters: readonly string[];
}

const CAST_OR_PARAMETER = /::\w+|:([a-z][\w.]*)/g;

/** Creates a prepared statement from SQL with named parameters, such as `:name` or `:table.column`. */
export function namedStatement(name: string, sql: string): NamedStatement {
  const numbers = new Map<string, number>();
  const text = sql.replaceAll(CAST_OR_PARAMETER, (match, parameter?: string) => {
    if (parameter === undefined) return match;
    if (!numbers.has(parameter)) numbers.set(parameter, numbers.size + 1);
    return `$${numbers.get(parameter)}`;
  });
  return { name, text, parameters: [...numbers.keys()] };
}

/**
 * Returns parameter values as a positional array.
 *
 * @throws {Error} if a parameter has no value, or a value has no parameter.
 */
export function parameterValues(
  { name, parameters }: NamedStatement,
  values: Readonly<Record<string, unknown>>,
): unknown[] {
  const ordered = parameters.map((parameter) => {
    if (values[parameter] === undefined) throw new Error(`Statement ${name} requires a value for :${parameter}`);
    return values[parameter];
  });
  const names = Object.keys(values);
  if (names.length > parameters.length) {
    const unused = names.find((value) => !parameters.includes(value));
    throw new Error(`Statement ${name} has no parameter :${unused}`);
  }
  return ordered;
}
