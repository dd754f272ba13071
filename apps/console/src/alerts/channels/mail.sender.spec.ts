import { jest } from '@jest/globals';
import type { MailSettings } from './mail-settings.js';
import { MailNotTriedError, MailSender } from './mail.sender.js';

const settings: MailSettings = {
  host: '127.0.0.1',
  port: 1,
  security: 'none',
  user: null,
  password: null,
  from: 'a@example.com',
};

afterEach(() => jest.restoreAllMocks());

it('gives up a mail that waited so long for others that its claim could end while it is sent', async () => {
  jest.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValue(120_001);
  const sent = new MailSender(settings).send({ to: ['b@example.com'], id: '1', subject: '', text: '' });
  await expect(sent).rejects.toThrow(MailNotTriedError);
});
