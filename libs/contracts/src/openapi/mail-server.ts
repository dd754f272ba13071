import { NewAttemptSchema } from '../alert-channel.schema.js';
import { MailServerChangeSchema, MailServerSchema, MailTestSchema } from '../mail-server.schema.js';
import { operation } from './operation.js';
import { BODY } from './parameters.js';

const TAG = 'System';
const FROM_ENVIRONMENT = 'Returns 409 if the mail server is set by environment variables.';

export const getMailServer = operation({
  method: 'get',
  path: '/api/system/mail-server',
  id: 'getMailServer',
  version: 'read',
  access: 'administrator',
  tag: TAG,
  summary: 'Get the mail server that sends alerts, reports and sign-in notices',
  answer: MailServerSchema,
});

export const changeMailServer = operation({
  method: 'put',
  path: '/api/system/mail-server',
  id: 'changeMailServer',
  version: 'change',
  confirms: true,
  access: 'administrator',
  tag: TAG,
  summary: 'Set the mail server (takes effect immediately)',
  description: FROM_ENVIRONMENT,
  body: MailServerChangeSchema,
  answer: MailServerSchema,
  problems: [409, ...BODY],
});

export const testMailServer = operation({
  method: 'post',
  path: '/api/system/mail-server/test',
  id: 'testMailServer',
  access: 'administrator',
  audit: { change: 'done', subject: 'mail_server' },
  tag: TAG,
  summary: 'Send a test email to yourself and return the result',
  body: NewAttemptSchema,
  answer: MailTestSchema,
  problems: [409, ...BODY],
  problemDescriptions: { 409: 'No mail server is set, or the API key belongs to no account' },
});

export const removeMailServer = operation({
  method: 'delete',
  path: '/api/system/mail-server',
  id: 'removeMailServer',
  confirms: true,
  access: 'administrator',
  tag: TAG,
  summary: 'Remove the mail server. No more emails are sent.',
  description: FROM_ENVIRONMENT,
  status: 204,
  problems: [404, 409],
});

export const MAIL_SERVER_OPERATIONS = [getMailServer, changeMailServer, testMailServer, removeMailServer];
