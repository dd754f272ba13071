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

afterEach(() => jest.restoreAllMocks());

it('interrupts a mail that waited so long that its claim could expire while sending', async () => {
  jest.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValue(120_001);
  const sent = new MailSender({ mail: settings }, new InMemoryRateLimiter(() => 0)).send({
    to: ['b@example.com'],
    id: '1',
    subject: '',
    text: '',
  });
  await expect(sent).rejects.toThrow(MailInterruptedError);
});

describe('MailSender with a server that does not respond', () => {
  /** Recipients of mails in flight. */
  let begun: string[] = [];
  let sent: Promise<unknown>[] = [];
  let smtp: SMTPServer;
  let sender: MailSender;

  beforeEach(async () => {
    begun = [];
    sent = [];
    smtp = new SMTPServer({
      disabledCommands: ['STARTTLS', 'AUTH'],
      onRcptTo: ({ address }) => void begun.push(address),
    });
    await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
    sender = new MailSender(
      { mail: { ...settings, port: (smtp.server.address() as AddressInfo).port } },
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

  it('reserves a connection for mails that someone is waiting for', async () => {
    for (let count = 0; count < 9; count += 1) send(`${count}@example.com`);
    await until(() => begun.length >= 4, { what: 'as many as may be are under way' });
    send('asked@example.com', { isAsked: true });
    await until(() => begun.includes('asked@example.com'), { what: 'it is under way' });
    expect(begun).toHaveLength(5);
  });

  it('shuts down in time and reports started mails as interrupted, not failed', async () => {
    const ending = new AbortController();
    for (let count = 0; count < 9; count += 1) send(`${count}@example.com`, { ending: ending.signal });
    // Without the signal, like a service that shuts down later.
    send('other@example.com', { isAsked: true });
    await until(() => begun.length >= 5, { what: 'as many as may be are under way' });
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'Date'] });
    ending.abort();
    await jest.advanceTimersByTimeAsync(5_000);
    jest.useRealTimers();
    for (const error of await Promise.all(sent)) expect(error).toBeInstanceOf(MailInterruptedError);
    expect(begun).toHaveLength(5);
  });
});
