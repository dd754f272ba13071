import type { Parameter } from './operation.js';

export const uuid = (name: string, description: string): Parameter => ({
  in: 'path',
  name,
  description,
  schema: { type: 'string', format: 'uuid' },
  required: true,
});
export const query = (name: string, description: string, schema: object = { type: 'string' }): Parameter => ({
  in: 'query',
  name,
  description,
  schema,
});
/** Given several times it means "one of them". */
export const several = (name: string, description: string, items: object = { type: 'string' }): Parameter =>
  query(name, `${description}; repeated: one of them`, { type: 'array', items });

export const BODY = [400, 413, 415, 422];
export const LIMIT = query('limit', 'Items of a page', { type: 'integer', minimum: 1, maximum: 1_000, default: 50 });
export const CURSOR = query('cursor', 'From an earlier answer');
