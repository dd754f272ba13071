import { AssistantListSchema, AssistantRecordSchema, AssistantSchema } from '../assistant.schema.js';
import { operation } from './operation.js';
import { BODY, textParameter } from './parameters.js';

const TAG = 'Catalog';
const ASSISTANT = textParameter('Assistant ID or name (case-insensitive)');

const listAssistants = operation({
  method: 'get',
  path: '/api/assistants',
  id: 'listAssistants',
  followsCatalog: true,
  access: 'authenticated',
  tag: TAG,
  summary: 'List assistants that refer visitors',
  answer: AssistantListSchema,
  problems: [504],
});

export const addAssistant = operation({
  method: 'post',
  path: '/api/assistants',
  id: 'addAssistant',
  access: 'administrator',
  tag: TAG,
  summary: 'Add a custom assistant (applies to new visits within 2 seconds)',
  body: AssistantRecordSchema,
  status: 201,
  answer: AssistantSchema,
  problems: [409, ...BODY, 504],
});

export const getAssistant = operation({
  method: 'get',
  path: '/api/assistants/{assistant}',
  id: 'getAssistant',
  followsCatalog: true,
  version: 'read',
  access: 'authenticated',
  tag: TAG,
  summary: 'Get an assistant',
  params: { assistant: ASSISTANT },
  answer: AssistantSchema,
  problems: [404, 504],
});

export const changeAssistant = operation({
  method: 'put',
  path: '/api/assistants/{assistant}',
  id: 'changeAssistant',
  version: 'change',
  access: 'administrator',
  tag: TAG,
  summary: 'Update a custom or built-in assistant',
  params: { assistant: ASSISTANT },
  body: AssistantRecordSchema,
  answer: AssistantSchema,
  problems: [404, ...BODY, 504],
});

export const removeAssistant = operation({
  method: 'delete',
  path: '/api/assistants/{assistant}',
  id: 'removeAssistant',
  version: 'change',
  access: 'administrator',
  tag: TAG,
  summary: 'Remove a custom assistant, or undo changes to a built-in one',
  params: { assistant: ASSISTANT },
  status: 204,
  problems: [404, 409, 504],
});

/** Operations that the console forwards to the catalog service. */
export const ASSISTANT_OPERATIONS = {
  list: listAssistants,
  add: addAssistant,
  find: getAssistant,
  change: changeAssistant,
  remove: removeAssistant,
};
