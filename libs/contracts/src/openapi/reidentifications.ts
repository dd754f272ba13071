import {
  MAX_REIDENTIFICATIONS,
  NewReidentificationSchema,
  ReidentificationChangeSchema,
  ReidentificationSchema,
  ReidentificationsSchema,
} from '../reidentification.schema.js';
import { operation } from './operation.js';
import { BODY, idParameter, PROJECT } from './parameters.js';

const TAG = 'Re-identification';
const REIDENTIFICATION = idParameter('re-identification');

export const listReidentifications = operation({
  method: 'get',
  path: '/api/projects/{id}/reidentifications',
  id: 'listReidentifications',
  access: 'viewer',
  tag: TAG,
  summary: "List a project's re-identifications, with their changes",
  params: { id: PROJECT },
  answer: ReidentificationsSchema,
  problems: [404],
});

export const createReidentification = operation({
  method: 'post',
  path: '/api/projects/{id}/reidentifications',
  id: 'createReidentification',
  access: 'owner',
  limit: MAX_REIDENTIFICATIONS,
  tag: TAG,
  summary: 'Preview how the current catalog would re-identify stored visits',
  description:
    'Visits are not changed until you apply the preview. Each project can have only one re-identification in progress. It can take hours because new visits take priority.',
  params: { id: PROJECT },
  body: NewReidentificationSchema,
  status: 201,
  answer: ReidentificationSchema,
  problems: [404, 409, ...BODY],
});

export const getReidentification = operation({
  method: 'get',
  path: '/api/projects/{id}/reidentifications/{reidentificationId}',
  id: 'getReidentification',
  access: 'viewer',
  tag: TAG,
  summary: 'Get the progress and report of a re-identification',
  params: { id: PROJECT, reidentificationId: REIDENTIFICATION },
  answer: ReidentificationSchema,
  problems: [404],
});

export const changeReidentification = operation({
  method: 'patch',
  path: '/api/projects/{id}/reidentifications/{reidentificationId}',
  id: 'changeReidentification',
  access: 'owner',
  tag: TAG,
  summary: 'Apply, pause, resume or cancel a re-identification',
  params: { id: PROJECT, reidentificationId: REIDENTIFICATION },
  body: ReidentificationChangeSchema,
  answer: ReidentificationSchema,
  problems: [404, 409, ...BODY],
});

export const REIDENTIFICATION_OPERATIONS = [
  listReidentifications,
  createReidentification,
  getReidentification,
  changeReidentification,
];
