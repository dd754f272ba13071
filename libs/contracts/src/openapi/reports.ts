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
  summary: 'Read of which projects you get a weekly report',
  answer: ReportSettingsSchema,
});

export const changeReportSettings = operation({
  method: 'put',
  path: '/api/account/reports',
  id: 'changeReportSettings',
  access: 'session',
  tag: TAG,
  summary: 'Choose of which projects you get a weekly report',
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
  summary: 'Go to the page that ends a weekly report; programs that open links end nothing',
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
  summary: 'End a weekly report, also with one click in a mail program (RFC 8058)',
  params: UNSUBSCRIPTION,
  // What a mail program sends says nothing more than that it does.
  checksBody: 'bytes',
  maxRawBytes: 4_096,
  status: 204,
  problems: [429],
});

/** The weekly report of a project. */
export const REPORT_OPERATIONS = [getReportSettings, changeReportSettings, showUnsubscription, unsubscribe];
