import { PipelineSchema, RetentionChangeSchema, RetentionSchema, SystemSchema } from '../system.schema.js';
import type { Operation } from './operation.js';
import { BODY } from './parameters.js';

/** How the instance is. */
export const SYSTEM_OPERATIONS: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/system',
    id: 'getSystem',
    access: 'administrator',
    tag: 'System',
    summary: 'Processes, queue, dead letters, catalog, disk and retention',
    status: 200,
    answer: SystemSchema,
    problems: [],
  },
  {
    method: 'put',
    path: '/api/system/retention',
    id: 'changeRetention',
    access: 'administrator',
    tag: 'System',
    summary: 'Set for how many days visits are kept; it takes effect within a minute',
    body: RetentionChangeSchema,
    status: 200,
    answer: RetentionSchema,
    problems: BODY,
  },
  {
    method: 'get',
    path: '/api/pipeline',
    id: 'getPipeline',
    access: 'authenticated',
    tag: 'System',
    summary: 'Whether visits get through, and if not where they wait',
    status: 200,
    answer: PipelineSchema,
    problems: [],
  },
];
