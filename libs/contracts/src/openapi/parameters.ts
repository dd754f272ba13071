import { AGENT_TYPES } from '../agent-type.js';
import { IDENTIFICATION_RESULTS } from '../enriched-visit.schema.js';
import { VISIT_KINDS } from '../visit.schema.js';
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

/** Which visits of the timeline are meant. */
export const TIMELINE_FILTERS: readonly Parameter[] = [
  query('from', 'Not before this time, ISO 8601'),
  query('to', 'Before this time, ISO 8601'),
  several('agent', 'Token or id of the agent'),
  several('type', 'Type of the agent', { type: 'string', enum: [...AGENT_TYPES] }),
  several('operator', 'Company behind the agent'),
  several('result', 'Result of the identification', { type: 'string', enum: [...IDENTIFICATION_RESULTS] }),
  several('path', 'Start of the request path'),
  several('page', 'Whole request path, without its query'),
  several('address', "The client's address, or its network such as 192.0.2.0/24"),
  several('status', 'Status of the response, such as 404, or a class, such as 4xx'),
  several('mcp_tool', 'Name of the MCP tool'),
  several('kind', 'Kind of visit', { type: 'string', enum: [...VISIT_KINDS] }),
];
