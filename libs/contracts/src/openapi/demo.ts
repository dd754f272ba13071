import { DemoSchema, NewDemoSchema } from '../demo.schema.js';
import { operation } from './operation.js';
import { BODY } from './parameters.js';

export const getDemo = operation({
  method: 'get',
  path: '/api/demo',
  id: 'getDemo',
  access: 'administrator',
  tag: 'Demo data',
  summary: 'Get the loading status of the demo data',
  answer: DemoSchema,
});

export const loadDemo = operation({
  method: 'post',
  path: '/api/demo',
  id: 'loadDemo',
  access: 'administrator',
  tag: 'Demo data',
  summary: 'Load demo visits of a shop into a new project',
  description:
    'The answer comes before the visits, which are made in the background; `GET /api/demo` says how far they are. To ' +
    'remove them, delete the project.',
  body: NewDemoSchema,
  status: 202,
  answer: DemoSchema,
  problems: [409, ...BODY],
});

/** Visits to look around with. */
export const DEMO_OPERATIONS = [getDemo, loadDemo];
