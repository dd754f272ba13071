import type { BindTyped } from '../timeline-filters.js';

/** Returns an empty set of parameters for a statement, with a function that adds to it. */
export function createParameters(): { parameters: Record<string, unknown>; bind: BindTyped } {
  const parameters: Record<string, unknown> = {};
  const bind: BindTyped = (value, type) => {
    const name = `p${Object.keys(parameters).length + 1}`;
    parameters[name] = value;
    return `{${name}:${type}}`;
  };
  return { parameters, bind };
}
