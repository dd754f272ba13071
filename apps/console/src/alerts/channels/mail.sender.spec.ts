import { jest } from '@jest/globals';
import type { AddressInfo } from 'node:net';
import { InMemoryRateLimiter } from '#libs/cache';
import { SMTPServer } from 'smtp-server';
import { until } from '../../../../../test/kit/instance.js';
import type { MailSettings } from './mail-settings.js';
import { MailInterruptedError, MailSender, type MailOptions } from './mail.sender.js';

const settings: MailSettings = {
  host: '127.0.0.1',
  port: 1,
  security: 'none',
  user: null,
  password: null,
  from: 'a@example.com',
};

const toServer = (found: MailSettings) => ({ find: async () => found, isSet: async () => true });

afterEach(() => jest.restoreAllMocks());

it('interrupts an email if its claim could expire before it is sent', async () => {
  jest.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValue(120_001);
  const sent = new MailSender(toServer(settings), new InMemoryRateLimiter(() => 0)).send({
    to: ['b@example.com'],
    id: '1',
    subject: '',
    text: '',
  });
  await expect(sent).rejects.toThrow(MailInterruptedError);
});

describe('MailSender with an unresponsive server', () => {
  /** Recipients of the emails in flight. */
  let startedRecipients: string[] = [];
  let sent: Promise<unknown>[] = [];
  let smtp: SMTPServer;
  let sender: MailSender;

  beforeEach(async () => {
    startedRecipients = [];
    sent = [];
    smtp = new SMTPServer({
      disabledCommands: ['STARTTLS', 'AUTH'],
      onRcptTo: ({ address }) => void startedRecipients.push(address),
    });
    await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
    sender = new MailSender(
      toServer({ ...settings, port: (smtp.server.address() as AddressInfo).port }),
      new InMemoryRateLimiter(),
    );
  });
  afterEach(async () => {
    const closed = new Promise<void>((resolve) => smtp.close(resolve));
    for (const connection of smtp.connections) connection.close();
    await Promise.all([closed, ...sent]);
  });

  const send = (address: string, options?: MailOptions): void => {
    const sending = sender.send({ to: [address], id: address, subject: '', text: '' }, options);
    sent.push(sending.catch((error: unknown) => error));
  };

  it('reserves a connection for emails that a user is waiting for', async () => {
    for (let count = 0; count < 9; count += 1) send(`${count}@example.com`);
    await until(() => startedRecipients.length >= 4, { condition: 'all available connections are in use' });
    send('asked@example.com', { isUserWaiting: true });
    await until(() => startedRecipients.includes('asked@example.com'), {
      condition: 'the requested email is in flight',
    });
    expect(startedRecipients).toHaveLength(5);
  });

  it('shuts down in time and reports unfinished emails as interrupted, not failed', async () => {
    const shutdown = new AbortController();
    for (let count = 0; count < 9; count += 1) send(`${count}@example.com`, { shutdownSignal: shutdown.signal });
    // Sent without a signal, so the shutdown doesn't abort it.
    send('other@example.com', { isUserWaiting: true });
    await until(() => startedRecipients.length >= 5, { condition: 'all available connections are in use' });
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'Date'] });
    shutdown.abort();
    await jest.advanceTimersByTimeAsync(5_000);
    jest.useRealTimers();
    for (const error of await Promise.all(sent)) expect(error).toBeInstanceOf(MailInterruptedError);
    expect(startedRecipients).toHaveLength(5);
  });
});
