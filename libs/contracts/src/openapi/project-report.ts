import { NewAttemptSchema } from '../alert-channel.schema.js';
import {
  MAX_REPORT_DAYS,
  MAX_REPORT_RECIPIENTS,
  NewReportRecipientSchema,
  ProjectReportSchema,
  REPORT_PERIODS,
  ReportRecipientSchema,
  ReportScheduleSchema,
  SendReportSchema,
  SentReportSchema,
} from '../report.schema.js';
import { operation } from './operation.js';
import { BODY, idParameter, oneOf, PROJECT, singleParameter, TIME } from './parameters.js';

const TAG = 'Reports';

export const getProjectReport = operation({
  method: 'get',
  path: '/api/projects/{id}/report',
  id: 'getProjectReport',
  access: 'viewer',
  tag: TAG,
  summary: 'Preview the report, with its schedule and recipients',
  params: { id: PROJECT },
  query: {
    period: singleParameter("Reported period. Default: the schedule's.", oneOf(REPORT_PERIODS)),
    from: singleParameter('Start of a custom period (ISO 8601), which replaces `period`', TIME),
    to: singleParameter(
      `End of a custom period (exclusive, ISO 8601), at most ${MAX_REPORT_DAYS} days after \`from\`. Default: now.`,
      TIME,
    ),
  },
  answer: ProjectReportSchema,
  problems: [404, 422, 504],
});

export const changeReportSchedule = operation({
  method: 'put',
  path: '/api/projects/{id}/report/schedule',
  id: 'changeReportSchedule',
  access: 'owner',
  tag: TAG,
  summary: 'Change when reports are sent',
  description: 'Reports are sent at 8:00. A weekly report covers the seven days before its weekday.',
  params: { id: PROJECT },
  body: ReportScheduleSchema,
  answer: ReportScheduleSchema,
  problems: [404, ...BODY],
});

export const sendReport = operation({
  method: 'post',
  path: '/api/projects/{id}/report/send',
  id: 'sendReport',
  access: 'owner',
  audit: { change: 'done', subject: 'report_subscription', body: ['to', 'period'] },
  tag: TAG,
  summary: 'Send the report now',
  description:
    'Returns before the emails are sent. `delivery` of the recipients shows which of them were sent. After a restart, sending continues with the recipients whose email had not been started. Scheduled reports are still sent.',
  params: { id: PROJECT },
  body: SendReportSchema,
  status: 202,
  answer: SentReportSchema,
  problems: [404, 409, 429, ...BODY, 504],
});

export const addReportRecipient = operation({
  method: 'post',
  path: '/api/projects/{id}/report/recipients',
  id: 'addReportRecipient',
  access: 'owner',
  limit: MAX_REPORT_RECIPIENTS,
  tag: TAG,
  summary: `Add a recipient without an account (up to ${MAX_REPORT_RECIPIENTS} per project)`,
  description:
    'The recipient gets an email with a confirmation link, and no reports before opening it. Unconfirmed recipients are removed after 7 days. Recipients who unsubscribed cannot be added again.',
  params: { id: PROJECT },
  body: NewReportRecipientSchema,
  status: 201,
  answer: ReportRecipientSchema,
  problems: [404, 409, 429, ...BODY],
});

export const removeReportRecipient = operation({
  method: 'delete',
  path: '/api/projects/{id}/report/recipients/{recipientId}',
  id: 'removeReportRecipient',
  access: 'owner',
  tag: TAG,
  summary: 'Remove a report recipient',
  params: { id: PROJECT, recipientId: idParameter('recipient') },
  status: 204,
  problems: [404],
});

export const confirmReportRecipient = operation({
  method: 'post',
  path: '/api/unsubscriptions/{unsubscription}/confirmation',
  id: 'confirmReportRecipient',
  access: 'public',
  audit: 'nothing',
  tag: TAG,
  summary: 'Confirm an email address that was entered as a report recipient',
  params: { unsubscription: { description: 'Token from the link in the email', schema: { type: 'string' } } },
  body: NewAttemptSchema,
  status: 204,
  problems: [404, ...BODY, 429],
});

export const PROJECT_REPORT_OPERATIONS = [
  getProjectReport,
  changeReportSchedule,
  sendReport,
  addReportRecipient,
  removeReportRecipient,
  confirmReportRecipient,
];
