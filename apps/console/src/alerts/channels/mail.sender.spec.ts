import { jest } from '@jest/globals';
import { MailSender } from './mail.sender.js';

afterEach(() => jest.restoreAllMocks());

it('gives up a mail that waited so long for others that its claim could end while it is sent', async () => {
  const settings = { host: '127.0.0.1', port: 1, security: 'none', user: null, password: null, from: 'a@example.com' };
  const sender = new MailSender(settings as ConstructorParameters<typeof MailSender>[0]);
  jest.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValue(120_001);
  await expect(sender.send({ to: ['b@example.com'], id: '1', subject: '', text: '' })).rejects.toThrow('too slow');
});
