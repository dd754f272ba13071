import { ReportSettingsChangeSchema, ReportSettingsSchema } from '../report.schema.js';
import { operation } from './operation.js';
import { BODY } from './parameters.js';

const TAG = 'Own account';
const UNSUBSCRIPTION = {
  unsubscription: { description: 'Of the link in a report', schema: { type: 'string' } },
} as const;

export const getReportSettings = operation({
  method: 'get',
  path: '/api/account/reports',
  id: 'getReportSettings',
  access: 'session',
  tag: TAG,
  summary: 'List the projects whose weekly report you get',
  answer: ReportSettingsSchema,
});

export const changeReportSettings = operation({
  method: 'put',
  path: '/api/account/reports',
  id: 'changeReportSettings',
  access: 'session',
  tag: TAG,
  summary: 'Choose the projects whose weekly report you get',
  description: "It goes to your account's e-mail address on Monday at 8:00 in the project's time zone.",
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
  description: "Opening the link unsubscribes nobody, so that programs that follow links in mails don't.",
  params: UNSUBSCRIPTION,
  status: 302,
  answerHeaders: { Location: 'A page of the dashboard' },
});

export const unsubscribe = operation({
  method: 'post',
  path: '/api/unsubscriptions/{unsubscription}',
  id: 'unsubscribe',
  access: 'public',
  tag: TAG,
  summary: 'Unsubscribe from a weekly report; supports one-click unsubscribe (RFC 8058)',
  params: UNSUBSCRIPTION,
  // What a mail program sends says nothing more than that it does.
  checksBody: 'bytes',
  maxRawBytes: 4_096,
  status: 204,
  problems: [429],
});

/** The weekly report of a project. */
export const REPORT_OPERATIONS = [getReportSettings, changeReportSettings, showUnsubscription, unsubscribe];
