import { ReportSettingsChangeSchema, ReportSettingsSchema } from '../report.schema.js';
import { operation } from './operation.js';
import { BODY } from './parameters.js';

const TAG = 'Own account';
const UNSUBSCRIPTION = {
  unsubscription: { description: 'Token from the link in a report', schema: { type: 'string' } },
} as const;

export const getReportSettings = operation({
  method: 'get',
  path: '/api/account/reports',
  id: 'getReportSettings',
  access: 'session',
  tag: TAG,
  summary: 'List the projects whose report you receive',
  answer: ReportSettingsSchema,
});

export const changeReportSettings = operation({
  method: 'put',
  path: '/api/account/reports',
  id: 'changeReportSettings',
  access: 'session',
  tag: TAG,
  summary: 'Choose the projects whose report you receive',
  description: "Reports are sent to your account's email address by the project's schedule.",
  body: ReportSettingsChangeSchema,
  answer: ReportSettingsSchema,
  problems: BODY,
});

export const showUnsubscription = operation({
  method: 'get',
  path: '/api/unsubscriptions/{unsubscription}',
  id: 'showUnsubscription',
  access: 'public',
  tag: TAG,
  summary: 'Open the unsubscribe page',
  description: 'Opening the link does not unsubscribe anyone because mail scanners follow links, too.',
  params: UNSUBSCRIPTION,
  status: 302,
  answerHeaders: { Location: 'Dashboard page' },
});

export const unsubscribe = operation({
  method: 'post',
  path: '/api/unsubscriptions/{unsubscription}',
  id: 'unsubscribe',
  access: 'public',
  tag: TAG,
  summary: 'Unsubscribe from a report (supports one-click unsubscribe, RFC 8058)',
  params: UNSUBSCRIPTION,
  // For one-click unsubscribe, mail clients send a body that is always the same, so its content is ignored.
  checksBody: 'bytes',
  maxRawBytes: 4_096,
  status: 204,
  problems: [429],
});

export const REPORT_OPERATIONS = [getReportSettings, changeReportSettings, showUnsubscription, unsubscribe];
