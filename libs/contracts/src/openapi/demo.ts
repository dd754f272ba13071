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
  summary: 'Load demo visits for an example shop into a new project',
  description:
    'Returns immediately and generates the visits in the background. Poll `GET /api/demo` to track progress. To remove ' +
    'the visits, remove the project.',
  body: NewDemoSchema,
  status: 202,
  answer: DemoSchema,
  problems: [409, ...BODY],
});

export const DEMO_OPERATIONS = [getDemo, loadDemo];
