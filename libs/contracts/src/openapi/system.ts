import { PipelineSchema, RetentionChangeSchema, RetentionSchema, SystemSchema } from '../system.schema.js';
import { operation } from './operation.js';
import { BODY } from './parameters.js';

export const getSystem = operation({
  method: 'get',
  path: '/api/system',
  id: 'getSystem',
  access: 'administrator',
  tag: 'System',
  summary: 'Get the system status: processes, queue, dead letters, catalog, disk, network names and retention',
  answer: SystemSchema,
});

export const getRetention = operation({
  method: 'get',
  path: '/api/system/retention',
  id: 'getRetention',
  version: 'read',
  access: 'administrator',
  tag: 'System',
  summary: 'Get the retention periods for visits',
  answer: RetentionSchema,
});

export const changeRetention = operation({
  method: 'put',
  path: '/api/system/retention',
  id: 'changeRetention',
  version: 'change',
  confirms: true,
  access: 'administrator',
  tag: 'System',
  summary: 'Set the retention periods for visits (takes effect within a minute)',
  body: RetentionChangeSchema,
  answer: RetentionSchema,
  problems: BODY,
});

export const getPipeline = operation({
  method: 'get',
  path: '/api/pipeline',
  id: 'getPipeline',
  access: 'authenticated',
  tag: 'System',
  summary: 'Get the pipeline status: whether visits are being processed, or where they are stuck',
  answer: PipelineSchema,
});

export const refreshAddressLists = operation({
  method: 'post',
  path: '/api/address-lists/refresh',
  id: 'refreshAddressLists',
  access: 'administrator',
  audit: { change: 'done', subject: 'settings' },
  tag: 'Catalog',
  summary: 'Fetch all IP address lists now, in the background (at most once a minute)',
  status: 202,
  problems: [409, 429, ...BODY, 504],
});

/** Operations that the console forwards to the catalog service. */
export const ADDRESS_LIST_OPERATIONS = { refreshAll: refreshAddressLists };

export const SYSTEM_OPERATIONS = [getSystem, getRetention, changeRetention, getPipeline, refreshAddressLists];
