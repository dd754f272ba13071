import {
  KEPT_REIDENTIFICATIONS,
  NewReidentificationSchema,
  ReidentificationChangeSchema,
  ReidentificationSchema,
  ReidentificationsSchema,
} from '../reidentification.schema.js';
import { operation } from './operation.js';
import { BODY, idOf, PROJECT } from './parameters.js';

const TAG = 'Re-identification';
const REIDENTIFICATION = idOf('re-identification');

export const listReidentifications = operation({
  method: 'get',
  path: '/api/projects/{id}/reidentifications',
  id: 'listReidentifications',
  access: 'viewer',
  tag: TAG,
  summary: 'List re-identifications of a project with their changes',
  params: { id: PROJECT },
  answer: ReidentificationsSchema,
  problems: [404],
});

export const createReidentification = operation({
  method: 'post',
  path: '/api/projects/{id}/reidentifications',
  id: 'createReidentification',
  access: 'owner',
  limit: KEPT_REIDENTIFICATIONS,
  tag: TAG,
  summary: "Preview how today's catalog would identify stored visits",
  description:
    'Nothing is changed until the preview is applied. Only one re-identification of a project can be under way. New visits come first, so it can take hours.',
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

/** Stored visits that are identified again. */
export const REIDENTIFICATION_OPERATIONS = [
  listReidentifications,
  createReidentification,
  getReidentification,
  changeReidentification,
];
